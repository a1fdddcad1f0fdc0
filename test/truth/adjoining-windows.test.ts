import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ago, HOUR, scrapes } from '../support/fleet/clock.ts';
import { dcgm } from '../support/fleet/dcgm.ts';
import { askGpu, span } from '../support/fleet/questions.ts';
import { riseOf, samplesOf } from '../support/fleet/truth.ts';
import { startWorld, type World } from '../support/fleet/world.ts';
import { fraction } from '../support/fleet/wobble.ts';

const replay = 'DCGM_FI_DEV_PCIE_REPLAY_COUNTER';

/** Rises and resets at whatever moments the hash says. */
const busy = (() => {
  let value = 40;
  const counts = new Map(
    scrapes({ from: ago(3 * HOUR) }).map((time) => {
      if (fraction('busy', time) > 0.8) value += Math.ceil(9 * fraction('step', time));
      if (fraction('reset', time) > 0.985) value = Math.floor(3 * fraction('left', time));
      return [time, value];
    }),
  );
  return dcgm({ node: 'busy' }, [...counts.keys()], {
    [replay]: (time) => counts.get(time)!,
    DCGM_FI_DEV_GPU_TEMP: 60,
  });
})();

let world: World;
beforeAll(async () => {
  world = await startWorld([{ name: 'counts', series: busy }]);
});
afterAll(() => world?.close());

describe('windows that adjoin add up', () => {
  const over = { start: ago(2 * HOUR), end: ago(0) };
  const truth = riseOf(samplesOf(busy, replay), over);

  test.each([1, 2, 3, 7, 12])('%i windows of equal length', async (parts) => {
    const gateway = await world.gateway();
    const length = Math.floor((over.end - over.start) / parts);
    let total = 0;
    for (let part = 0; part < parts; part++) {
      const from = over.start + part * length;
      const to = part === parts - 1 ? over.end : from + length;
      total += (await askGpu(gateway, 'counts', 'busy', 'errors { pcieReplay }', span(from, to))).errors.pcieReplay;
    }
    expect(truth, 'the counter counts at all').toBeGreaterThan(50);
    expect(total).toBe(truth);
  });

  test.each([1, 10, 96])('and a count does not depend on its %i points', async (points) => {
    const window = span(over.start, over.end, points);
    const got = await askGpu(await world.gateway(), 'counts', 'busy', 'errors { pcieReplay }', window);
    expect(got.errors.pcieReplay).toBe(truth);
  });
});
