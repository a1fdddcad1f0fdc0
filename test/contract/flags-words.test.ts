import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ago, HOUR, scrapes } from '../support/fleet/clock.ts';
import { jointly, type NodeSeries } from '../support/fleet/counting.ts';
import { stockList } from '../support/fleet/dcgm-lists.ts';
import { dcgm } from '../support/fleet/dcgm.ts';
import { type ToldFlag, wholeReport } from '../support/fleet/flag-questions.ts';
import { askCluster, askNode, lastHour, span, type WindowInput } from '../support/fleet/questions.ts';
import { except, stepped } from '../support/fleet/series.ts';
import { at, host, lasting, nvidia, phase, scrapeAt } from '../support/fleet/situations.ts';
import { type GatewaySettings, startWorld, type World } from '../support/fleet/world.ts';

const temp = 'DCGM_FI_DEV_GPU_TEMP';
const tensor = 'DCGM_FI_PROF_PIPE_TENSOR_ACTIVE';
const thermal = 'DCGM_FI_DEV_THERMAL_VIOLATION';
const replay = 'DCGM_FI_DEV_PCIE_REPLAY_COUNTER';
const second = 1e9;
const hosted = (part: NodeSeries): NodeSeries => jointly(part, host());

const nodes: Record<string, NodeSeries> = {
  calm: hosted(nvidia()),
  // Its last hot sample is the window's first.
  'just-inside': hosted(nvidia({ readings: { [temp]: except(62, 88, lasting(-10, 10)) } })),
  'waited-before': jointly(nvidia(), host({ io: except(0.01, 0.4, lasting(-10, 10)) })),
  'two-holds': hosted(
    nvidia({
      readings: { [temp]: except(62, 88, [at(20), scrapeAt(25) + 1], [scrapeAt(25.5) + 1, scrapeAt(31) + 1]) },
    }),
  ),
  'heat-then-timer': hosted(
    nvidia({
      readings: {
        [temp]: except(62, 88, [at(20), scrapeAt(26) + 1]),
        [thermal]: stepped(7 * second, [scrapeAt(27.5), 8 * second]),
      },
    }),
  ),
  'a-blink': hosted(nvidia({ readings: { [thermal]: stepped(4e15, [scrapeAt(20), 4e15 + 1e6]) } })),
  'just-over': jointly(nvidia(), host({ io: except(0.01, 0.2002, lasting(20, 6)) })),
  'barely-busy': hosted(nvidia({ readings: { [tensor]: except(0.0004, 0.00001, lasting(20, 12)) } })),
};

let world: World;
beforeAll(async () => {
  world = await startWorld([
    { name: 'c', series: Object.entries(nodes).flatMap(([node, build]) => build(node)) },
    {
      name: 'stock',
      series: [...dcgm({ node: 'n1', pod: 'train-0' }, scrapes({ phase }), stockList('n1')), ...host()('n1')],
    },
    {
      name: 'half',
      series: [
        ...hosted(nvidia())('whole'),
        ...jointly(
          nvidia({
            readings: {
              DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL: null,
              DCGM_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL: null,
            },
          }),
          host(),
        )('stock'),
      ],
    },
    {
      name: 'ended',
      series: hosted(
        nvidia({
          scraping: { from: ago(8 * HOUR) },
          own: {
            DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL: { from: ago(8 * HOUR), to: ago(5 * HOUR) },
            DCGM_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL: { from: ago(8 * HOUR), to: ago(5 * HOUR) },
          },
        }),
      )('n1'),
    },
    {
      name: 'podless',
      series: hosted(nvidia({ readings: { [tensor]: null }, gpu: { pod: undefined } }))('n1'),
    },
    {
      name: 'replays',
      series: hosted(nvidia({ readings: { [replay]: stepped(4, [scrapeAt(20), 5]) } }))('n1'),
    },
  ]);
});
afterAll(() => world?.close());

const report = async (
  cluster: string,
  node: string,
  args = '',
  { window = lastHour, settings = {} }: { window?: WindowInput; settings?: GatewaySettings } = {},
): Promise<{ flags: ToldFlag[]; note: string; clean: boolean; checked: string[] }> =>
  (await askNode(await world.gateway(settings), cluster, node, `flags${args} { ${wholeReport} }`, window)).flags;
