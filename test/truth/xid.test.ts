import { afterAll, beforeAll, expect, test } from 'vitest';

import { ago, DAY, HOUR, MINUTE, scrapes } from '../support/fleet/clock.ts';
import { always, counting, jointly, type NodeSeries } from '../support/fleet/counting.ts';
import { dcgm, dcgmLabels } from '../support/fleet/dcgm.ts';
import { askCluster, askGpu, askNode, span } from '../support/fleet/questions.ts';
import { churned, except, type Series, stepped, type Value } from '../support/fleet/series.ts';
import { startWorld, type World } from '../support/fleet/world.ts';

const half = ago(30 * MINUTE);
const quarter = ago(15 * MINUTE);
const gauge = 'DCGM_FI_DEV_XID_ERRORS';
const total = 'DCGM_EXP_XID_ERRORS_TOTAL';

/** The gauge with the code among its labels, so that each code is a series. */
const coded =
  (value: Value, ...lives: (readonly [from: number, code: string])[]): NodeSeries =>
  (node) => [
    ...dcgm({ node }, scrapes(), { DCGM_FI_DEV_GPU_TEMP: 60 }),
    ...churned(
      gauge,
      scrapes(),
      value,
      lives.map(([from, code]) => [from, { ...dcgmLabels({ node }), err_code: code, err_msg: `Xid ${code}` }]),
    ),
  ];

const cases: [behaviour: string, series: NodeSeries, events: number, codes: number[]][] = [
  ['a gauge that reads 0 is no event', counting(gauge, 0), 0, []],
  ['a code that shows all along is an old one', counting(gauge, 79), 0, []],
  ['a code that comes up is an event', counting(gauge, stepped(0, [half, 79])), 1, [79]],
  ['a code in the first sample after the start is one', counting(gauge, stepped(0, [ago(HOUR) + 1, 79])), 1, [79]],
  ['a code that came up just before the start is not', counting(gauge, stepped(0, [ago(HOUR) - 60, 79])), 0, []],
  ['a series born with its first code on a scraped GPU is one', counting(gauge, 48, { from: half }), 1, [48]],
  ['a code on a target that appears is an old one', counting(gauge, 79, {}, { from: half }), 0, []],
  ['a code that replaces an old one is one', counting(gauge, stepped(13, [half, 43])), 1, [43]],
  [
    'codes one after the other, each a series of its own, are events',
    coded(stepped(0, [half, 31], [quarter, 79]), [always, '0'], [half - 1, '31'], [quarter - 1, '79']),
    2,
    [31, 79],
  ],
  ['an old code under changing labels is none', coded(79, [always, '79'], [half, 'unknown']), 0, []],
  [
    'the same code after an exporter that forgot it is one',
    counting(gauge, stepped(79, [half, 0], [quarter, 79])),
    1,
    [79],
  ],
  ['a blank is no code', counting(gauge, except(0, 2_147_483_632, [half, half + 90])), 0, []],
  ['the exporter counts a code', counting(total, stepped(2, [half, 3]), {}, {}, { xid: '79' }), 1, [79]],
  [
    'it is born with its first event',
    counting(total, stepped(1, [quarter, 3]), { from: half }, {}, { xid: '31' }),
    3,
    [31],
  ],
  ['a count that stands still is no event', counting(total, 5, {}, {}, { xid: '79' }), 0, []],
  [
    'codes counted apart add up',
    jointly(
      counting(total, stepped(1, [half, 3]), {}, {}, { xid: '13' }),
      counting(total, 1, { from: quarter }, {}, { xid: '94' }),
      counting(total, 9, {}, {}, { xid: '31' }),
    ),
    3,
    [13, 94],
  ],
  [
    'the count sees the same code come again, where the gauge beside it sees nothing',
    jointly(counting(total, stepped(1, [half, 4]), {}, {}, { xid: '43' }), counting(gauge, 43)),
    3,
    [43],
  ],
  [
    'two exporters of one GPU, each counting since its own start, saw one event',
    jointly(
      counting(total, stepped(9, [half, 10]), {}, {}, { xid: '79', job: 'one', instance: '10.9.0.1:9400' }),
      counting(total, stepped(2, [half, 3]), {}, {}, { xid: '79', job: 'other', instance: '10.9.0.1:9401' }),
    ),
    1,
    [79],
  ],
];
const nodeOf = (at: number): string => `xid-${at}`;

