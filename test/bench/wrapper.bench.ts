import { Client, dataOf, graphql, rangeQuery } from './client.ts';
import { fleetDocument, fleetVariables, moment, numbersIn } from './document.ts';
import { gpusPerNode, readings } from './fleet.ts';
import { startHive, throughHive } from './hive.ts';
import { peakRssMb } from './process-figures.ts';
import { sideBySide } from './side-by-side.ts';
import { onStage } from './stage.ts';
import { notMeasured, ratio, type Verdict } from './verdict.ts';

const cluster = 'fleet';
const points = 48;
const stepS = 90;
interface HiveData {
  readonly queryRange: { readonly data: { readonly result: readonly { readonly values: readonly unknown[] }[] } };
}

const sizes = [
  { nodes: 8, runs: 6, target: 1.8 },
  { nodes: 1000, runs: 1, target: 5 },
];

/** The temperature of every GPU, against a generic GraphQL wrapper over the same store. */
export async function wrapper(): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const size of sizes) verdicts.push(await ofSize(size));
  return verdicts;
}

async function ofSize({ nodes, runs, target }: (typeof sizes)[number]): Promise<Verdict> {
  const end = moment();
  const window = { start: end - points * stepS, end, points };
  const what = `wrapper: Hive Gateway / gateway, ${nodes * gpusPerNode} GPUs`;
  const part = { cluster, nodes, fields: ['tempC'] as const, end, spanS: points * stepS + 600 };
  return onStage(part, async ({ store, toStore, toGateway, processes }) => {
    const hive = await startHive(store.url).catch((error: Error) => error);
    if (hive instanceof Error) return notMeasured(what, `skipped, no Hive Gateway: ${hive.message.slice(0, 300)}`);
    const toHive = new Client(hive.url, 1);
    try {
      const promql = `avg_over_time(${readings.tempC.metric}{cluster="${cluster}"}[${stepS * 1000 - 1}ms])`;
      const [ours, theirs] = [
        graphql(fleetDocument(['tempC']), fleetVariables(cluster, window, nodes)),
        throughHive(promql, { ...window, stepS }),
      ];
      const numbers = numbersIn(await dataOf(toGateway, ours), ['tempC']);
      const { result } = (await dataOf<HiveData>(toHive, theirs)).queryRange.data;
      const pairs = result.reduce((sum, { values }) => sum + values.length, 0);
      console.log(`  ${nodes * gpusPerNode} GPUs: ${numbers} numbers by the gateway, ${pairs} pairs by Hive Gateway`);
      const [gateway, generic] = await sideBySide(
        [
          { name: 'gateway', run: () => toGateway.read(ours) },
          { name: 'Hive Gateway', run: () => toHive.read(theirs) },
          { name: 'the store itself', run: () => toStore.read(rangeQuery(promql, { ...window, stepS })) },
        ],
        { rounds: 7, runs, warmUps: runs > 1 ? 10 : 2, processes: { ...processes, hive: hive.pid } },
      );
      console.log(
        `    peak RSS: gateway ${Math.round(peakRssMb(processes['gateway']!))} MB, Hive Gateway ${Math.round(peakRssMb(hive.pid))} MB`,
      );
      return ratio(what, generic!, gateway!, { atLeast: target });
    } finally {
      await toHive.close();
      await hive.stop();
    }
  });
}
