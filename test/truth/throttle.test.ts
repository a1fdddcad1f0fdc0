import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ago, HOUR, MINUTE, scrapes } from '../support/fleet/clock.ts';
import { counting, jointly, type NodeSeries } from '../support/fleet/counting.ts';
import { dcgm } from '../support/fleet/dcgm.ts';
import { differences } from '../support/fleet/differences.ts';
import { askGpu, span } from '../support/fleet/questions.ts';
import { except, stepped } from '../support/fleet/series.ts';
import { startWorld, type World } from '../support/fleet/world.ts';

const half = ago(30 * MINUTE);
const quarter = ago(15 * MINUTE);
const second = 1e9;

const timer = (kind: string): string => `DCGM_FI_DEV_${kind}_VIOLATION`;
const thermal = timer('THERMAL');
const causes = ['THERMAL', 'POWER', 'BOARD_LIMIT', 'SYNC_BOOST', 'LOW_UTIL', 'RELIABILITY'];

const seconds: [string, NodeSeries, Record<string, number | null>][] = [
  [
    'nanoseconds are read as seconds, fractions kept',
    counting(thermal, stepped(7 * second, [half, 8.5 * second], [quarter, 8.75 * second])),
    { thermalS: 1.75 },
  ],
  ['a timer that stood still is 0', counting(thermal, 7 * second), { thermalS: 0 }],
  ['a timer that nobody exports is null', counting(thermal, 7 * second), { powerS: null, boardLimitS: null }],
  [
    'weeks of throttling before do not blur a millisecond',
    counting(thermal, stepped(4e15, [half, 4e15 + 1e6])),
    { thermalS: 0.001 },
  ],
  [
    'a driver that reloads starts from zero',
    counting(thermal, stepped(9 * second, [half, 0.5 * second])),
    { thermalS: 0.5 },
  ],
  [
    'a blank in the middle is neither rise nor reset',
    counting(thermal, except(stepped(5 * second, [quarter, 6 * second]), 9.223372036854776e18, [half, half + 60])),
    { thermalS: 1 },
  ],
  [
    'each cause has a field of its own',
    jointly(...causes.map((cause, at) => counting(timer(cause), stepped(second, [half, (1 + (at + 1) / 4) * second])))),
    { thermalS: 0.25, powerS: 0.5, boardLimitS: 0.75, syncBoostS: 1, lowUtilS: 1.25, reliabilityS: 1.5 },
  ],
  [
    'under MIG the board throttled once, however many instances say so',
    (node) =>
      ['1', '2'].flatMap((id) =>
        dcgm({ node, extra: { GPU_I_ID: id, GPU_I_PROFILE: '3g.40gb' } }, scrapes(), {
          DCGM_FI_DEV_GPU_TEMP: 60,
          [thermal]: stepped(second, [half, 3 * second]),
        }),
      ),
    { thermalS: 2 },
  ],
];

const total = 'DCGM_EXP_CLOCK_EVENTS_TOTAL';
const reasons = 'DCGM_FI_DEV_CLOCKS_EVENT_REASONS';
const kind = (clock_event: string) => ({ clock_event });

