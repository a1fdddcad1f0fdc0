import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { amd, amdArray } from '../support/fleet/amd.ts';
import { ago, HOUR, MINUTE, NOW, scrapes } from '../support/fleet/clock.ts';
import { dcgm } from '../support/fleet/dcgm.ts';
import { differences } from '../support/fleet/differences.ts';
import { askNode, wholeSeries } from '../support/fleet/questions.ts';
import { except, type Series, stepped } from '../support/fleet/series.ts';
import { mean, type Sample, samplesOf, seriesOf, sum, together } from '../support/fleet/truth.ts';
import { startWorld, type World } from '../support/fleet/world.ts';
import { around } from '../support/fleet/wobble.ts';

const times = scrapes();
const over = { start: ago(HOUR), end: NOW };
const half = ago(30 * MINUTE);
const temp = 'DCGM_FI_DEV_GPU_TEMP';
const used = 'DCGM_FI_DEV_FB_USED';
const tensor = 'DCGM_FI_PROF_PIPE_TENSOR_ACTIVE';
const wave = around('parted', 62, 9);
const waveTruth = seriesOf(
  times.map((time): Sample => [time, wave(time)]),
  over,
);

const mig = (['1', '2'] as const).flatMap((id, at) =>
  dcgm({ node: 'mig', extra: { GPU_I_ID: id, GPU_I_PROFILE: '3g.40gb' }, pod: `slice-${id}` }, times, {
    [temp]: wave,
    DCGM_FI_DEV_POWER_USAGE: 410,
    DCGM_FI_DEV_SM_CLOCK: 1700,
    [tensor]: around(`mig ${id}`, 0.3 + 0.4 * at, 0.2, 6),
    DCGM_FI_PROF_SM_ACTIVE: 0.2 + 0.6 * at,
    [used]: 10_000 * (1 + at),
    DCGM_FI_DEV_FB_FREE: 40_192 - 10_000 * (1 + at),
    DCGM_FI_DEV_PCIE_REPLAY_COUNTER: stepped(1, [half, 3]),
  }),
);

const cpx = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((id) => {
  const gpu = { node: 'cpx', id, serial: `SN-${Math.floor(id / 4)}`, partition: id % 4, mode: 'cpx' as const };
  const vram = amd(gpu, times, { gpu_used_vram: 1000 * (id + 1), gpu_total_vram: 73_724 });
  if (gpu.partition > 0) return vram.concat(amd(gpu, times, { gpu_package_power: 0 }));
  const primary = {
    gpu_package_power: 900 + id,
    gpu_junction_temperature: 60 + id,
    gpu_gfx_activity: 75,
    pcie_replay_count: stepped(2, [half, 3]),
  };
  return vram.concat(amd(gpu, times, primary));
});

const mi250: Series[] = [
  ...amd({ node: 'mi250', prefix: '' }, times, {
    gpu_edge_temperature: wave,
    gpu_average_package_power: 380,
    gpu_total_vram: 65_536,
    gpu_used_vram: 32_768,
  }),
  ...amdArray({ node: 'mi250', prefix: '' }, times, 'gpu_hbm_temperature', 'hbm_index', [55, 61, 58, 60]),
  ...amdArray({ node: 'mi250', prefix: '' }, times, 'gpu_clock', 'clock_index', [1500, 1700], {
    clock_type: 'GPU_CLOCK_TYPE_SYSTEM',
  }),
];
const guest = [0, 1].flatMap((id) =>
  amd({ node: 'guest', id, serial: '', model: '' }, times, { gpu_junction_temperature: 50 + id }),
);
const both = amd({ node: 'both' }, times, {
  gpu_junction_temperature: 77,
  gpu_edge_temperature: 40,
  gpu_memory_temperature: 50,
  gpu_power_usage: 11,
  gpu_package_power: 700,
});

/** Two sensors, the better of which fails for five minutes. */
const failing = amd({ node: 'failing' }, times, {
  gpu_junction_temperature: except(77, 65_535, [half, half + 300]),
  gpu_edge_temperature: 40,
});

let world: World;
beforeAll(async () => {
  world = await startWorld([
    { name: 'green', series: mig },
    { name: 'red', vendor: 'amd', series: [...cpx, ...guest, ...both, ...failing] },
    { name: 'red-bare', vendor: 'amd', series: mi250 },
  ]);
});
afterAll(() => world?.close());

const gpus = async (cluster: string, node: string, selection: string) =>
  (await askNode(await world.gateway(), cluster, node, `gpus { ${selection} }`)).gpus;

