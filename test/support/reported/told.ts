import { type Held, keyOf } from './raw.ts';

/** An event as a program tells it; a number that is none by the word that Python's JSON has for it. */
export interface Told {
  readonly kind: 'metric' | 'annotation';
  readonly ts_ms: number;
  readonly step?: number | null;
  readonly name: string;
  readonly value?: number | 'NaN' | 'Infinity' | '-Infinity' | null;
  readonly metadata?: Readonly<Record<string, string | number | boolean>>;
}

/** The line of it, as Python would write it: what is no number stands there as a bare word. */
export function lineOf({ value, ...event }: Told): string {
  if (event.kind === 'annotation') return JSON.stringify(event);
  // JSON.stringify has no minus for a zero.
  const text = value === null ? 'null' : Object.is(value, -0) ? '-0' : String(value);
  return JSON.stringify({ ...event, value: 0 }).replace(/"value":0\}$/, `"value":${text}}`);
}

const findings = { NaN: 'NaN', Infinity: '+Inf', '-Infinity': '-Inf', null: 'null' } as const;

/** What a store must hold of these events, worked out from nothing but them. Of two in one series and moment the first stands. */
export function heldOf(
  events: readonly Told[],
  run: string,
  { cluster = 'aurora-prod', workload = {} }: { cluster?: string; workload?: Readonly<Record<string, string>> } = {},
): Held {
  const held = new Map<string, Map<number, number>>();
  const keep = (labels: Readonly<Record<string, string>>, ms: number, value: number, isHighest = false): void => {
    const key = keyOf({ cluster, run, ...labels });
    const samples = held.get(key) ?? new Map<number, number>();
    held.set(key, samples);
    if (!samples.has(ms) || (isHighest && samples.get(ms)! < value)) samples.set(ms, value);
  };
  for (const { kind, ts_ms: ms, step, name, value = null, metadata = {} } of events) {
    const about = labelsOf(metadata);
    const at = step ?? -1;
    keep({ __name__: 'gpuql_run_event', ...workload }, ms, at, true);
    if (kind === 'annotation') keep({ __name__: 'gpuql_run_annotation', annotation: name, ...about }, ms, at);
    else if (typeof value === 'number') keep({ __name__: 'gpuql_run_value', metric: name, ...about }, ms, value);
    else {
      const finding = findings[String(value) as keyof typeof findings];
      keep({ __name__: 'gpuql_run_nonfinite', metric: name, finding, ...about }, ms, at);
    }
  }
  return new Map([...held].map(([key, samples]) => [key, [...samples].sort(([a], [b]) => a - b)]));
}

const asText = (metadata: NonNullable<Told['metadata']>): [string, string][] =>
  Object.entries(metadata).map(([key, value]) => [key, String(value)]);

/** Metadata as a reader gets it back: text, whatever it was. */
export const textOf = (metadata: Told['metadata'] = {}): Record<string, string> => Object.fromEntries(asText(metadata));

function labelsOf(metadata: NonNullable<Told['metadata']>): Record<string, string> {
  const pairs = asText(metadata).sort(([a], [b]) => (a < b ? -1 : 1));
  if (pairs.length === 0) return {};
  const shown = pairs.filter(([key, value]) => ['split', 'pass', 'stage', 'param'].includes(key) && value !== '');
  const json = pairs.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',');
  return { ...Object.fromEntries(shown), metadata: `{${json}}` };
}
