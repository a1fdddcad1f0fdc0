import type { Vendor } from '../domain/fleet.ts';
import { vendors } from '../domain/fleet.ts';
import type { Source } from '../domain/site.ts';

interface Described {
  readonly family: string;
  readonly unit: string;
  readonly describe: string;
  readonly from?: Readonly<Partial<Record<Vendor, readonly Source[]>>>;
}

/** A field's description: what it is, its unit, its family, and who lacks it. */
export function describedReading({ family, unit, describe, from }: Described): string {
  const lacking = from ? vendors.filter((vendor) => (from[vendor] ?? []).length === 0) : [];
  const lacks = lacking.length > 0 ? ` Always null on ${lacking.join(' and ')}, which has no such reading.` : '';
  return `${describe}, ${unit}. Family ${family}.${lacks} Null where the store holds no reading.`;
}
