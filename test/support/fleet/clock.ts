/** The one instant at which every generated fleet is looked at, in epoch seconds: a whole minute, noon. */
export const NOW = Date.parse('2026-06-01T12:00:00Z') / 1000;
export const MINUTE = 60;
export const HOUR = 3600;
export const DAY = 86_400;

/** The instant that many seconds before `NOW`. */
export const ago = (seconds: number): number => NOW - seconds;

/** An instant as the schema prints it: UTC, whole seconds. */
export const iso = (seconds: number): string =>
  new Date(Math.floor(seconds) * 1000).toISOString().replace('.000Z', 'Z');

export interface Scraping {
  /** Left open: the first scrape is after it. */
  readonly from?: number;
  /** Right closed. */
  readonly to?: number;
  readonly every?: number;
  /** Where inside an interval this target is scraped. Below 15 s unless a test says otherwise. */
  readonly phase?: number;
  /** Spans, left open and right closed, in which nothing was scraped. */
  readonly holes?: readonly (readonly [number, number])[];
}

/** The instants at which one target was scraped, to the millisecond, as Prometheus keeps them. */
export const scrapes = ({
  from = ago(2 * HOUR),
  to = NOW,
  every = 30,
  phase = 7.123,
  holes = [],
}: Scraping = {}): number[] => {
  const times: number[] = [];
  for (let k = Math.floor(from / every) - 1; k * every + phase <= to; k++) {
    const time = Math.round((k * every + phase) * 1000) / 1000;
    if (time > from && !holes.some(([start, end]) => time > start && time <= end)) times.push(time);
  }
  return times;
};
