import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ago, HOUR, scrapes } from '../support/fleet/clock.ts';
import { jointly, type NodeSeries } from '../support/fleet/counting.ts';
import { dcgmLabels } from '../support/fleet/dcgm.ts';
import { type ToldFlag, wholeReport } from '../support/fleet/flag-questions.ts';
import { growing, machineCounter } from '../support/fleet/node-exporter.ts';
import { podSeries } from '../support/fleet/pods.ts';
import { askNode, lastHour, span, type WindowInput } from '../support/fleet/questions.ts';
import { except, series, stepped, type Value } from '../support/fleet/series.ts';
import { amdGpu, at, besides, host, lasting, nvidia, phase, scrapeAt } from '../support/fleet/situations.ts';
import { type GatewaySettings, startWorld, type World } from '../support/fleet/world.ts';

const temp = 'DCGM_FI_DEV_GPU_TEMP';
const tensor = 'DCGM_FI_PROF_PIPE_TENSOR_ACTIVE';
const xid = 'DCGM_FI_DEV_XID_ERRORS';
const masks = 'DCGM_FI_DEV_CLOCKS_EVENT_REASONS';
const replay = 'DCGM_FI_DEV_PCIE_REPLAY_COUNTER';
const power = 'DCGM_FI_DEV_POWER_VIOLATION';
const used = 'DCGM_FI_DEV_FB_USED';
const size = 'DCGM_FI_DEV_FB_TOTAL';
const second = 1e9;

/** The pod that had the GPU went away three minutes before the window, and another one came. */
const turns: Parameters<typeof nvidia>[0] = {
  lives: [
    [0, { pod: 'before-0' }],
    [at(-3), { pod: 'after-0' }],
  ],
};
/** Shown until the pods changed, then nothing, and in the window the same again. */
const again = (value: number): Value => stepped(value, [at(-3), 0], [scrapeAt(20), value]);
const gone = { holes: [[at(10), at(30)]] as const };
const withoutXid = { readings: { [xid]: null } };
const hosted = (part: NodeSeries): NodeSeries => jointly(part, host());

/** A GPU of which these metrics are scraped at other instants. */
const jittered = (value: Value, times: readonly number[]): NodeSeries =>
  jointly(
    nvidia({ readings: { [temp]: null } }),
    (node) => [series(temp, dcgmLabels({ node, pod: 'train-0' }), times, value)],
    host(),
  );
/** The scrapes of two hours, the one at an instant moved by that much. */
const moved = (instant: number, by: number): number[] =>
  scrapes({ phase }).map((time) => (time === instant ? time + by : time));

const nodes: Record<string, NodeSeries> = {
  'turn-xid': hosted(nvidia({ ...turns, readings: { [xid]: again(31) } })),
  'turn-mask': hosted(nvidia({ ...turns, readings: { [masks]: again(0x40) } })),
  'turn-count': hosted(nvidia({ ...turns, readings: { [replay]: again(9) } })),
  'back-gauge': hosted(nvidia({ readings: { [xid]: 79 }, own: { [xid]: gone } })),
  'weeks-of-power': hosted(nvidia({ readings: { [power]: (time) => 1e16 + (time >= scrapeAt(20) ? 5 * second : 0) } })),
  'board-swap': hosted(
    nvidia({
      readings: {
        [used]: stepped(39_500, [at(30), 41_000]),
        [size]: stepped(40_000, [at(30), 80_000]),
      },
      lives: [
        [0, { uuid: 'GPU-small' }],
        [at(30), { uuid: 'GPU-large' }],
      ],
    }),
  ),
  'board-shrinks': hosted(
    nvidia({
      readings: { [used]: 39_500, [size]: stepped(80_000, [at(57), 40_000]) },
      lives: [
        [0, { uuid: 'GPU-large' }],
        [at(57), { uuid: 'GPU-small' }],
      ],
    }),
  ),
  // Ten minutes of it, but for half a second at either end.
  'ten-minutes': jittered(except(62, 88, [at(20), scrapeAt(30) + 1]), moved(scrapeAt(30), -0.6)),
  'two-missed': jittered(
    except(62, 88, [at(20), scrapeAt(27) + 1]),
    moved(scrapeAt(23.5), 0.4).filter((time) => time <= scrapeAt(22) || time >= scrapeAt(23.5)),
  ),
  'exporter-restarts': jointly(nvidia(), (node) => {
    const times = scrapes({ phase });
    const waits = growing(times, except(0.02, 0.21, [at(20), scrapeAt(25.5)]));
    const lives = [0, at(22) - 15, at(24) - 15, Infinity];
    return [
      ...lives.slice(0, -1).map((from, life) => {
        const own = times.flatMap((time, i) => (time > from && time <= lives[life + 1]! ? [i] : []));
        return machineCounter(
          { address: node, extra: { pod: `node-exporter-${life}` } },
          'node_pressure_io_waiting_seconds_total',
          own.map((i) => times[i]!),
          own.map((i) => waits[i]!),
        );
      }),
      ...host()(node).filter(({ labels }) => !labels['__name__']!.includes('_io_')),
    ];
  }),
};

