/** A stretch of time, epoch seconds, both ends included. One moment has `from` equal to `to`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The part of a span inside another; null where they do not meet. */
export function within({ from, to }: Span, limits: Span): Span | null {
  const cut = { from: Math.max(from, limits.from), to: Math.min(to, limits.to) };
  return cut.from <= cut.to ? cut : null;
}

export const overlap = (a: Span, b: Span): boolean => Math.max(a.from, b.from) <= Math.min(a.to, b.to);

/** Spans in order of time, those less than `closerThanS` apart as one; with 0, those that touch. */
export function joined(spans: readonly Span[], closerThanS = 0): Span[] {
  const found: { from: number; to: number }[] = [];
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = found.at(-1);
    if (last && (from <= last.to || from - last.to < closerThanS)) last.to = Math.max(last.to, to);
    else found.push({ from, to });
  }
  return found;
}

/** Seconds that the spans cover together, each moment once. */
export const covered = (spans: readonly Span[]): number =>
  joined(spans).reduce((sum, { from, to }) => sum + (to - from), 0);
