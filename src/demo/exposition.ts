import type { Labels } from '../domain/series.ts';
import { streamsOf } from './exporters.ts';
import type { Job } from './exporters.ts';
import { isWithin } from './stream.ts';

const escapes: Record<string, string> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' };

const labelText = (labels: Labels): string =>
  Object.entries(labels)
    .map(([label, value]) => `${label}="${value.replace(/[\\"\n]/g, (c) => escapes[c]!)}"`)
    .join(',');

/** One scrape of a job at `t`, in Prometheus' text format. The lines carry every label: scrape them with `honor_labels`. */
export function exposition(t0: number, t: number, job: Job): string {
  const since = Float64Array.of(t - t0);
  const alive = streamsOf[job](t0, t - t0).filter((stream) => isWithin(stream.alive, t - t0));
  // The format wants the lines of a metric together.
  return [...Map.groupBy(alive, ({ name }) => name)]
    .map(([name, streams]) => {
      const lines = streams.map(({ labels, at }) => `${name}{${labelText(labels)}} ${at(since)[0]}\n`);
      return `# TYPE ${name} ${streams[0]!.type}\n${lines.join('')}`;
    })
    .join('');
}
