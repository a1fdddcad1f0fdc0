import { afterAll, beforeAll, expect, test } from 'vitest';

import { ago, HOUR, MINUTE, scrapes } from '../support/fleet/clock.ts';
import { machineCounter, machineGauge } from '../support/fleet/node-exporter.ts';
import { askNode } from '../support/fleet/questions.ts';
import { startWorld, type World } from '../support/fleet/world.ts';

const times = scrapes({ from: ago(2 * HOUR) });
/** Four errors at one moment, and later a few samples that no counter can have. */
const counted = (blank: number): number[] =>
  times.map((time) => (time > ago(20 * MINUTE) && time <= ago(17 * MINUTE) ? blank : time > ago(40 * MINUTE) ? 9 : 5));
const hosts = {
  int64: 9.223372036854776e18,
  uint64: 1.8446744073709552e19,
  int32: 4_294_967_295,
  garbage: 1e17,
  half: 2 ** 62,
};

let world: World;
beforeAll(async () => {
  const series = Object.entries(hosts).flatMap(([node, blank]) => [
    machineCounter({ address: node }, 'node_network_receive_errs_total', times, counted(blank), { device: 'eth0' }),
    machineGauge({ address: node }, 'node_load1', times, 1),
  ]);
  world = await startWorld([{ name: 'c', series }]);
});
afterAll(() => world?.close());

test.each(Object.keys(hosts))('a network counter with %s values counts what it counted', async (node) => {
  const { host } = await askNode(await world.gateway(), 'c', node, 'host { nic { errors } }');
  expect(host.nic.errors).toBe(4);
});
