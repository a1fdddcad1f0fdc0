import { ago, HOUR, NOW } from '../support/fleet/clock.ts';
import type { Answered } from './ask.ts';
import { exactLabels, near, nearLabels } from './same.ts';

interface StoreSeries {
  readonly metric: Readonly<Record<string, string>>;
  readonly value?: readonly [number, string];
  readonly values?: readonly (readonly [number, string])[];
}

/** A store's own answer to a text, or that it refused. */
export type Straight =
  | { readonly refused: string }
  | { readonly resultType: string; readonly series: readonly StoreSeries[]; readonly scalar: number | null };

const finite = (text: string): number | null => {
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
};

export interface Grid {
  readonly start: number;
  readonly end: number;
  readonly stepS: number;
}

/** The grid that the fuzz asks for: an hour in twelve steps. */
export const hour: Grid = { start: ago(HOUR), end: NOW, stepS: 300 };

/** Asks the store itself, past the gateway, as any client of its API would. */
export async function askStraight(
  url: string,
  query: string,
  how: 'instant' | 'range',
  grid = hour,
): Promise<Straight> {
  const time = { instant: { time: grid.end }, range: { start: grid.start, end: grid.end, step: grid.stepS } }[how];
  // Without it VictoriaMetrics answers on a grid of its own.
  const form = new URLSearchParams({ query, nocache: '1' });
  for (const [name, value] of Object.entries(time)) form.set(name, String(value));
  const response = await fetch(`${url}/api/v1/${how === 'instant' ? 'query' : 'query_range'}`, {
    method: 'POST',
    body: form,
  });
  const text = await response.text();
  if (!response.ok) return { refused: text };
  const { resultType, result } = JSON.parse(text).data;
  if (resultType === 'scalar') return { resultType, series: [], scalar: finite(result[1]) };
  return { resultType, series: resultType === 'string' ? [] : result, scalar: null };
}

const MOST_SERIES = 100;

/** How the gateway's answer differs from the store's own, or nothing. */
export function differsFrom(straight: Straight, answered: Answered, grid = hour): string | undefined {
  if ('refused' in straight) return 'the store itself refuses it';
  if (straight.resultType === 'vector' && answered.resultType === 'SCALAR')
    return differentScalar(straight.series, answered);
  if (straight.resultType.toUpperCase() !== answered.resultType) return `the store says ${straight.resultType}`;
  if (straight.resultType === 'scalar')
    return near(straight.scalar, answered.value) ? undefined : `the store says ${straight.scalar}`;
  const total = straight.series.length;
  if (total !== answered.seriesTotal) return `the store has ${total} series`;
  if (answered.series.length !== Math.min(total, MOST_SERIES))
    return `${answered.series.length} series came of ${total}`;
  if (answered.truncated !== total > MOST_SERIES) return 'truncated says otherwise';
  const exact = new Map(straight.series.map((one) => [exactLabels(one.metric), one]));
  const rounded = new Map(straight.series.map((one) => [nearLabels(one.metric), one]));
  for (const { labels, values, value } of answered.series) {
    const name = exactLabels(labels);
    const one = exact.get(name) ?? rounded.get(nearLabels(labels));
    if (one === undefined) return `the store has no ${name}`;
    const different = one.values ? differentSlot(one.values, values ?? [], grid) : !near(finite(one.value![1]), value);
    if (different !== false) return `${name}: ${one.values ? different : `the store says ${one.value![1]}`}`;
  }
  if (new Set(answered.series.map(({ labels }) => exactLabels(labels))).size < answered.series.length)
    return 'a series twice';
  return undefined;
}

/** VictoriaMetrics answers a number with a vector of one series without labels. */
function differentScalar(series: readonly StoreSeries[], { value }: Answered): string | undefined {
  const [one] = series;
  const said = series.length === 1 && exactLabels(one!.metric) === '[]' ? finite(one!.value![1]) : null;
  return near(said, value) ? undefined : `the store says ${JSON.stringify(series)}`;
}

function differentSlot(
  samples: readonly (readonly [number, string])[],
  values: readonly (number | null)[],
  { start, end, stepS }: Grid,
): string | false {
  const slots = Math.floor((end - start) / stepS) + 1;
  if (values.length !== slots) return `${values.length} values for ${slots} instants`;
  const expected = Array.from<number | null>({ length: slots }).fill(null);
  // VictoriaMetrics 1.79 answers an absent_over_time with an offset at times past the end that it was asked for.
  for (const [time, text] of samples) if (time <= end) expected[Math.round((time - start) / stepS)] = finite(text);
  const at = expected.findIndex((one, slot) => !near(one, values[slot]!));
  return at === -1 ? false : `the store says ${expected[at]} at ${start + at * stepS}, and not ${values[at]}`;
}
