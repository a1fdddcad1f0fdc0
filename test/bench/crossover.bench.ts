import { startStore } from '../../src/embedded/store.ts';
import { createStore } from '../../src/prometheus/store.ts';
import type { Part } from '../../src/reads/gauge-plan.ts';
import { select } from '../../src/scope/scope.ts';
import type { Window } from '../../src/window/window.ts';
import { moment } from './document.ts';
import { fleet, gpusPerNode, readings, scrapeS } from './fleet.ts';
import { storePid } from './process-figures.ts';
import { fromAggregates, fromSamples } from './read-both-ways.ts';
import { cpuOf, least, median, sideBySide, type Timing } from './side-by-side.ts';
import type { Verdict } from './verdict.ts';

const nodes = 32;
const cluster = 'crossover';
const points = 48;
const samplesPerBucket = [2, 3, 4, 5, 10, 15, 30, 60];
const selections: Readonly<Record<string, readonly Part[]>> = {
  'values only': ['values'],
  'values and figures': ['values', 'mean', 'min', 'max'],
};

/** Up to how many samples in a bucket it is cheaper to read the samples than to let the store average them. */
export async function crossover(): Promise<Verdict[]> {
  const end = moment();
  const longest = points * samplesPerBucket.at(-1)! * scrapeS;
  const store = await startStore();
  const client = createStore({ url: store.url, timeoutS: 60, concurrency: 8 });
  const ask = client.askFor('bench');
  try {
    await store.load(fleet({ cluster, nodes, fields: ['powerW'], end, spanS: longest + 600 }));
    const scope = { matchers: [{ label: 'cluster', op: '=' as const, value: cluster }] };
    const processes = { store: storePid(store.url) };
    const selector = select(scope, readings.powerW.metric);
    console.log(`  ${nodes * gpusPerNode} series, ${points} buckets; samples / store's own means`);
    for (const [name, selected] of Object.entries(selections)) {
      const wanted = new Set(selected);
      let cheapUpTo = 0;
      for (const perBucket of samplesPerBucket) {
        const stepS = perBucket * scrapeS;
        const start = end - points * stepS;
        const window: Window = { start, end, stepS, points, t0: start };
        const [samples, aggregates] = await sideBySide(
          [
            { name: 'samples', run: () => fromSamples(ask, selector, wanted, window) },
            { name: 'aggregates', run: () => fromAggregates(ask, selector, wanted, window) },
          ],
          { rounds: 5, runs: Math.ceil(20 / perBucket), warmUps: 2, processes, quiet: true },
        );
        const what = `${name}, ${String(perBucket).padStart(2)} samples to a bucket`;
        console.log(`    ${what}: ${compared(samples!, aggregates!)}`);
        if (cpuOf(samples!) <= cpuOf(aggregates!)) cheapUpTo = perBucket;
      }
      console.log(`    ${name}: reading samples takes less CPU up to ${cheapUpTo} to a bucket`);
    }
    return [];
  } finally {
    await client.close();
    await store.close();
  }
}

function compared(one: Timing, other: Timing): string {
  const ratio = (pick: (timing: Timing) => number) => (pick(one) / pick(other)).toFixed(2);
  const cpu = (process: string) => (timing: Timing) => median(timing.cpu[process]!);
  const wall = `wall ${ratio(({ wall }) => median(wall))}, of minima ${ratio(({ wall }) => least(wall))}`;
  const ms = (timing: Timing) => `${cpu('store')(timing).toFixed(1)}+${cpu('client')(timing).toFixed(1)}`;
  return `${wall}, CPU ${ratio(cpuOf)} (store+own: ${ms(one)} / ${ms(other)} ms)`;
}
