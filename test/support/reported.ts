import { openReporter, type ReporterOptions } from '../../src/report/index.ts';
import { readEvent, type RunEvent } from '../../src/runs/event.ts';

/** A reporter whose lines, and what it says to people, are kept; its clock is moved by hand. */
export async function reported(options: ReporterOptions = {}) {
  const lines: string[] = [];
  const said: string[] = [];
  const clock = { ms: Date.UTC(2026, 8, 21, 12) };
  const reporter = await openReporter({
    argv: ['--metrics', 'stdout'],
    env: {},
    now: () => clock.ms,
    write: (line) => lines.push(line),
    say: (line) => said.push(line),
    ...options,
  });
  return { reporter, lines, said, clock, events: () => lines.map(eventOf) };
}

/** As a gateway reads it. */
export function eventOf(line: string): RunEvent {
  const read = readEvent(JSON.parse(line));
  if ('event' in read) return read.event;
  throw new Error(`${line}: ${JSON.stringify(read)}`);
}

/** A series and its value, in one line: `train/loss{split=train} 2.3`. */
export function spelled(event: RunEvent): string {
  const keys = Object.entries(event.metadata).map(([key, value]) => `${key}=${value}`);
  const series = `${event.name}{${keys.sort().join(',')}}`;
  return event.kind === 'metric' ? `${series} ${event.value}` : series;
}
