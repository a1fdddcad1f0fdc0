import { afterAll, beforeAll, expect, test } from 'vitest';

import { ago, DAY, HOUR, iso, scrapes } from '../support/fleet/clock.ts';
import { dcgm } from '../support/fleet/dcgm.ts';
import { startWorld, type World } from '../support/fleet/world.ts';

const times = scrapes({ from: ago(2 * HOUR) });
const creeping = (time: number): number => 7e9 + (time - times[0]!) * 1e6;
const gpus = Array.from({ length: 64 }, (_, i) => ({ node: `n${1 + (i >> 3)}`, index: i & 7 }));

let world: World;
beforeAll(async () => {
  const series = gpus.flatMap((gpu) =>
    dcgm(gpu, times, { DCGM_FI_DEV_GPU_TEMP: 60, DCGM_FI_DEV_POWER_VIOLATION: creeping }),
  );
  world = await startWorld([{ name: 'creeping', series }]);
});
afterAll(() => world?.close());

const ask = async (start: number, flags: string) => {
  const gateway = await world.gateway();
  return gateway.query(`{ cluster(name: "creeping", window: { start: "${iso(start)}" }) { name ${flags} } }`);
};

test('where nearly every GPU would be read for long, the report says by how much and what to change', async () => {
  const { data, errors = [] } = await ask(
    ago(14 * DAY),
    'flags { clean } heat: flags(kinds: [THERMAL_THROTTLE]) { clean }',
  );
  expect(errors.map(({ path, extensions }) => [path, extensions.code, extensions.status])).toEqual([
    [['cluster', 'flags'], 'QUERY_TOO_LARGE', 422],
  ]);
  expect(errors[0]!.message).toMatch(
    /^64 GPUs .*power limit.* 2580480 samples .* 2500000 is the most\. Narrow the window.*minThrottledPct/,
  );
  expect(data.cluster).toMatchObject({ name: 'creeping', flags: null, heat: { clean: false } });
});

test('over a shorter time each of them has its flag', async () => {
  const { data, errors } = await ask(ago(HOUR), 'flags(kinds: [POWER_CAP]) { flags { kind gpu { index } } }');
  expect(errors).toBeUndefined();
  expect(data.cluster.flags.flags).toHaveLength(gpus.length);
});
