import { afterAll, beforeAll, expect, test } from 'vitest';

import { amd } from '../support/fleet/amd.ts';
import { ago, HOUR, MINUTE, scrapes } from '../support/fleet/clock.ts';
import { dcgm } from '../support/fleet/dcgm.ts';
import { differences } from '../support/fleet/differences.ts';
import { askGpu } from '../support/fleet/questions.ts';
import { except, type Series, stepped, type Value } from '../support/fleet/series.ts';
import { startWorld, type World } from '../support/fleet/world.ts';
import { around } from '../support/fleet/wobble.ts';

const half = ago(30 * MINUTE);
const used = around('used', 50_000, 20_000);
const free = (time: number): number => 81_559 - 450 - used(time);
const fb = (name: string): string => `DCGM_FI_DEV_FB_${name}`;

const cases: [behaviour: string, readings: Record<string, Value>, gib: number | null][] = [
  ['FB_TOTAL is the total', { [fb('TOTAL')]: 81_559, [fb('USED')]: used }, 81_559 / 1024],
  [
    'FB_TOTAL comes before what is used, free and reserved',
    { [fb('TOTAL')]: 81_559, [fb('USED')]: used, [fb('FREE')]: 100, [fb('RESERVED')]: 100 },
    81_559 / 1024,
  ],
  [
    'without it, what is used, free and reserved at one instant',
    { [fb('USED')]: used, [fb('FREE')]: free, [fb('RESERVED')]: 450 },
    81_559 / 1024,
  ],
  ['older drivers reserve nothing', { [fb('USED')]: used, [fb('FREE')]: free }, (81_559 - 450) / 1024],
  ['bytes from 4.9 on', { [fb('CAPACITY_BYTES')]: 85_899_345_920 }, 80],
  [
    'a blank is not the total',
    { [fb('TOTAL')]: except(81_559, 9.223372036854776e18, [half, half + 60]) },
    81_559 / 1024,
  ],
  ['used alone tells no total', { [fb('USED')]: used }, null],
  ['nothing tells none', {}, null],
];
const nodeOf = (at: number): string => `total-${at}`;
const green: Series[] = cases.flatMap(([, readings], at) =>
  dcgm({ node: nodeOf(at) }, scrapes(), { DCGM_FI_DEV_GPU_TEMP: 60, ...readings }),
);
/** An hour ago the GPU had been another, smaller one. */
const grown = dcgm({ node: 'grown' }, scrapes(), {
  DCGM_FI_DEV_GPU_TEMP: 60,
  [fb('TOTAL')]: stepped(40_960, [ago(HOUR), 81_920]),
});

let world: World;
beforeAll(async () => {
  world = await startWorld([
    { name: 'totals', series: [...green, ...grown] },
    {
      name: 'red',
      vendor: 'amd',
      series: amd({ node: 'm1' }, scrapes(), { gpu_total_vram: 294_912, gpu_used_vram: 100_000 }),
    },
  ]);
});
afterAll(() => world?.close());

test.each(cases.map(([behaviour, , gib], at) => [behaviour, nodeOf(at), gib] as const))(
  '%s',
  async (_behaviour, node, gib) => {
    const { hbmTotalGib } = await askGpu(await world.gateway(), 'totals', node, 'hbmTotalGib');
    expect(differences('hbmTotalGib', gib, hbmTotalGib)).toEqual([]);
  },
);

test('the total is the window’s own', async () => {
  const { hbmTotalGib } = await askGpu(await world.gateway(), 'totals', 'grown', 'hbmTotalGib');
  expect(differences('hbmTotalGib', 80, hbmTotalGib)).toEqual([]);
});

test('AMD tells its total in MiB', async () => {
  const { hbmTotalGib } = await askGpu(await world.gateway(), 'red', 'm1', 'hbmTotalGib');
  expect(differences('hbmTotalGib', 288, hbmTotalGib)).toEqual([]);
});
