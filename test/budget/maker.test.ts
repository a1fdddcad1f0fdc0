import { afterAll, beforeAll, expect, test } from 'vitest';

import { costIn, costOf, gpusIn, ofEveryGpu, textOf } from '../support/cost.ts';
import { startWorld, type World } from '../support/fleet/world.ts';
import { everyMetric, stillAmd, stillNodes } from '../support/still-fleet.ts';

const series = '{ values mean min max last lastAt }';
const everything = `
  uuid model sharing peakTempC hbmTotalGib
  tempC ${series} memoryTempC ${series} smClockMhz ${series} memClockMhz ${series} utilPct ${series}
  smActivePct ${series} dramActivePct ${series} tensorActivePct ${series} powerW ${series} hbmUsedGib ${series}
  throttle { thermalS powerS boardLimitS syncBoostS lowUtilS reliabilityS clockEvents { kind count } }
  errors { linkCrc linkReplay linkRecovery pcieReplay pcieRecovery eccSbe eccDbe xid xidCodes }
`;

let world: World;
beforeAll(async () => {
  world = await startWorld([
    { name: 'red', vendor: 'amd', series: stillAmd(2) },
    { name: 'green', series: stillNodes(2, everyMetric) },
  ]);
});
afterAll(() => world?.close());

/** Everything about one cluster, and the text of all that was asked for it, the looking for names included. */
const askedFor = async (cluster: string) => {
  const gateway = await world.gateway();
  const whole = `{ cluster(name: "${cluster}") { coverage { present missing } note nodes { nodes { coverage { missing } note gpus { index } } } } }`;
  await costOf(gateway, whole);
  const cost = await costOf(gateway, ofEveryGpu(cluster, everything));
  return { cost, text: gateway.requests().map(textOf) };
};

test.each([
  ['XID', /xid/i],
  ['throttle timers', /violation|_REASON_/i],
  ['NVLink', /nvlink/i],
  ['clock events', /clock_?s?_event|throttle_reasons/i],
  ['any metric of the other maker', /dcgm/i],
])('AMD is never asked for %s', async (_what, pattern) => {
  const { text } = await askedFor('red');
  expect(text.length).toBeGreaterThan(20);
  expect(text.filter((query) => pattern.test(query)).map((query) => query.slice(0, 80))).toEqual([]);
});

test.each([
  ['PCIe recoveries', /pcie_recovery/i],
  ['any metric of the other maker', /\bamd_|gpu_junction|card_model=/],
])('NVIDIA is never asked for %s', async (_what, pattern) => {
  const { text } = await askedFor('green');
  expect(text.length).toBeGreaterThan(20);
  expect(text.filter((query) => pattern.test(query)).map((query) => query.slice(0, 80))).toEqual([]);
});

test('what the maker lacks is null, and what it has is read', async () => {
  const { cost } = await askedFor('red');
  const [gpu] = gpusIn(cost);
  expect(Object.values(gpu.throttle)).toEqual([null, null, null, null, null, null, null]);
  const counts = { pcieReplay: 0, pcieRecovery: 0, eccSbe: 0, eccDbe: 0 };
  const lacking = { linkCrc: null, linkReplay: null, linkRecovery: null, xid: null, xidCodes: null };
  expect(gpu.errors).toEqual({ ...counts, ...lacking });
  expect([gpu.tempC.last, gpu.smClockMhz.last, gpu.memClockMhz.last]).toEqual([66, 2100, 1900]);
});

test('a document of nothing but what the maker lacks asks only for the list', async () => {
  const lacks =
    'throttle { thermalS powerS clockEvents { kind } } errors { linkCrc linkReplay linkRecovery xid xidCodes }';
  const cost = await costIn(world, ofEveryGpu('red', lacks));
  expect([cost.requests, cost.lists]).toEqual([1, 1]);
});
