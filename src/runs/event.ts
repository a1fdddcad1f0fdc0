import { z } from 'zod';
import { type Metadata, metadataFault } from './metadata.ts';

/** What is no number, and yet a finding: a loss that became NaN. `null` is what JSON makes of it where it has no word for it. */
export const nonFinite = ['NaN', '+Inf', '-Inf', 'null'] as const;
export type NonFinite = (typeof nonFinite)[number];

interface Occurrence {
  /** Milliseconds since 1970, UTC. */
  readonly tsMs: number;
  /** The training step; null where the event has none. */
  readonly step: number | null;
  readonly name: string;
  readonly metadata: Metadata;
}

/** One number of a run: a name, a value, and what tells its series from others of that name. */
export interface Metric extends Occurrence {
  readonly kind: 'metric';
  readonly value: number | NonFinite;
}

/** Something that happened to a run: a checkpoint, an interruption. */
export interface Annotation extends Occurrence {
  readonly kind: 'annotation';
}

export type RunEvent = Metric | Annotation;

/** What one line or item turned out to be. */
export type Read =
  | { readonly event: RunEvent }
  /** Of a kind that is not an event, `summary` among them. */
  | { readonly skipped: string }
  /** Why it is no event, and which field is wrong. */
  | { readonly reason: string };

/** Longest name of a metric or annotation, in bytes of UTF-8. */
export const longestName = 512;
/** In March 1973: a time in seconds looks older, and no run is. */
const oldestMs = 1e11;
/** The newest moment that JavaScript has. */
const newestMs = 8.64e15;

const shape = z.object({
  ts_ms: z
    .int('ts_ms is no whole number of milliseconds since 1970')
    .min(oldestMs, 'ts_ms lies before March 1973; it is milliseconds since 1970, not seconds')
    .max(newestMs, 'ts_ms lies after the year 275000'),
  step: z.int('step is no whole number').min(0, 'step is below 0').nullish(),
  name: z
    .string('name is no text')
    .min(1, 'name is empty')
    .refine((text) => text.isWellFormed(), 'name is no Unicode text')
    .refine((text) => Buffer.byteLength(text) <= longestName, `name has more than ${longestName} bytes`),
});

type Outline = z.infer<typeof shape>;

/**
 * A part of what `shape` takes, and nothing that it does not. A file has millions of events and hardly a wrong one: zod is
 * asked where one is not plainly right, and says why.
 */
const isPlainlyRight = ({ ts_ms: ts, step, name }: Outline): boolean =>
  Number.isSafeInteger(ts) &&
  ts >= oldestMs &&
  ts <= newestMs &&
  (step === undefined || (Number.isSafeInteger(step) && step! >= 0)) &&
  typeof name === 'string' &&
  name.length > 0 &&
  name.length * 3 <= longestName &&
  name.isWellFormed();

/** Reads one JSON value as an event of a run. What else it holds is left alone. */
export function readEvent(json: unknown): Read {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return { reason: 'it is no JSON object' };
  const { kind, value: rawValue, metadata: rawMetadata } = json as Record<string, unknown>;
  if (typeof kind !== 'string') return { reason: kind === undefined ? 'kind is missing' : 'kind is no text' };
  if (kind !== 'metric' && kind !== 'annotation') return { skipped: kind.slice(0, 40) };
  const read = isPlainlyRight(json as Outline)
    ? { success: true as const, data: json as Outline }
    : shape.safeParse(json);
  const value = kind === 'metric' ? valueOf(rawValue) : 0;
  const fault = metadataFault(rawMetadata);
  if (!read.success || value === undefined || fault !== null) {
    const faults = (read.success ? [] : read.error.issues).map(({ message }) => message);
    if (value === undefined) faults.push(rawValue === undefined ? 'value is missing' : 'value is no number');
    return { reason: [...new Set(faults), ...(fault === null ? [] : [fault])].join('; ') };
  }
  const { ts_ms: tsMs, step = null, name } = read.data;
  const metadata = (rawMetadata ?? {}) as Metadata;
  return {
    event: kind === 'metric' ? { kind, value, tsMs, step, name, metadata } : { kind, tsMs, step, name, metadata },
  };
}

const spelled: Readonly<Record<string, NonFinite>> = {
  nan: 'NaN',
  inf: '+Inf',
  '+inf': '+Inf',
  '-inf': '-Inf',
  infinity: '+Inf',
  '+infinity': '+Inf',
  '-infinity': '-Inf',
};

function valueOf(raw: unknown): number | NonFinite | undefined {
  if (raw === null) return 'null';
  if (typeof raw === 'string') return spelled[raw.toLowerCase()];
  if (typeof raw !== 'number') return undefined;
  if (Number.isFinite(raw)) return raw;
  return Number.isNaN(raw) ? 'NaN' : raw > 0 ? '+Inf' : '-Inf';
}
