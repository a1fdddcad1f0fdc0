import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ago, HOUR, MINUTE, NOW, scrapes } from '../support/fleet/clock.ts';
import { dcgm, dcgmLabels } from '../support/fleet/dcgm.ts';
import { differences } from '../support/fleet/differences.ts';
import { askCluster, askNode, wholeSeries } from '../support/fleet/questions.ts';
import { churned, labelled, stepped } from '../support/fleet/series.ts';
import { samplesOf, seriesOf } from '../support/fleet/truth.ts';
import { startWorld, type World } from '../support/fleet/world.ts';
import { around } from '../support/fleet/wobble.ts';

const times = scrapes();
const over = { start: ago(HOUR), end: NOW };
const half = ago(30 * MINUTE);
const temp = 'DCGM_FI_DEV_GPU_TEMP';
const used = 'DCGM_FI_DEV_FB_USED';

const wave = around('shared', 62, 9);

/** Every series once a pod, as the virtual-GPU option copies it. */
const copies = ['0', '1', '2'].flatMap((vgpu) =>
  dcgm({ node: 'copied', pod: `infer-${vgpu}`, extra: { vgpu } }, times, {
    [temp]: wave,
    [used]: 42_000,
    DCGM_FI_DEV_GPU_UTIL: 70,
    DCGM_FI_DEV_FB_TOTAL: 81_559,
    DCGM_FI_DEV_PCIE_REPLAY_COUNTER: stepped(4, [half, 6]),
  }),
);

/** One series for the device, and beside it each pod's share: only utilization and memory are shared out. */
const shares = [
  ...dcgm({ node: 'shares' }, times, { DCGM_FI_DEV_GPU_UTIL: 80, [used]: 40_000 }),
  ...[50, 30, 0].flatMap((util, at) =>
    dcgm({ node: 'shares', pod: `infer-${at}`, extra: { vgpu: String(at), pod_uid: `uid-${at}` } }, times, {
      DCGM_FI_DEV_GPU_UTIL: util,
      [used]: 500 * util,
      [temp]: wave,
    }),
  ),
];

/** Pods that held the GPU one after the other. */
const inTurn = churned(
  temp,
  times,
  wave,
  [ago(2 * HOUR), ago(40 * MINUTE), ago(20 * MINUTE)].map((from, at) => [
    from,
    dcgmLabels({ node: 'turns', pod: `job-${at}` }),
  ]),
);

/** Two scrapers see the same exporter; the values change only where both have seen the same number of them. */
const level = stepped(60, [ago(50 * MINUTE), 70], [ago(20 * MINUTE), 65]);
const replicas = ['a', 'b'].flatMap((replica, at) =>
  labelled(
    { prometheus_replica: replica },
    dcgm({ node: 'replicas' }, scrapes({ phase: 4.2 + 9 * at }), {
      [temp]: level,
      DCGM_FI_DEV_PCIE_REPLAY_COUNTER: stepped(7, [half, 10]),
    }),
  ),
);

let world: World;
beforeAll(async () => {
  world = await startWorld([{ name: 'green', series: [...copies, ...shares, ...inTurn, ...replicas] }]);
});
afterAll(() => world?.close());

const waveTruth = seriesOf(samplesOf(copies, temp), over);
const gpus = async (cluster: string, node: string, selection: string) =>
  (await askNode(await world.gateway(), cluster, node, `gpuCount gpus { ${selection} }`)).gpus;

describe('pods on one GPU', () => {
  test('copies for each pod are one reading, never a sum', async () => {
    const got = await gpus(
      'green',
      'copied',
      `sharing tempC ${wholeSeries} hbmUsedGib { mean max } hbmTotalGib utilPct { mean } errors { pcieReplay }`,
    );
    const expected = {
      sharing: 'SHARED',
      tempC: waveTruth,
      hbmUsedGib: { mean: 42_000 / 1024, max: 42_000 / 1024 },
      hbmTotalGib: 81_559 / 1024,
      utilPct: { mean: 70 },
      errors: { pcieReplay: 2 },
    };
    expect(differences('gpus', [expected], got)).toEqual([]);
  });

  test('the device series is the reading, not the pods’ shares beside it', async () => {
    const got = await gpus(
      'green',
      'shares',
      `sharing utilPct { mean min max } hbmUsedGib { mean min max } tempC ${wholeSeries}`,
    );
    const gib = 40_000 / 1024;
    const expected = {
      sharing: 'SHARED',
      utilPct: { mean: 80, min: 80, max: 80 },
      hbmUsedGib: { mean: gib, min: gib, max: gib },
      tempC: waveTruth,
    };
    expect(differences('gpus', [expected], got)).toEqual([]);
  });

  test('pods in turn are one GPU, exclusive to each', async () => {
    const got = await gpus('green', 'turns', `sharing tempC ${wholeSeries}`);
    expect(differences('gpus', [{ sharing: 'EXCLUSIVE', tempC: waveTruth }], got)).toEqual([]);
  });
});

test('two scrapers of one exporter are one GPU, and its counts are counted once', async () => {
  const expected = {
    sharing: 'EXCLUSIVE',
    tempC: seriesOf(samplesOf(replicas, temp), over),
    errors: { pcieReplay: 3 },
  };
  const { lastAt: _either, ...tempC } = expected.tempC!;
  const got = await gpus('green', 'replicas', `sharing tempC ${wholeSeries} errors { pcieReplay }`);
  expect(differences('gpus', [{ ...expected, tempC }], got)).toEqual([]);
});

test('a cluster counts boards, not series', async () => {
  const { nodes } = await askCluster(await world.gateway(), 'green', 'nodes { nodes { name gpuCount } }');
  expect(nodes.nodes.map(({ name, gpuCount }: { name: string; gpuCount: number }) => [name, gpuCount])).toEqual(
    ['copied', 'replicas', 'shares', 'turns'].map((name) => [name, 1]),
  );
});