const instances = (instance: string, mib: number): NodeSeries =>
  nvidia({
    readings: { [used]: mib, [size]: null },
    gpu: { extra: { GPU_I_ID: instance, GPU_I_PROFILE: '3g.40gb' } },
  });

const only =
  (metric: string, part: NodeSeries): NodeSeries =>
  (node) =>
    part(node).filter(({ labels }) => labels['__name__'] === metric);

const long = { from: ago(8 * HOUR) };
const kube = scrapes({ phase: 20, from: ago(8 * HOUR) });

let world: World;
beforeAll(async () => {
  world = await startWorld([
    { name: 'calm', series: Object.entries(nodes).flatMap(([node, build]) => build(node)) },
    {
      name: 'counted',
      series: [
        ...jointly(nvidia(withoutXid), besides('DCGM_EXP_XID_ERRORS_TOTAL', 1, { xid: '79' }, gone), host())('t1'),
        ...jointly(
          nvidia({ readings: { [xid]: null, [masks]: null } }),
          besides('DCGM_EXP_CLOCK_EVENTS_TOTAL', 2, { clock_event: 'hw_thermal' }, gone),
          host(),
        )('t2'),
      ],
    },
    {
      name: 'a-little',
      series: [
        ...hosted(
          nvidia({
            readings: { [power]: stepped(0, [scrapeAt(22), 60 * second]) },
            scraping: { holes: [[scrapeAt(20), scrapeAt(22) - 1]] },
          }),
        )('missed'),
        ...hosted(
          nvidia({
            readings: { [power]: stepped(0, [scrapeAt(20), 25 * second]) },
            lives: [
              [0, { pod: 'one-0' }],
              [at(20), { pod: 'two-0' }],
            ],
          }),
        )('turned'),
        ...hosted(nvidia({ readings: { [power]: stepped(0, [scrapeAt(20), 25 * second]) } }))('plain'),
      ],
    },
    {
      name: 'cut',
      series: [...jointly(instances('1', 39_900), instances('2', 38_500), only(size, nvidia()), host())('mig')],
    },
    {
      name: 'relabelled',
      series: [
        ...jointly(
          nvidia({
            readings: { [tensor]: except(0.5, 0.05, lasting(20, 12)) },
            scraping: long,
            lives: [
              [0, { pod: 'train-0' }],
              [ago(5 * HOUR), { pod: undefined }],
            ],
          }),
          host({}, long),
        )('l1'),
        ...podSeries(
          {
            name: 'train-0',
            node: 'l1',
            owner: ['Job', 'train'],
            gpus: 1,
            created: ago(9 * HOUR),
            running: ago(9 * HOUR),
          },
          kube,
        ),
      ],
    },
    {
      name: 'never-labelled',
      series: [
        ...jointly(
          nvidia({
            readings: { [tensor]: except(0.5, 0.05, lasting(20, 12)) },
            scraping: long,
            gpu: { pod: undefined },
          }),
          host({}, long),
        )('l1'),
        ...podSeries(
          {
            name: 'train-0',
            node: 'l1',
            owner: ['Job', 'train'],
            gpus: 1,
            created: ago(9 * HOUR),
            running: ago(9 * HOUR),
          },
          kube,
        ),
      ],
    },
    {
      name: 'rare',
      series: jointly(nvidia({ readings: { [temp]: 95 }, scraping: { every: 120 } }), host({}, { every: 120 }))('r1'),
    },
    {
      name: 'rare-amd',
      vendor: 'amd',
      series: jointly(
        amdGpu({ readings: { gpu_junction_temperature: 95 }, scraping: { every: 120 } }),
        host({}, { every: 120 }),
      )('r1'),
    },
  ]);
});
afterAll(() => world?.close());

const report = async (
  cluster: string,
  node: string,
  {
    window = lastHour,
    settings = {},
    kinds = '',
  }: { window?: WindowInput; settings?: GatewaySettings; kinds?: string } = {},
) => {
  const gateway = await world.gateway(settings);
  const { flags, ...rest } = await askNode(
    gateway,
    cluster,
    node,
    `gpus { errors { xid pcieReplay } throttle { powerS clockEvents { kind count } } } flags${kinds} { ${wholeReport} }`,
    window,
  );
  const told: ToldFlag[] = flags.flags;
  return {
    ...rest,
    clean: flags.clean as boolean,
    note: flags.note as string,
    coverage: flags.coverage,
    told,
    words: told.map(({ kind, severity, minutes }) => `${kind} ${severity} ${Number(minutes.toFixed(1))}`),
  };
};

