import { afterAll, beforeAll, expect, test } from 'vitest';

import { ago, HOUR, MINUTE, scrapes } from '../support/fleet/clock.ts';
import { always, counting, type NodeSeries, relabelled } from '../support/fleet/counting.ts';
import { dcgm } from '../support/fleet/dcgm.ts';
import { askGpu, lastHour } from '../support/fleet/questions.ts';
import { except, stepped } from '../support/fleet/series.ts';
import { startWorld, type World } from '../support/fleet/world.ts';

const replay = 'DCGM_FI_DEV_PCIE_REPLAY_COUNTER';
const half = ago(30 * MINUTE);
const quarter = ago(15 * MINUTE);
const start = ago(HOUR);

type Case = [behaviour: string, series: NodeSeries, expected: number];

const cases: Case[] = [
  ['a counter that went up by three reads 3', counting(replay, stepped(17, [half, 20])), 3],
  ['steps anywhere in the window add up', counting(replay, stepped(1, [half, 2], [half + 61, 5], [quarter, 9])), 8],
  ['a flat counter reads 0', counting(replay, 17), 0],
  ['a counter that is 0 throughout reads 0', counting(replay, 0), 0],
  ['a rise before the window is not counted', counting(replay, stepped(3, [start - 90, 8])), 0],
  [
    'a rise between the last sample before the window and its first is',
    counting(replay, stepped(3, [start - 10, 8])),
    5,
  ],
  ['a rise up to a sample right at the start is not', counting(replay, stepped(3, [start, 8]), { phase: 0 }), 0],
  ['a rise up to a sample right at the end is', counting(replay, stepped(3, [ago(0), 8]), { phase: 0 }), 5],
  ['a rise in the first sample inside is', counting(replay, stepped(3, [start + 1, 7])), 4],
  [
    'a baseline four minutes older counts',
    counting(replay, stepped(100, [start, 104]), {}, { holes: [[start - 4 * MINUTE, start + 5]] }),
    4,
  ],
  [
    'a baseline just five minutes older does',
    counting(replay, stepped(100, [start, 104]), { phase: 0 }, { phase: 0, holes: [[start - 5 * MINUTE, start + 5]] }),
    4,
  ],
  [
    'one of five and a half minutes does not',
    counting(
      replay,
      stepped(100, [start, 104]),
      { phase: 0 },
      { phase: 0, holes: [[start - 5.5 * MINUTE, start + 5]] },
    ),
    0,
  ],
  [
    'an older one does not: the rise may have been long ago',
    counting(replay, stepped(100, [start, 104], [half, 105]), {}, { holes: [[start - 7 * MINUTE, start + 5]] }),
    1,
  ],
  [
    'a rise over a silence inside the window counts',
    counting(replay, stepped(100, [half, 104]), {}, { holes: [[half - 6 * MINUTE, half + 6 * MINUTE]] }),
    4,
  ],
  ['a reset to zero is no rise', counting(replay, stepped(9, [half, 0])), 0],
  ['what is counted since a reset is', counting(replay, stepped(9, [half, 2])), 2],
  [
    'rises before and after a reset add up',
    counting(replay, stepped(9, [start + 600, 12], [half, 1], [quarter, 3])),
    6,
  ],
  ['two resets are two', counting(replay, stepped(9, [start + 600, 4], [half, 1], [quarter, 3])), 7],
  ['born in the window on a GPU that was scraped: the first value counts', counting(replay, 2, { from: half }), 2],
  ['and what follows too', counting(replay, stepped(1, [quarter, 4]), { from: half }), 4],
  ['born because the target appeared: the first value does not', counting(replay, 7, {}, { from: half }), 0],
  ['but what follows does', counting(replay, stepped(7, [quarter, 9]), {}, { from: half }), 2],
  ['one that fell silent before the end keeps its rise', counting(replay, stepped(5, [half, 6]), { to: quarter }), 1],
  [
    'a blank in the middle is neither rise nor reset',
    counting(replay, except(stepped(5, [quarter, 6]), 9.223372036854776e18, [half, half + 30])),
    1,
  ],
  [
    'a blank of 32 bits likewise',
    counting(replay, except(stepped(5, [quarter, 6]), 2_147_483_632, [half, half + 90])),
    1,
  ],
  [
    'a rise where a pod takes the GPU',
    relabelled(replay, stepped(5, [half, 8]), [always, {}], [half - 1, { pod: 'a' }]),
    3,
  ],
  [
    'a rise at each of two pod changes, the first labels coming back',
    relabelled(
      replay,
      stepped(5, [start + 600, 6], [half, 7], [quarter, 9]),
      [always, { pod: 'a' }],
      [start + 599, { pod: 'b' }],
      [half - 1, { pod: 'c' }],
    ),
    4,
  ],
  [
    'pods that change without a rise',
    relabelled(replay, 5, [always, { pod: 'a' }], [half, { pod: 'b' }], [quarter, {}]),
    0,
  ],
  [
    'an exporter that restarts with another driver counts from zero',
    relabelled(
      replay,
      stepped(9, [half, 0], [quarter, 1]),
      [always, { driver: '550.54.15' }],
      [half - 1, { driver: '570.86.10' }],
    ),
    1,
  ],
  [
    'another address of the exporter is no other GPU',
    relabelled(replay, stepped(5, [half, 6]), [always, {}], [half - 1, { address: '10.0.0.77' }]),
    1,
  ],
  [
    'a replaced GPU brings its own count: no rise across the swap',
    relabelled(
      replay,
      stepped(5, [start + 600, 6], [half, 50], [quarter, 52]),
      [always, { uuid: 'GPU-old' }],
      [half - 1, { uuid: 'GPU-new' }],
    ),
    3,
  ],
  [
    'a label that flaps from scrape to scrape between two pods',
    (node) => [
      ...dcgm({ node }, scrapes(), { DCGM_FI_DEV_GPU_TEMP: 60 }),
      ...['a', 'b'].flatMap((pod, turn) =>
        dcgm({ node, pod }, scrapes({ every: 60, phase: 7.123 + 30 * turn }), {
          [replay]: stepped(5, [half, 6], [half + 35, 7], [quarter, 8]),
        }),
      ),
    ],
    3,
  ],
  [
    'a counter born on a scraped GPU under three pods at once is one birth',
    (node) => [
      ...dcgm({ node }, scrapes(), { DCGM_FI_DEV_GPU_TEMP: 60 }),
      ...['a', 'b', 'c'].flatMap((pod) =>
        dcgm({ node, pod, extra: { vgpu: pod } }, scrapes({ from: half }), { [replay]: 2 }),
      ),
    ],
    2,
  ],
  [
    'the same count seen by two scrapers, one of which fell silent',
    (node) => [
      ...dcgm({ node, extra: { replica: 'a' } }, scrapes(), {
        DCGM_FI_DEV_GPU_TEMP: 60,
        [replay]: stepped(5, [half, 7]),
      }),
      ...dcgm({ node, extra: { replica: 'b' } }, scrapes({ to: quarter, phase: 12.4 }), {
        [replay]: stepped(5, [half, 7]),
      }),
    ],
    2,
  ],
];
const nodeOf = (at: number): string => `count-${at}`;