const sentence = async (node: string, window = lastHour): Promise<string> =>
  (await report('c', node, '', { window })).flags.map(({ summary }) => summary).join('\n');

describe('a sentence says nothing that is not so', () => {
  test('of a hold whose last sample is the window’s first: no episode is on record', async () => {
    const told = await sentence('just-inside');
    expect(told).toMatch(/83 °C/);
    expect(told).not.toMatch(/episode/);
  });

  test('of a host that waited until the window’s first sample: it did so for some time', async () => {
    const told = await sentence('waited-before');
    expect(told).toMatch(/waited/);
    expect(told).not.toMatch(/ 0 min/);
  });

  test('of two holds with a cooler sample between them: how long each of the two held, not the joint', async () => {
    const told = await sentence('two-holds');
    expect(told).toMatch(/^GPU 0/);
    expect(told).not.toMatch(/held at or above 83 °C for 11 min/);
  });

  test('of heat and a timer that rose when it had cooled down: it was not hot until then', async () => {
    const told = await sentence('heat-then-timer');
    expect(told).toMatch(/throttled by heat for 1 s/);
    expect(told).toMatch(/held at or above 83 °C for 6 min/);
  });

  test('of a millisecond: it was more than nothing', async () => {
    const told = await sentence('a-blink');
    expect(told).toMatch(/throttled by heat/);
    expect(told).not.toMatch(/ 0 s/);
  });

  test('of a peak just above the threshold: the sentence does not contradict itself', async () => {
    const told = await sentence('just-over');
    expect(told).toMatch(/more than 20 %/);
    expect(told).not.toMatch(/peak 20 %/);
  });

  test('of a small median: it is no zero', async () => {
    const told = await sentence('barely-busy');
    expect(told).toMatch(/median/);
    expect(told).not.toMatch(/median 0 %/);
  });
});

describe('a note says nothing that is not so', () => {
  test('where nothing is asked for it blames no maker', async () => {
    const { note, clean, checked } = await report('c', 'calm', '(kinds: [])');
    expect({ clean, checked }).toEqual({ clean: false, checked: [] });
    expect(note).not.toMatch(/NVIDIA GPUs report nothing/);
  });

  test('throttling is passed over only where it is checked', async () => {
    const settings = { flags: { minThrottledPct: 10 } };
    const { note } = await report('c', 'calm', '(kinds: [HOST_PRESSURE])', { settings });
    expect(note).not.toMatch(/throttling/i);
  });

  test('activity that could not be judged was not judged by another reading', async () => {
    const { note } = await report('podless', 'n1');
    expect(note).toMatch(/Utilization could not be checked on n1/);
    expect(note).not.toMatch(/Activity of 1 GPU was judged/);
  });

  test('what to turn on is said of throttling too', async () => {
    const { note, clean } = await report('stock', 'n1', '(kinds: [THERMAL_THROTTLE, POWER_CAP])');
    expect(clean).toBe(false);
    expect(note).toMatch(/Missing: [^;.]*THROTTLE_VIOLATIONS[^;.]*;[^.]*turns them on/);
  });

  test('and of the cluster alike', async () => {
    const { flags } = await askCluster(await world.gateway(), 'stock', `flags { ${wholeReport} }`);
    expect(flags.note).toMatch(/Missing: [^;.]*THROTTLE_VIOLATIONS[^;.]*;[^.]*turns them on/);
  });

  test('inputs that only other nodes have are missing on this one', async () => {
    expect((await report('half', 'whole')).note).not.toMatch(/linkCrc/);
    expect((await report('half', 'stock')).note).toMatch(/linkCrc/);
  });

  test('inputs that ended before the window are missing in it', async () => {
    const { note } = await report('ended', 'n1');
    expect(note).toMatch(/linkCrc/);
  });
});

test('a flag of the last scrape before the end of a past window is clipped there', async () => {
  const { flags } = await report('replays', 'n1', '', { window: span(at(0), scrapeAt(20) + 5) });
  expect(flags.map(({ clipped }) => clipped)).toEqual([{ start: false, end: true }]);
});
