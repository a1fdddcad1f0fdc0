import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ago, HOUR, MINUTE, NOW, scrapes } from '../support/fleet/clock.ts';
import { dcgm } from '../support/fleet/dcgm.ts';
import { differences } from '../support/fleet/differences.ts';
import { askNode, wholeSeries } from '../support/fleet/questions.ts';
import { except, type Series, stepped } from '../support/fleet/series.ts';
import { samplesOf, seriesOf } from '../support/fleet/truth.ts';
import { startWorld, type World } from '../support/fleet/world.ts';

const half = ago(30 * MINUTE);
const temp = 'DCGM_FI_DEV_GPU_TEMP';
const hour = scrapes();
const odd: Series[] = [
  ...dcgm({ node: 'no-sensor' }, hour, { [temp]: 55, DCGM_FI_DEV_MEMORY_TEMP: 0 }),
  ...dcgm({ node: 'all-blank' }, hour, { [temp]: 2_147_483_632, DCGM_FI_DEV_POWER_USAGE: 300 }),
  ...dcgm({ node: 'idle' }, hour, {
    [temp]: 30,
    DCGM_FI_DEV_GPU_UTIL: 0,
    DCGM_FI_PROF_PIPE_TENSOR_ACTIVE: 0,
    DCGM_FI_DEV_FB_USED: 0,
  }),
  ...dcgm({ node: 'gap' }, scrapes({ holes: [[half, half + 4 * MINUTE]] }), { [temp]: 55 }),
  ...dcgm({ node: 'before' }, hour, { [temp]: 55 }),
  ...dcgm({ node: 'before' }, scrapes({ to: ago(HOUR) }), { DCGM_FI_DEV_POWER_USAGE: 300 }),
  ...dcgm({ node: 'ends-blank' }, hour, {
    [temp]: except(stepped(50, [NOW - 60, 55]), 2_147_483_634, [NOW - 30, NOW]),
  }),
  ...dcgm({ node: 'limits' }, hour, {
    [temp]: 55,
    DCGM_FI_DEV_GPU_UTIL: stepped(0, [half, 100]),
    DCGM_FI_PROF_SM_ACTIVE: 1,
  }),
];

let world: World;
beforeAll(async () => {
  world = await startWorld([{ name: 'odd', series: odd }]);
});
afterAll(() => world?.close());

describe('null, zero and gap', () => {
  const read = async (node: string, field: string) =>
    (await askNode(await world.gateway(), 'odd', node, `gpus { ${field} ${wholeSeries} }`)).gpus[0][field];

  test('a memory temperature of 0 throughout is a missing sensor: null', async () => {
    expect(await read('no-sensor', 'memoryTempC')).toBeNull();
  });

  test('a reading of which every sample is a blank is null whole', async () => {
    expect(await read('all-blank', 'tempC')).toBeNull();
    const { gpus } = await askNode(await world.gateway(), 'odd', 'all-blank', 'gpus { peakTempC powerW { mean } }');
    expect(gpus).toEqual([{ peakTempC: null, powerW: { mean: 300 } }]);
  });

  test.each(['utilPct', 'tensorActivePct', 'hbmUsedGib'])('%s of an idle GPU is zeros, not null', async (field) => {
    const series = await read('idle', field);
    expect(series).toMatchObject({ mean: 0, min: 0, max: 0, last: 0 });
    expect(new Set(series.values)).toEqual(new Set([0]));
  });

  test('the last reading is the newest that is one', async () => {
    const over = { start: ago(HOUR), end: NOW };
    const kept = samplesOf(odd, temp, { Hostname: 'ends-blank' }).filter(([, value]) => value < 100);
    expect(seriesOf(kept, over)).toMatchObject({ last: 55, lastAt: '2026-06-01T11:59:07Z' });
    expect(differences('tempC', seriesOf(kept, over), await read('ends-blank', 'tempC'))).toEqual([]);
  });

  test('a reading that nobody exports is null', async () => {
    expect(await read('idle', 'powerW')).toBeNull();
  });

  test('a reading that ended before the window is null', async () => {
    expect(await read('before', 'powerW')).toBeNull();
  });

  test('a gap is nulls in just the buckets that hold no sample', async () => {
    const over = { start: ago(HOUR), end: NOW };
    const expected = seriesOf(samplesOf(odd, temp, { Hostname: 'gap' }), over)!;
    expect(expected.values.filter((value) => value === null)).toHaveLength(2);
    expect(differences('tempC', expected, await read('gap', 'tempC'))).toEqual([]);
  });

  test('the ends of a plausible range are readings: 0 %, 100 %, a fraction of 1', async () => {
    expect(await read('limits', 'utilPct')).toMatchObject({ min: 0, max: 100 });
    expect(await read('limits', 'smActivePct')).toMatchObject({ min: 100, max: 100 });
  });

  test.each(['idle', 'limits'])('the note of %s speaks of no discarded samples', async (node) => {
    const { note } = await askNode(await world.gateway(), 'odd', node, 'note gpus { utilPct { mean } }');
    expect(note ?? '').not.toMatch(/discard|implausib|blank/i);
  });
});
