import { afterAll, beforeAll, expect, test } from 'vitest';

import { failing, type FaultyFleet, startFaultyFleet } from '../support/faulty-fleet.ts';
import { oddCluster } from '../support/faulty-clusters.ts';
import { status } from '../support/faulty-store.ts';
import type { Served } from '../support/served-gateway.ts';

let fleet: FaultyFleet;
beforeAll(async () => {
  fleet = await startFaultyFleet([{ name: 'aurora', series: oddCluster() }]);
});
afterAll(() => fleet?.close());

const ask = async (gpu: string, range = 'LAST_24H'): Promise<Served> =>
  (await fleet.gateway()).query(
    `{ cluster(name: "aurora", window: { range: ${range} }) { nodes { nodes { gpus { ${gpu} } } } } }`,
  );
const gpusOf = ({ data }: Served) => data.cluster.nodes.nodes.flatMap(({ gpus }: Served['data']) => gpus);
/** GPU 1 of n1. */
const odd = ['cluster', 'nodes', 'nodes', 0, 'gpus', 1];

test.each([
  ['the second reading, of raw samples', /query DCGM_FI_DEV_POWER_USAGE\{/, 'powerW { max }', ['powerW']],
  [
    'the raw samples of a counter',
    /query DCGM_FI_DEV_PCIE_REPLAY_COUNTER\{/,
    'errors { pcieReplay }',
    ['errors', 'pcieReplay'],
  ],
  [
    'the heartbeats of a counter that was born',
    /query DCGM_FI_DEV_GPU_TEMP\{/,
    'errors { eccSbe }',
    ['errors', 'eccSbe'],
  ],
])('where %s fails, the one GPU that needs it fails alone', async (_what, request, selection, field) => {
  const whole = await ask(selection, 'LAST_1H');
  expect(whole.errors).toBeUndefined();
  failing(fleet.north, request, status(503));
  const answer = await ask(selection, 'LAST_1H');
  expect(answer.errors!.every(({ extensions }) => extensions.code === 'METRICS_UNAVAILABLE')).toBe(true);
  expect(answer.errors!.map(({ path }) => path)).toEqual([[...odd, ...field]]);
  const others = (of: Served) => gpusOf(of).filter((_: unknown, at: number) => at !== 1);
  expect(others(answer)).toEqual(others(whole));
});

/** Over a day the buckets, the mean and the greatest value are requests of their own. */
const [mean, greatest] = [
  /query avg_over_time\(DCGM_FI_DEV_GPU_TEMP\{[^}]*\}\[86399999ms/,
  /query max_over_time\(DCGM_FI_DEV_GPU_TEMP/,
];

test.each([
  ['tempC { values } peakTempC', greatest, 'peakTempC'],
  ['tempC { values } b: tempC { mean }', mean, 'b'],
  ['tempC { values } b: tempC { max }', greatest, 'b'],
])(
  'in { %s } the field whose request fails is null, and the buckets beside it stay',
  async (selection, request, failed) => {
    const whole = await ask(selection);
    failing(fleet.north, request, status(503));
    const answer = await ask(selection);
    expect(new Set(answer.errors!.map(({ path }) => path!.at(6)))).toEqual(new Set([failed]));
    expect(gpusOf(answer)).toEqual(gpusOf(whole).map((gpu: object) => ({ ...gpu, [failed]: null })));
  },
);

test('of one field with values and mean, a mean that fails is an error and never a null alone', async () => {
  failing(fleet.north, mean, status(503));
  const answer = await ask('index tempC { values mean } powerW { max }');
  const places = new Set(answer.errors!.map(({ path }) => path!.slice(6).join('.')));
  expect([['tempC'], ['tempC.mean']]).toContainEqual([...places]);
  expect(answer.errors).toHaveLength(4);
  for (const { tempC, powerW, index } of gpusOf(answer)) {
    expect(tempC?.mean ?? null, `mean of GPU ${index}`).toBeNull();
    expect(powerW.max).toBeGreaterThan(0);
  }
});
