import { longestName } from '../runs/event.ts';
import { canonical, type Metadata, metadataFault } from '../runs/metadata.ts';
import { valuesIn } from './batch.ts';

/** A name and its metadata together. */
export interface Series {
  readonly name: string;
  /** As it is sent: every value is text. */
  readonly metadata: Readonly<Record<string, string>>;
  /** The last fields of an event, as JSON; the same for the same series only. */
  readonly tail: { readonly name: string; readonly metadata: string };
  /** JSON values in an event of it. */
  readonly values: number;
}

/** What the reporter adds. An author's own `split`, `pass` or `stage` is kept. */
export interface RuntimeKeys {
  readonly split?: 'train' | 'eval';
  readonly pass?: string;
  readonly stage?: string;
}

/**
 * @param what     for messages: `metric`, `diagnostic`
 * @param longest  the longest name of a stage: what fits in the first shall fit in every one
 * @throws         TypeError: no event could carry that name or metadata
 */
export function seriesOf(what: string, name: string, own: Metadata = {}, keys: RuntimeKeys = {}, longest = ''): Series {
  const metadata: Metadata = { ...keys, ...own };
  const widest = keys.stage === undefined ? metadata : { ...keys, stage: longest, ...own };
  const fault = nameFault(name) ?? metadataFault(own) ?? metadataFault(widest) ?? metadataFault(metadata);
  if (fault !== null) throw new TypeError(`${what} ${JSON.stringify(String(name).slice(0, 80))}: ${fault}`);
  return {
    name,
    metadata: Object.fromEntries(Object.entries(metadata).map(([key, value]) => [key, String(value)])),
    tail: { name: JSON.stringify(name), metadata: canonical(metadata) },
    values: valuesIn(metadata),
  };
}

export const keyOf = ({ tail }: Series): string => tail.name + tail.metadata;

function nameFault(name: unknown): string | null {
  if (typeof name !== 'string' || name === '') return 'its name is no text, or empty';
  if (!name.isWellFormed()) return 'its name is no Unicode text';
  return Buffer.byteLength(name) > longestName ? `its name has more than ${longestName} bytes` : null;
}
