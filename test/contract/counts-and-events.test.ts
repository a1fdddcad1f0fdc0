import { afterAll, beforeAll, expect, test } from 'vitest';
import { ago, HOUR, MINUTE, scrapes } from '../support/fleet/clock.ts';
import { dcgm, dcgmLabels } from '../support/fleet/dcgm.ts';
import { askGpu, askNode } from '../support/fleet/questions.ts';
import { churned, except, labelled, type Series, series, stepped, type Value } from '../support/fleet/series.ts';
import { startWorld, type World } from '../support/fleet/world.ts';

const half = ago(30 * MINUTE);
const quarter = ago(15 * MINUTE);
const temp = 'DCGM_FI_DEV_GPU_TEMP';
const replay = 'DCGM_FI_DEV_PCIE_REPLAY_COUNTER';
const gauge = 'DCGM_FI_DEV_XID_ERRORS';
const total = 'DCGM_EXP_XID_ERRORS_TOTAL';
const beat = (node: string, extra = {}): Series[] => dcgm({ node, ...extra }, scrapes(), { [temp]: 60 });
const drop = (labels: Record<string, string>, ...names: string[]) =>
  Object.fromEntries(Object.entries(labels).filter(([n]) => !names.includes(n)));

/** UUID is dropped at scrape time until half (relabelling changed), the count never moves. */
const relabelled = (metric: string, value: Value, node: string): Series[] =>
  churned(metric, scrapes(), value, [
    [ago(2 * HOUR), drop(dcgmLabels({ node }), 'UUID', 'pci_bus_id')],
    [half, dcgmLabels({ node })],
  ]);

const all: Series[] = [
  ...relabelled(temp, 60, 'uuid-appears'),
  ...relabelled(replay, 4711, 'uuid-appears'),
  ...relabelled(temp, 60, 'uuid-appears-rise'),
  ...relabelled(replay, stepped(100, [half + 20, 102]), 'uuid-appears-rise'),
  // StatefulSet: pod away for 4 minutes with a driver reload, the counter starts again and climbs above where it was.
  ...beat('sts'),
  ...churned(replay, scrapes(), stepped(3, [half, 0], [half + 60, 2], [half + 120, 8]), [
    [ago(2 * HOUR), dcgmLabels({ node: 'sts', pod: 'web-0' })],
    [half - 1, dcgmLabels({ node: 'sts' })],
    [half + 4 * MINUTE, dcgmLabels({ node: 'sts', pod: 'web-0' })],
  ]).reduce<Series[]>((m, s) => {
    const k = JSON.stringify(s.labels);
    const o = m.find((x) => JSON.stringify(x.labels) === k);
    if (!o) return [...m, s];
    return m.map((x) =>
      x === o ? { labels: o.labels, times: [...o.times, ...s.times], values: [...o.values, ...s.values] } : x,
    );
  }, []),
  // DCGM >= 4.5: no series while there is no XID. 79, exporter restarted (no series), 79 again.
  ...beat('gone-back'),
  series(gauge, dcgmLabels({ node: 'gone-back' }), scrapes({ holes: [[ago(50 * MINUTE), quarter]] }), 79),
  // counter since exporter start: 2, exporter restarted (no series until the next fault), 2 again
  ...beat('counted-back'),
  series(
    total,
    { ...dcgmLabels({ node: 'counted-back' }), xid: '79' },
    scrapes({ holes: [[ago(50 * MINUTE), quarter]] }),
    2,
  ),
  // two exporters of one GPU: one still shows an old XID, the other was restarted after it
  ...beat('two-exporters'),
  series(gauge, dcgmLabels({ node: 'two-exporters' }), scrapes(), 79),
  series(
    gauge,
    { ...dcgmLabels({ node: 'two-exporters' }), job: 'vendor', instance: '10.9.0.9:9401' },
    scrapes({ phase: 19.5 }),
    0,
  ),
  // counter blanks
  ...beat('blank-counter'),
  series(replay, dcgmLabels({ node: 'blank-counter' }), scrapes(), except(5, 2_147_483_632, [half, half + 90])),
  ...beat('blank-xid'),
  series(gauge, dcgmLabels({ node: 'blank-xid' }), scrapes(), except(0, 2_147_483_632, [half, half + 90])),
  // MIG x churn x reset x replicas
  ...['a', 'b'].flatMap((replica, at) =>
    labelled(
      { prometheus_replica: replica },
      ['1', '2'].flatMap((id) => [
        ...dcgm({ node: 'all', extra: { GPU_I_ID: id } }, scrapes({ phase: 4.2 + 9 * at }), { [temp]: 60 }),
        ...churned(
          replay,
          scrapes({ phase: 4.2 + 9 * at }),
          stepped(7, [ago(45 * MINUTE), 9], [half, 1], [quarter, 4]),
          [
            [ago(2 * HOUR), dcgmLabels({ node: 'all', extra: { GPU_I_ID: id }, pod: 'p1' })],
            [ago(40 * MINUTE), dcgmLabels({ node: 'all', extra: { GPU_I_ID: id } })],
            [ago(20 * MINUTE), dcgmLabels({ node: 'all', extra: { GPU_I_ID: id }, pod: 'p2', driver: '560' })],
          ],
        ),
      ]),
    ),
  ),
];
let world: World;
beforeAll(async () => {
  world = await startWorld([{ name: 'c', series: all }]);
});
afterAll(() => world?.close());
const errors = async (node: string) =>
  (await askGpu(await world.gateway(), 'c', node, 'errors { pcieReplay xid xidCodes }')).errors;

test('a label that starts to name the device is no new counter: a flat 4711 reads 0', async () =>
  expect((await errors('uuid-appears')).pcieReplay).toBe(0));
test('and what it rose by is what it reads', async () =>
  expect((await errors('uuid-appears-rise')).pcieReplay).toBe(2));
test('a reset while the pod’s labels were away for 4 minutes is a reset', async () =>
  expect((await errors('sts')).pcieReplay).toBe(8));
test('the same XID again, after the exporter had forgotten it and showed no series, is an event', async () =>
  expect((await errors('gone-back')).xid).toBe(1));
test('a count that vanishes on a scraped GPU and comes back has begun anew', async () =>
  expect((await errors('counted-back')).xid).toBe(2));
test('two exporters of which one still shows an old XID are no stream of events', async () =>
  expect((await errors('two-exporters')).xid).toBe(0));
test('discarded samples of a counter are named in the note', async () => {
  const { note } = await askNode(await world.gateway(), 'c', 'blank-counter', 'note gpus { errors { pcieReplay } }');
  expect(note).toMatch(/discarded/);
});
test('discarded samples of XIDs are named in the note', async () => {
  const { note } = await askNode(await world.gateway(), 'c', 'blank-xid', 'note gpus { errors { xid } }');
  expect(note).toMatch(/discarded/);
});
test('churn, reset, replicas and MIG at once', async () => expect((await errors('all')).pcieReplay).toBe(6));