describe('what broke a rule is let through, though what it shows was shown before', () => {
  test.each([
    ['a fault code, as the pod before the window had it', 'calm', 'turn-xid', 'COMM_ERRORS HIGH 0.5'],
    ['a thermal bit, as the pod before the window had it', 'calm', 'turn-mask', 'THERMAL_THROTTLE WARN 0.5'],
    ['a counter that was reset with its pod and came up to where it was', 'calm', 'turn-count', 'COMM_ERRORS WARN 0.5'],
  ])('%s', async (_what, cluster, node, flag) => {
    expect((await report(cluster, node)).words).toEqual([flag]);
  });

  test.each([
    ['a fault counter that was gone for twenty minutes and began anew', 'counted', 't1'],
    ['a fault code that was gone for twenty minutes and came back', 'calm', 'back-gauge'],
  ])('%s: the flags and the count agree', async (_what, cluster, node) => {
    const { gpus, words } = await report(cluster, node);
    const count: number = gpus[0].errors.xid;
    expect(count).toBe(1);
    expect(words).toHaveLength(count);
  });

  test('a counter of clock events that was gone for twenty minutes and began anew: the flags and the count agree', async () => {
    const { gpus, words } = await report('counted', 't2');
    expect(gpus[0].throttle.clockEvents).toEqual([{ kind: 'HW_THERMAL', count: 2 }]);
    expect(words).toEqual([expect.stringMatching('THERMAL_THROTTLE')]);
  });
});

describe('a site that passes over a little throttling is told of much', () => {
  const settings = { flags: { minThrottledPct: 10 } };
  test.each([
    ['in a scrape', 'plain', 'POWER_CAP WARN 0.5'],
    ['while scrapes were missed', 'missed', 'POWER_CAP WARN 2'],
    ['while another pod took the GPU', 'turned', 'POWER_CAP WARN 0.5'],
  ])('%s', async (_when, node, flag) => {
    expect((await report('a-little', node, { settings })).words).toEqual([flag]);
  });
});

test('a timer of a hundred days is one all the same', async () => {
  const { gpus, words } = await report('calm', 'weeks-of-power');
  expect(words).toEqual(['POWER_CAP WARN 0.5']);
  expect(gpus[0].throttle.powerS).toBe(5);
});

describe('memory is full by the total of its own time', () => {
  test('a small board that was full until a larger one took its place', async () => {
    expect((await report('calm', 'board-swap')).words).toEqual([expect.stringMatching(/^MEMORY_PRESSURE WARN 29/)]);
  });
  test('a large board that was half full until a smaller one took its place', async () => {
    expect((await report('calm', 'board-shrinks')).words).toEqual([]);
  });
  test('of instances whose total only the board tells', async () => {
    expect((await report('cut', 'mig')).words).toEqual([expect.stringMatching('MEMORY_PRESSURE')]);
  });
});

describe('scrapes jitter', () => {
  test('ten minutes of heat are serious, half a second less too', async () => {
    expect((await report('calm', 'ten-minutes')).words).toEqual(['THERMAL_THROTTLE HIGH 10']);
  });
  test('two scrapes missed break no hold, half a second more neither', async () => {
    expect((await report('calm', 'two-missed')).words).toEqual([expect.stringMatching(/^THERMAL_THROTTLE WARN 7/)]);
  });
});

test('a host exporter that restarts again and again while the host waits', async () => {
  expect((await report('calm', 'exporter-restarts')).words).toEqual([expect.stringMatching('HOST_PRESSURE')]);
});

test.each([
  ['and have named none', 'never-labelled'],
  ['and did so five hours ago', 'relabelled'],
])('pods are known by Kubernetes where GPU series name none in the window %s', async (_since, cluster) => {
  expect((await report(cluster, 'l1')).words).toEqual(['UTILIZATION_COLLAPSE WARN 12']);
});

describe('heat between scrapes too rare to judge is no clean bill', () => {
  test.each(['rare', 'rare-amd'])(
    'scraped every two minutes where the configuration says thirty seconds: %s',
    async (cluster) => {
      const { clean, words } = await report(cluster, 'r1');
      expect({ isTold: words.length > 0 || !clean }).toEqual({ isTold: true });
    },
  );

  test('a window that holds no sample', async () => {
    const settings = { scrapeIntervalS: 120 };
    const empty = span(at(20) + 30, at(20) + 60);
    const { clean, coverage } = await report('rare', 'r1', { window: empty, settings });
    expect(coverage.missing).toContain('GPU_TEMP');
    expect(clean).toBe(false);
  });

  test('where the configuration is right the heat is told', async () => {
    const { words } = await report('rare', 'r1', { settings: { scrapeIntervalS: 120 } });
    expect(words).toEqual([expect.stringMatching(/^THERMAL_THROTTLE HIGH/)]);
  });
});