describe('a GPU in MIG instances', () => {
  test('reads its board once, its activity as their mean, its memory as their sum', async () => {
    const instances = (metric: string, scale: number) =>
      ['1', '2'].map((id) => samplesOf(mig, metric, { GPU_I_ID: id }, scale));
    const expected = {
      index: 0,
      uuid: 'GPU-mig-0',
      sharing: 'PARTITIONED',
      tempC: waveTruth,
      powerW: { mean: 410, max: 410 },
      smClockMhz: { mean: 1700 },
      utilPct: null,
      smActivePct: { mean: 50, min: 50, max: 50 },
      tensorActivePct: seriesOf(together(instances(tensor, 100), mean), over),
      hbmUsedGib: seriesOf(together(instances(used, 1 / 1024), sum), over),
      errors: { pcieReplay: 2 },
    };
    const selection = `index uuid sharing tempC ${wholeSeries} powerW { mean max } smClockMhz { mean } utilPct { mean }
      smActivePct { mean min max } tensorActivePct ${wholeSeries} hbmUsedGib ${wholeSeries} errors { pcieReplay }`;
    expect(differences('gpus', [expected], await gpus('green', 'mig', selection))).toEqual([]);
  });

  test('has the memory of its instances together', async () => {
    // contract is silent: on totals under MIG; what is used sums, so what it is used of does.
    expect(
      differences('gpus', [{ hbmTotalGib: (2 * 40_192) / 1024 }], await gpus('green', 'mig', 'hbmTotalGib')),
    ).toEqual([]);
  });

  test('is one GPU', async () => {
    expect((await askNode(await world.gateway(), 'green', 'mig', 'gpuCount')).gpuCount).toBe(1);
  });
});

describe('AMD', () => {
  test('partitions of one serial number are one GPU, its index the lowest of theirs', async () => {
    const board = (first: number) => ({
      index: first,
      sharing: 'PARTITIONED',
      tempC: { mean: 60 + first, min: 60 + first },
      powerW: { mean: 900 + first, min: 900 + first, max: 900 + first },
      utilPct: { mean: 75 },
      // contract is silent: on VRAM over partitions; each has its own, so they sum.
      hbmUsedGib: { mean: sum([1, 2, 3, 4].map((nth) => 1000 * (first + nth))) / 1024 },
      hbmTotalGib: (4 * 73_724) / 1024,
      errors: { pcieReplay: 1 },
    });
    const selection = `index sharing tempC { mean min } powerW { mean min max } utilPct { mean } hbmUsedGib { mean } hbmTotalGib errors { pcieReplay }`;
    const node = await askNode(await world.gateway(), 'red', 'cpx', `gpuCount gpus { ${selection} }`);
    expect(differences('node', { gpuCount: 2, gpus: [board(0), board(4)] }, node)).toEqual([]);
  });

  test('without a serial number a GPU is its gpu_id', async () => {
    const got = await gpus('red', 'guest', 'index tempC { mean }');
    expect(
      differences(
        'gpus',
        [
          { index: 0, tempC: { mean: 50 } },
          { index: 1, tempC: { mean: 51 } },
        ],
        got,
      ),
    ).toEqual([]);
  });

  test('an MI2xx answers with its edge temperature, its hottest stack, its average power, its older clock words', async () => {
    const expected = {
      tempC: waveTruth,
      memoryTempC: { mean: 61, min: 61, max: 61 },
      smClockMhz: { mean: 1700 },
      powerW: { mean: 380 },
      hbmTotalGib: 64,
      hbmUsedGib: { mean: 32 },
    };
    const selection = `tempC ${wholeSeries} memoryTempC { mean min max } smClockMhz { mean } powerW { mean } hbmTotalGib hbmUsedGib { mean }`;
    expect(differences('gpus', [expected], await gpus('red-bare', 'mi250', selection))).toEqual([]);
  });

  test('a weaker source beside a better one does not mix in', async () => {
    const expected = { tempC: { mean: 77, min: 77 }, powerW: { mean: 700, min: 700 } };
    expect(
      differences('gpus', [expected], await gpus('red', 'both', 'tempC { mean min } powerW { mean min }')),
    ).toEqual([]);
  });

  test('a weaker source does not fill in for blanks of a better one', async () => {
    // contract is silent: on a source that fails for a while; two sensors mixed are the temperature of neither.
    const [{ tempC }] = await gpus('red', 'failing', 'tempC { mean min max }');
    expect(tempC).toEqual({ mean: 77, min: 77, max: 77 });
  });
});