let world: World;
beforeAll(async () => {
  const series = cases.flatMap(([, build], at) => build(nodeOf(at)));
  world = await startWorld([{ name: 'counts', series }]);
});
afterAll(() => world?.close());

test.each(cases.map(([behaviour, , expected], at) => [behaviour, nodeOf(at), expected] as const))(
  '%s',
  async (_behaviour, node, expected) => {
    const got = await askGpu(await world.gateway(), 'counts', node, 'errors { pcieReplay }');
    expect(got.errors.pcieReplay, `${node} errors.pcieReplay`).toBe(expected);
  },
);

test('a page of GPUs reads what each of them reads alone', async () => {
  const document = `query ($window: WindowInput) { cluster(name: "counts", window: $window) {
    nodes { nodes { name gpus { errors { pcieReplay } } } }
  } }`;
  const { data } = await (await world.gateway()).query(document, { window: lastHour });
  const got = new Map<string, number>(
    data.cluster.nodes.nodes.map((node: { name: string; gpus: { errors: { pcieReplay: number } }[] }) => [
      node.name,
      node.gpus[0]?.errors.pcieReplay,
    ]),
  );
  const wrong = cases.flatMap(([behaviour, , expected], at) =>
    got.get(nodeOf(at)) === expected ? [] : [`${behaviour}: expected ${expected}, got ${got.get(nodeOf(at))}`],
  );
  expect(wrong).toEqual([]);
});
