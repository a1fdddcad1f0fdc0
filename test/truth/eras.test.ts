import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ago, HOUR, MINUTE, NOW, scrapes } from '../support/fleet/clock.ts';
import { dcgm } from '../support/fleet/dcgm.ts';
import { differences } from '../support/fleet/differences.ts';
import { askCluster, askNode, wholeSeries } from '../support/fleet/questions.ts';
import { type Series, stepped } from '../support/fleet/series.ts';
import { type Sample, seriesOf, valuesOf } from '../support/fleet/truth.ts';
import { startWorld, type World } from '../support/fleet/world.ts';
import { around } from '../support/fleet/wobble.ts';

const half = ago(30 * MINUTE);
const over = { start: ago(HOUR), end: NOW };

/** What the GPU really did, in the units of the answers. */
const truth = {
  tempC: around('era temp', 63, 9),
  memoryTempC: around('era memtemp', 70, 5),
  smClockMhz: around('era sm', 1700, 90),
  memClockMhz: around('era mem', 2600, 4),
  utilPct: around('era util', 80, 19),
  tensorActivePct: around('era tensor', 40, 30, 3),
  dramActivePct: around('era dram', 35, 20, 3),
  smActivePct: around('era active', 60, 30, 3),
  powerW: around('era power', 500, 90, 3),
};
type Field = keyof typeof truth;
const scaled =
  (field: Field, factor: number) =>
  (time: number): number =>
    Number((truth[field](time) * factor).toPrecision(12));
const replays = stepped(5, [half - 600, 6], [half, 8], [half + 600, 9]);

/** What each era prints of it. The ratio of utilization is a percentage in B, a fraction in C. */
const named = {
  A: {
    DCGM_FI_DEV_GPU_TEMP: truth.tempC,
    DCGM_FI_DEV_MEMORY_TEMP: truth.memoryTempC,
    DCGM_FI_DEV_SM_CLOCK: truth.smClockMhz,
    DCGM_FI_DEV_MEM_CLOCK: truth.memClockMhz,
    DCGM_FI_DEV_GPU_UTIL: truth.utilPct,
    DCGM_FI_PROF_PIPE_TENSOR_ACTIVE: scaled('tensorActivePct', 0.01),
    DCGM_FI_PROF_DRAM_ACTIVE: scaled('dramActivePct', 0.01),
    DCGM_FI_PROF_SM_ACTIVE: scaled('smActivePct', 0.01),
    DCGM_FI_DEV_POWER_USAGE: truth.powerW,
    DCGM_FI_DEV_PCIE_REPLAY_COUNTER: replays,
    DCGM_FI_DEV_FB_TOTAL: 81_559,
  },
  B: {
    DCGM_FI_DEV_GPU_TEMP_CELSIUS: truth.tempC,
    DCGM_FI_DEV_MEMORY_TEMP_CELSIUS: truth.memoryTempC,
    DCGM_FI_DEV_SM_CLOCK_HERTZ: scaled('smClockMhz', 1e6),
    DCGM_FI_DEV_MEMORY_CLOCK_HERTZ: scaled('memClockMhz', 1e6),
    DCGM_FI_DEV_GPU_UTIL_RATIO: truth.utilPct,
    DCGM_FI_PROF_TENSOR_UTIL_RATIO: scaled('tensorActivePct', 0.01),
    DCGM_FI_PROF_DRAM_UTIL_RATIO: scaled('dramActivePct', 0.01),
    DCGM_FI_PROF_SM_UTIL_RATIO: scaled('smActivePct', 0.01),
    DCGM_FI_DEV_BOARD_POWER_WATTS: truth.powerW,
    DCGM_FI_DEV_PCIE_REPLAY_TOTAL: replays,
    DCGM_FI_DEV_FB_TOTAL: 81_559,
  },
};
const eraC = {
  ...named.B,
  DCGM_FI_DEV_GPU_UTIL_RATIO: scaled('utilPct', 0.01),
  DCGM_FI_DEV_FB_CAPACITY_BYTES: 81_559 * 1_048_576,
};
const { DCGM_FI_DEV_FB_TOTAL: _mebibytes, ...inBytes } = eraC;

const times = scrapes();
const eraA = dcgm({ node: 'n1', era: 'A' }, times, named.A);
const eraB = dcgm({ node: 'n1', era: 'B' }, times, named.B);
const bytes = dcgm({ node: 'n1', era: 'C' }, times, inBytes);
const upgraded: Series[] = [
  ...dcgm({ node: 'n1', era: 'A', pod: 'train' }, scrapes({ to: half - 1 }), named.A),
  ...dcgm({ node: 'n1', era: 'C', pod: 'train' }, scrapes({ from: half - 1 }), inBytes),
];
/** Two exporters of two eras on one GPU, scraped at the same instants. */
const doubled: Series[] = [...dcgm({ node: 'n1', era: 'A', shape: 'helm' }, times, named.A), ...bytes];

let world: World;
beforeAll(async () => {
  world = await startWorld([
    { name: 'era-a', series: eraA },
    { name: 'era-b', series: eraB },
    { name: 'era-c', series: bytes },
    { name: 'upgraded', series: upgraded },
    { name: 'doubled', series: doubled },
    {
      name: 'half-way',
      series: [...dcgm({ node: 'n1', era: 'A' }, times, named.A), ...dcgm({ node: 'n2', era: 'C' }, times, inBytes)],
    },
  ]);
});
afterAll(() => world?.close());

const samples = (field: Field): Sample[] => times.map((time) => [time, truth[field](time)]);
const fields = Object.keys(truth) as Field[];
const selection = `${fields.map((field) => `${field} ${wholeSeries}`).join(' ')} hbmTotalGib errors { pcieReplay }`;
const expected = {
  ...Object.fromEntries(fields.map((field) => [field, seriesOf(samples(field), over)])),
  hbmTotalGib: 81_559 / 1024,
  errors: { pcieReplay: 4 },
};

describe.each([
  ['era-a', 'the names up to 4.8.2: MHz, percent, MiB'],
  ['era-b', 'renamed, the ratio still a percentage, clocks in Hz'],
  ['era-c', 'from 4.9: the ratio a fraction, clocks in Hz, memory in bytes'],
  ['upgraded', 'an exporter upgraded in the middle of the window'],
  ['doubled', 'two eras side by side on one GPU'],
])('%s: %s', (cluster) => {
  test('every reading is in the schema’s unit', async () => {
    const { gpus } = await askNode(await world.gateway(), cluster, 'n1', `gpus { ${selection} }`);
    expect(differences('gpus', [expected], gpus)).toEqual([]);
  });

  test('it is one GPU on one node', async () => {
    const { nodes } = await askCluster(await world.gateway(), cluster, 'nodes { totalCount nodes { name gpuCount } }');
    expect(nodes).toEqual({ totalCount: 1, nodes: [{ name: 'n1', gpuCount: 1 }] });
  });
});

test('a fleet of which half is upgraded reads alike on both halves', async () => {
  const { nodes } = await askCluster(await world.gateway(), 'half-way', `nodes { nodes { gpus { ${selection} } } }`);
  expect(differences('nodes', [{ gpus: [expected] }, { gpus: [expected] }], nodes.nodes)).toEqual([]);
});

test('the truth of this file moves', () => {
  expect(new Set(valuesOf(samples('utilPct'))).size).toBeGreaterThan(20);
});