/** What the kinds count that are faults; idling, clock settings and displays may be told or not. */
const events: [string, NodeSeries, Record<string, number>][] = [
  [
    'the exporter counts a kind',
    counting(total, stepped(4, [half, 6]), {}, {}, kind('hw_slowdown')),
    { HW_SLOWDOWN: 2 },
  ],
  [
    'several kinds are apart, one of them born in the window',
    jointly(
      counting(total, stepped(4, [half, 5]), {}, {}, kind('sw_thermal')),
      counting(total, stepped(1, [quarter, 3]), { from: half }, {}, kind('hw_power_brake')),
    ),
    { SW_THERMAL: 1, HW_POWER_BRAKE: 3 },
  ],
  ['a count that stood still is no event', counting(total, 4, {}, {}, kind('hw_thermal')), {}],
  [
    'a bit that rises is an event each time',
    counting(
      reasons,
      stepped(0, [half, 0x4], [half + 120, 0], [quarter, 0x4 | 0x40], [quarter + 90, 0x40], [quarter + 240, 0]),
    ),
    { POWER_CAP: 2, HW_THERMAL: 1 },
  ],
  ['a bit that was set before the window and stays is none', counting(reasons, 0x20), {}],
  [
    'a bit that was set before, fell and rose again is one',
    counting(reasons, stepped(0x20, [half, 0], [quarter, 0x20])),
    { SW_THERMAL: 1 },
  ],
  ['a bit that is set when its target appears is none', counting(reasons, 0x8, {}, { from: half }), {}],
  [
    'one sample is enough',
    counting(reasons, except(0, 0x88, [half, half + 30])),
    { HW_SLOWDOWN: 1, HW_POWER_BRAKE: 1 },
  ],
  [
    'the older name is the same mask',
    counting('DCGM_FI_DEV_CLOCK_THROTTLE_REASONS', stepped(0, [half, 0x10])),
    { SYNC_BOOST: 1 },
  ],
];

const nodeOf = (table: string, at: number): string => `${table}-${at}`;
let world: World;
beforeAll(async () => {
  world = await startWorld([
    { name: 'timers', series: seconds.flatMap(([, build], at) => build(nodeOf('timer', at))) },
    { name: 'events', series: events.flatMap(([, build], at) => build(nodeOf('event', at))) },
  ]);
});
afterAll(() => world?.close());

const timers = 'thermalS powerS boardLimitS syncBoostS lowUtilS reliabilityS';

describe('throttle seconds', () => {
  test.each(seconds.map(([behaviour, , expected], at) => [behaviour, nodeOf('timer', at), expected] as const))(
    '%s',
    async (_behaviour, node, expected) => {
      const got = await askGpu(await world.gateway(), 'timers', node, `throttle { ${timers} }`);
      expect(differences('throttle', expected, got.throttle)).toEqual([]);
    },
  );

  test('windows that adjoin add up to the whole', async () => {
    const gateway = await world.gateway();
    const read = async (from: number, to: number): Promise<number> =>
      (await askGpu(gateway, 'timers', nodeOf('timer', 0), 'throttle { thermalS }', span(from, to))).throttle.thermalS;
    const cut = half + 17;
    expect(await read(ago(HOUR), cut)).toBeCloseTo(1.5, 6);
    expect(await read(cut, ago(0))).toBeCloseTo(0.25, 6);
    expect(await read(ago(HOUR), ago(0))).toBeCloseTo(1.75, 6);
  });
});

interface ClockEvent {
  readonly kind: string;
  readonly count: number;
}
const noFaults = new Set(['GPU_IDLE', 'CLOCKS_SETTING', 'DISPLAY_CLOCKS']);

describe('clock events', () => {
  test.each(events.map(([behaviour, , expected], at) => [behaviour, nodeOf('event', at), expected] as const))(
    '%s',
    async (_behaviour, node, expected) => {
      const { throttle } = await askGpu(
        await world.gateway(),
        'events',
        node,
        'throttle { clockEvents { kind count } }',
      );
      expect(throttle.clockEvents, 'throttle.clockEvents').not.toBeNull();
      // contract is silent: whether a kind that did not happen is left out or reads 0.
      const faults = (throttle.clockEvents as ClockEvent[]).filter((one) => one.count !== 0 && !noFaults.has(one.kind));
      expect(Object.fromEntries(faults.map((one) => [one.kind, one.count]))).toEqual(expected);
    },
  );

  test('are null, not an empty list, where the exporter has no such metric', async () => {
    const { throttle } = await askGpu(
      await world.gateway(),
      'timers',
      nodeOf('timer', 0),
      'throttle { clockEvents { kind } }',
    );
    expect(throttle.clockEvents).toBeNull();
  });
});
