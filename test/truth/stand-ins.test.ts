import { afterAll, beforeAll, expect, test } from 'vitest';

import { ago, MINUTE, scrapes } from '../support/fleet/clock.ts';
import { dcgm, dcgmLabels } from '../support/fleet/dcgm.ts';
import { stockList } from '../support/fleet/dcgm-lists.ts';
import { askGpu } from '../support/fleet/questions.ts';
import { series, type Series, stepped } from '../support/fleet/series.ts';
import { startWorld, type World } from '../support/fleet/world.ts';

// Metrics that stand in where an exporter does not have the usual ones: newer hardware, older exporters.
const times = scrapes();
const minutesAgo = (minutes: number) => ago(minutes * MINUTE);
const during = (from: number, to: number) => scrapes({ from: minutesAgo(from), to: minutesAgo(to) });

/** A sliding count shows a series for a kind only while it was seen in the last five minutes. */
const sliding = (node: string, metric: string, label: string, kind: string, from: number, to: number): Series =>
  series(
    metric,
    { ...dcgmLabels({ node }), [label]: kind, window_size_in_ms: '300000' },
    during(from, to),
    stepped(1, [minutesAgo(from - 1), 9]),
  );

const xidCount = 'DCGM_EXP_XID_ERRORS_COUNT';
const clockCount = 'DCGM_EXP_CLOCK_EVENTS_COUNT';
/** The series that a healthy GPU shows of a sliding count: 0, without a kind. */
const healthy = (node: string, metric: string): Series =>
  series(metric, { ...dcgmLabels({ node }), window_size_in_ms: '300000' }, times, 0);

const nodes: [behaviour: string, node: string, series: Series[], selection: string, expected: object][] = [
  [
    'NVLink 5 counts recoveries and packets with errors under names of its own',
    'nvl5',
    [
      ...dcgm({ node: 'nvl5' }, times, {
        DCGM_FI_DEV_NVLINK_COUNT_LINK_RECOVERY_EVENTS: stepped(2, [minutesAgo(30), 5]),
        DCGM_FI_DEV_NVLINK_COUNT_RX_ERRORS: stepped(0, [minutesAgo(20), 7]),
      }),
    ],
    'errors { linkRecovery linkCrc linkReplay }',
    { errors: { linkRecovery: 3, linkCrc: 7, linkReplay: null } },
  ],
  [
    'a sliding count of XIDs is one event for each time that it begins, not one a sample',
    'sliding',
    [
      healthy('sliding', xidCount),
      sliding('sliding', xidCount, 'xid', '31', 40, 35),
      sliding('sliding', xidCount, 'xid', '31', 20, 15),
      sliding('sliding', xidCount, 'xid', '48', 12, 7),
    ],
    'errors { xid xidCodes }',
    { errors: { xid: 3, xidCodes: [31, 48] } },
  ],
  [
    'a sliding count that shows no kind is no event',
    'calm',
    [healthy('calm', xidCount)],
    'errors { xid xidCodes }',
    { errors: { xid: 0, xidCodes: [] } },
  ],
  [
    'a sliding count of clock events begins once',
    'clocks',
    [healthy('clocks', clockCount), sliding('clocks', clockCount, 'clock_event', 'hw_slowdown', 30, 22)],
    'throttle { clockEvents { kind count } }',
    { throttle: { clockEvents: [{ kind: 'HW_SLOWDOWN', count: 1 }] } },
  ],
  [
    'the reasons’ own timers add up where the violation timers are not exported',
    'reasons',
    [
      ...dcgm({ node: 'reasons' }, times, {
        DCGM_FI_DEV_CLOCKS_EVENT_REASON_SW_THERM_SLOWDOWN_NS: stepped(5e9, [minutesAgo(30), 7.5e9]),
        DCGM_FI_DEV_CLOCKS_EVENT_REASON_HW_THERM_SLOWDOWN_NS: stepped(0, [minutesAgo(10), 1e9]),
      }),
    ],
    'throttle { thermalS powerS }',
    { throttle: { thermalS: 3.5, powerS: null } },
  ],
];

let world: World;
beforeAll(async () => {
  const all = nodes.flatMap(([, node, own]) => [...dcgm({ node }, times, stockList(node)), ...own]);
  world = await startWorld([
    { name: 'stand-ins', series: all.filter(({ labels }) => labels['__name__'] !== 'DCGM_FI_DEV_XID_ERRORS') },
  ]);
});
afterAll(() => world?.close());

test.each(nodes)('%s', async (_behaviour, node, _series, selection, expected) => {
  expect(await askGpu(await world.gateway(), 'stand-ins', node, selection)).toEqual(expected);
});
