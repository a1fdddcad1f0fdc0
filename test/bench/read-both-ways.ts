import type { Row } from '../../src/domain/series.ts';
import type { Ask } from '../../src/reads/ask.ts';
import { foldGauge, type ScaledRow } from '../../src/reads/fold.ts';
import { aggregateSteps, type Part, rawStep } from '../../src/reads/gauge-plan.ts';
import { type AnswerOf, type SeriesData, seriesOfAggregates, seriesOfStream } from '../../src/reads/series-data.ts';
import { gpuGauges } from '../../src/readings/gpu-gauges.ts';
import type { ScopedQuery } from '../../src/scope/scope.ts';
import type { Window } from '../../src/window/window.ts';
import { scrapeS } from './fleet.ts';

const reading = gpuGauges.powerW;

const scaled = (row: Row): ScaledRow => ({ row, scale: 1, rank: 0 });

/** One reading of every GPU, from its samples. */
export async function fromSamples(
  ask: Ask,
  selector: ScopedQuery,
  wanted: ReadonlySet<Part>,
  window: Window,
): Promise<SeriesData[]> {
  const { rows } = await ask(rawStep(selector, window).question);
  return rows.map((row) => {
    const { stream } = foldGauge([scaled(row)], reading, 'NVIDIA');
    return seriesOfStream(stream, wanted, window, scrapeS)!;
  });
}

/** The same from the store's own means and figures. */
export async function fromAggregates(
  ask: Ask,
  selector: ScopedQuery,
  wanted: ReadonlySet<Part>,
  window: Window,
): Promise<SeriesData[]> {
  const steps = aggregateSteps(selector, wanted, window, scrapeS, reading.plausible);
  const answers = await Promise.all(
    steps.map(async ({ answers: kind, question }) => ({ kind, rows: (await ask(question)).rows })),
  );
  const byGpu = new Map<string, AnswerOf[]>();
  for (const { kind, rows } of answers) {
    for (const row of rows) {
      const key = `${row.labels['Hostname']} ${row.labels['gpu']}`;
      const own = byGpu.get(key) ?? [];
      byGpu.set(key, own);
      own.push({ answers: kind, rows: [scaled(row)], rank: 0, part: '' });
    }
  }
  return [...byGpu.values()].map((own) => {
    const series = seriesOfAggregates(own, wanted, window, reading.plausible);
    if (series === null) throw new Error('the means of plausible samples were not trusted');
    return series;
  });
}
