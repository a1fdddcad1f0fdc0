import { round6 } from '../samples/round.ts';
import type { Span } from './span.ts';

/** To one decimal, unless that would make nothing of it, or make it the limit that it passed. */
export function number(value: number, limit?: number): string {
  const rounded = Math.round(value * 10) / 10;
  const isLost = rounded !== value && (rounded === 0 || rounded === limit);
  return String(isLost ? round6(value) : rounded);
}
/** A length of time. */
export const minutes = (seconds: number): string => `${number(seconds / 60)} min`;

export const dateOf = (time: number): string => new Date(time * 1000).toISOString().slice(0, 10);
export const clock = (time: number): string => new Date(time * 1000).toISOString().slice(11, 16);

/** A GPU, or what is of a node as a whole. */
export const whom = (node: string, gpu: number | null): string => (gpu === null ? node : `GPU ${gpu} on ${node}`);

/** When it was, in UTC. */
export function when({ from, to }: Span): string {
  if (dateOf(from) === dateOf(to) && clock(from) === clock(to)) return `at ${dateOf(from)} ${clock(from)} UTC`;
  const until = dateOf(from) === dateOf(to) ? clock(to) : `${dateOf(to)} ${clock(to)}`;
  return `from ${dateOf(from)} ${clock(from)} to ${until} UTC`;
}