const quiet = (node: string): Series[] => dcgm({ node }, scrapes(), { DCGM_FI_DEV_GPU_TEMP: 60 });
const faultDaysAgo = (days: number): Series[] =>
  dcgm({ node: 'n2' }, scrapes({ from: ago(days * DAY), to: ago(days * DAY - HOUR) }), { [gauge]: 79 });

let world: World;
beforeAll(async () => {
  world = await startWorld([
    { name: 'xid', series: cases.flatMap(([, build], at) => build(nodeOf(at))) },
    { name: 'never', series: quiet('n1') },
    { name: 'promised', series: quiet('n1'), exported: ['xid'] },
    { name: 'week-ago', series: [...quiet('n1'), ...faultDaysAgo(7)] },
    { name: 'long-ago', series: [...quiet('n1'), ...faultDaysAgo(16)] },
  ]);
});
afterAll(() => world?.close());

test.each(cases.map(([behaviour, , events, codes], at) => [behaviour, nodeOf(at), events, codes] as const))(
  '%s',
  async (_behaviour, node, events, codes) => {
    const { errors } = await askGpu(await world.gateway(), 'xid', node, 'errors { xid xidCodes }');
    expect(errors.xid, `${node} errors.xid`).toBe(events);
    expect(
      [...(errors.xidCodes ?? ['null'])].sort((a, b) => a - b),
      `${node} errors.xidCodes`,
    ).toEqual(codes);
  },
);

test('the note of a GPU that shows an old code says that it is older than the window', async () => {
  const gateway = await world.gateway();
  const { note } = await askNode(gateway, 'xid', nodeOf(1), 'note gpus { errors { xid } }');
  expect(note).toMatch(/older|before the window/i);
  expect((await askNode(gateway, 'xid', nodeOf(0), 'note gpus { errors { xid } }')).note ?? '').not.toMatch(/older/i);
});

test('a code is an event in the window that it came up in, and in none of its neighbours', async () => {
  const gateway = await world.gateway();
  const read = async (from: number, to: number): Promise<number> =>
    (await askGpu(gateway, 'xid', nodeOf(2), 'errors { xid }', span(from, to))).errors.xid;
  expect(await read(ago(HOUR), half)).toBe(0);
  expect(await read(half, quarter)).toBe(1);
  expect(await read(quarter, ago(0))).toBe(0);
});

test.each([
  ['never', 'missing', 'the exporter may show none until the first'],
  ['promised', 'present', 'the configuration says that it is exported'],
  ['week-ago', 'present', 'the cluster showed one in the last 14 days'],
  ['long-ago', 'missing', 'the one that it showed is older than 14 days'],
])('without any series in the window, XID of %s is %s: %s', async (cluster, list) => {
  const { coverage, node } = await askCluster(
    await world.gateway(),
    cluster,
    'coverage { present missing } node(name: "n1") { coverage { present missing } gpus { errors { xid xidCodes } } }',
  );
  const other = list === 'present' ? 'missing' : 'present';
  for (const lists of [coverage, node.coverage]) {
    expect(lists[list], `coverage.${list}`).toContain('XID');
    expect(lists[other], `coverage.${other}`).not.toContain('XID');
  }
  // contract is silent: whether no series reads 0 or null where the family is present. Never a count.
  expect(list === 'missing' ? [null] : [null, 0], 'errors.xid').toContain(node.gpus[0].errors.xid);
});

test.each(['never', 'long-ago'])('the note on %s says what would settle whether XID is exported', async (cluster) => {
  const { note } = await askNode(await world.gateway(), cluster, 'n1', 'note');
  expect(note).toMatch(/xid/i);
});
