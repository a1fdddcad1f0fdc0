import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { active } from '../support/fleet/alerts.ts';
import { ago, DAY, HOUR, NOW, scrapes } from '../support/fleet/clock.ts';
import { jointly, type NodeSeries } from '../support/fleet/counting.ts';
import { dcgm } from '../support/fleet/dcgm.ts';
import { type ToldFlag, wholeReport } from '../support/fleet/flag-questions.ts';
import { growing, machineCounter } from '../support/fleet/node-exporter.ts';
import { askNode, lastHour, span, type WindowInput } from '../support/fleet/questions.ts';
import { except, type Series, stepped, type Value } from '../support/fleet/series.ts';
import { amdGpu, at, besides, host, lasting, nvidia, phase, scrapeAt } from '../support/fleet/situations.ts';
import { type GatewaySettings, keepsEveryDouble, startWorld, type World } from '../support/fleet/world.ts';

const temp = 'DCGM_FI_DEV_GPU_TEMP';
const tensor = 'DCGM_FI_PROF_PIPE_TENSOR_ACTIVE';
const dbe = 'DCGM_FI_DEV_ECC_DBE_VOL_TOTAL';
const xid = 'DCGM_FI_DEV_XID_ERRORS';
const replay = 'DCGM_FI_DEV_PCIE_REPLAY_COUNTER';
const used = 'DCGM_FI_DEV_FB_USED';
const size = 'DCGM_FI_DEV_FB_TOTAL';
const links = {
  DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL: null,
  DCGM_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL: null,
};

/** What broke rules at every pace: hot for 15 minutes, idle for 20, waiting for 20, full for 20. */
const troubled = (every: number): NodeSeries => {
  const long = (from: number, minutes: number): [number, number] => [at(from), at(from + minutes) + phase];
  return jointly(
    nvidia({
      readings: {
        [temp]: except(62, 88, long(5, 15)),
        [tensor]: except(0.5, 0.05, long(25, 20)),
        [used]: except(40_000, 79_000, long(20, 20)),
        [replay]: stepped(4, [at(30), 7]),
      },
      scraping: { every, from: ago(4 * HOUR) },
    }),
    host({ io: except(0.01, 0.4, long(30, 20)) }, { every, from: ago(4 * HOUR) }),
  );
};
const healthy = (every: number): NodeSeries =>
  jointly(nvidia({ scraping: { every, from: ago(4 * HOUR) } }), host({}, { every, from: ago(4 * HOUR) }));
const paces = [10, 15, 60, 120, 300] as const;

/** A GPU of which one exporter tells until an instant, and its successor from then on with other names, labels and units. */
const upgraded =
  (when: number, old: Record<string, Value>, renewed: Record<string, Value>): NodeSeries =>
  (node) => [
    ...dcgm({ node, pod: 'train-0', era: 'A' }, scrapes({ phase, to: when }), old),
    ...dcgm({ node, pod: 'train-0', era: 'C' }, scrapes({ phase, from: when }), renewed),
    ...host()(node),
  ];

const amdCounts = (readings: Record<string, number>): NodeSeries => jointly(amdGpu({ readings }), host());

const fortnight = scrapes({ phase, from: ago(14 * DAY + HOUR) });
const early = ago(13.5 * DAY);
const waits = (node: string): Series =>
  machineCounter(
    { address: node },
    'node_pressure_io_waiting_seconds_total',
    fortnight,
    growing(fortnight, except(0.01, 0.4, [early, early + phase + 330])),
  );

let world: World;
beforeAll(async () => {
  world = await startWorld([
    ...paces.map((every) => ({
      name: `every-${every}`,
      series: [...troubled(every)('bad'), ...healthy(every)('good')],
    })),
    {
      name: 'upgrade',
      series: [
        ...upgraded(
          at(23),
          { [temp]: except(62, 88, lasting(20, 6)) },
          {
            DCGM_FI_DEV_GPU_TEMP_CELSIUS: except(62, 88, lasting(20, 6)),
          },
        )('hot'),
        ...upgraded(
          at(20),
          { [temp]: 62, [tensor]: 0.5 },
          {
            DCGM_FI_DEV_GPU_TEMP_CELSIUS: 62,
            DCGM_FI_PROF_TENSOR_UTIL_RATIO: except(0.5, 0.05, lasting(20, 12)),
          },
        )('idle'),
        ...upgraded(
          at(20),
          { [temp]: 62, DCGM_FI_DEV_GPU_UTIL: 90 },
          {
            DCGM_FI_DEV_GPU_TEMP_CELSIUS: 62,
            DCGM_FI_DEV_GPU_UTIL_RATIO: except(0.9, 0.05, lasting(20, 12)),
          },
        )('idle-by-ratio'),
        ...upgraded(
          at(23),
          { [temp]: 62, [used]: except(40_000, 79_000, lasting(20, 6)), [size]: 80_000 },
          {
            DCGM_FI_DEV_GPU_TEMP_CELSIUS: 62,
            [used]: except(40_000, 79_000, lasting(20, 6)),
            DCGM_FI_DEV_FB_CAPACITY_BYTES: 80_000 * 2 ** 20,
          },
        )('full'),
        ...upgraded(
          at(20),
          { [temp]: 62, [replay]: 4 },
          {
            DCGM_FI_DEV_GPU_TEMP_CELSIUS: 62,
            DCGM_FI_DEV_PCIE_REPLAY_TOTAL: 6,
          },
        )('replayed'),
      ],
    },
    {
      name: 'blank',
      series: [
        ...jointly(nvidia({ readings: { [dbe]: 2_147_483_632 } }), host())('int32'),
        ...jointly(nvidia({ readings: { [dbe]: 9.223372036854776e18 } }), host())('int64'),
        ...jointly(nvidia({ readings: { [dbe]: NaN } }), host())('nan'),
        ...jointly(nvidia({ readings: { [replay]: NaN, ...links } }), host())('nan-links'),
        ...jointly(nvidia({ readings: { [temp]: except(62, 2_147_483_632, lasting(20, 20)) } }), host())('hot-blank'),
        ...jointly(nvidia(), host())('calm'),
        ...jointly(
          nvidia({ readings: { [replay]: stepped(9, [scrapeAt(20), 0], [scrapeAt(40), 9]) } }),
          host(),
        )('same'),
        ...jointly(
          nvidia({
            readings: { [temp]: except(62, 88, lasting(-11 * 60 - 5, 20)) },
            scraping: { from: ago(15 * HOUR) },
          }),
          host({}, { from: ago(15 * HOUR) }),
        )('midnight'),
      ],
    },
    {
      name: 'blank-amd',
      vendor: 'amd',
      series: [
        ...amdCounts({ pcie_replay_count: 4_294_967_295, pcie_recovery_count: 4_294_967_295 })('m1'),
        ...amdCounts({ gpu_ecc_uncorrect_total: NaN })('m2'),
        ...amdCounts({})('m3'),
      ],
    },
    {
      name: 'half-told',
      series: [
        ...jointly(
          nvidia({
            readings: {
              DCGM_FI_DEV_CLOCKS_EVENT_REASONS: null,
              DCGM_FI_DEV_THERMAL_VIOLATION: null,
              DCGM_FI_DEV_POWER_VIOLATION: null,
            },
          }),
          host(),
        )('old'),
        ...jointly(
          nvidia({
            readings: {
              DCGM_FI_DEV_CLOCKS_EVENT_REASONS: null,
              DCGM_FI_DEV_THERMAL_VIOLATION: null,
              DCGM_FI_DEV_POWER_VIOLATION: null,
            },
          }),
          besides('DCGM_EXP_CLOCK_EVENTS_TOTAL', 3, { clock_event: 'hw_thermal' }),
          host(),
        )('new'),
      ],
    },
    {
      name: 'sliding',
      series: [
        ...jointly(
          nvidia({ readings: { [xid]: null } }),
          besides('DCGM_EXP_XID_ERRORS_COUNT', 1, { xid: '79' }, { from: at(20), to: at(25) }),
          host(),
        )('born'),
        ...jointly(
          nvidia({ readings: { [xid]: null } }),
          besides('DCGM_EXP_XID_ERRORS_COUNT', 1, { xid: '79' }, { from: at(-3), to: at(2) }),
          host(),
        )('before'),
      ],
    },
    {
      name: 'fortnight',
      series: [
        ...dcgm({ node: 'n1', pod: 'train-0' }, fortnight, {
          [temp]: except(62, 88, [early, early + phase + 300]),
          [tensor]: except(0.5, 0.05, [early, early + phase + 600]),
        }),
        waits('n1'),
      ],
    },
    {
      name: 'lagging',
      series: [
        ...jointly(
          nvidia({ readings: { [temp]: except(62, 88, [at(40), NOW]) }, scraping: { to: ago(120) } }),
          host({}, { to: ago(120) }),
        )('hot'),
        ...active({ name: 'GPUHighTemperature', labels: { Hostname: 'hot', gpu: '0' } }, at(40), ago(120)),
        ...jointly(nvidia({ scraping: { to: ago(120) } }), host({}, { to: ago(120) }))('calm'),
      ],
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
    args = '',
  }: { window?: WindowInput; settings?: GatewaySettings; args?: string } = {},
) => {
  const { flags } = await askNode(
    await world.gateway(settings),
    cluster,
    node,
    `flags${args} { ${wholeReport} }`,
    window,
  );
  const told: ToldFlag[] = flags.flags;
  return {
    told,
    kinds: told.map(({ kind, severity }) => `${kind} ${severity}`).sort(),
    clean: flags.clean as boolean,
    note: flags.note as string,
    missing: flags.coverage.missing as string[],
  };
};

describe.each(paces)('scraped every %i s, as the configuration says', (every) => {
  const settings = { scrapeIntervalS: every };
  test('what broke a rule is told', async () => {
    expect((await report(`every-${every}`, 'bad', { settings })).kinds).toEqual([
      'COMM_ERRORS WARN',
      'HOST_PRESSURE WARN',
      'MEMORY_PRESSURE WARN',
      'THERMAL_THROTTLE HIGH',
      'UTILIZATION_COLLAPSE WARN',
    ]);
  });
  test('a healthy node is clean', async () => {
    expect(await report(`every-${every}`, 'good', { settings })).toMatchObject({ kinds: [], clean: true });
  });
});

describe('an exporter’s upgrade in the middle of it', () => {
  test.each([
    ['hot', 'THERMAL_THROTTLE WARN'],
    ['idle', 'UTILIZATION_COLLAPSE WARN'],
    ['idle-by-ratio', 'UTILIZATION_COLLAPSE WARN'],
    ['full', 'MEMORY_PRESSURE WARN'],
    ['replayed', 'COMM_ERRORS WARN'],
  ])('%s', async (node, flag) => {
    expect((await report('upgrade', node)).kinds).toEqual([flag]);
  });
});

describe('what is no reading does not answer', () => {
  const nans = keepsEveryDouble
    ? [
        ['nan', 'ECC'],
        ['nan-links', 'LINK_ERRORS'],
      ]
    : [];
  test.each([['int32', 'ECC'], ['int64', 'ECC'], ...nans])('%s: %s', async (node, family) => {
    const { clean, missing, note } = await report('blank', node!);
    expect({ clean, isMissing: missing.includes(family!), isNamed: note.includes(family!) }).toEqual({
      clean: false,
      isMissing: true,
      isNamed: true,
    });
  });

  test('AMD: link counters that are not available', async () => {
    const { clean, missing } = await report('blank-amd', 'm1');
    expect({ clean, isMissing: missing.includes('LINK_ERRORS') }).toEqual({ clean: false, isMissing: true });
  });

  test.runIf(keepsEveryDouble)('AMD: of a family that answers in part, the input is named', async () => {
    expect((await report('blank-amd', 'm2')).note).toMatch(/eccDbe/);
  });

  test('while its neighbours answer', async () => {
    expect(await report('blank', 'calm')).toMatchObject({ kinds: [], clean: true });
    expect(await report('blank-amd', 'm3')).toMatchObject({ kinds: [], clean: true });
  });

  test('twenty minutes of it are a silence', async () => {
    const { clean, note, kinds } = await report('blank', 'hot-blank');
    expect({ clean, kinds }).toEqual({ clean: false, kinds: [] });
    expect(note).toMatch(/GPU_TEMP of GPU 0 on hot-blank/);
  });

  test('a family that the coverage of a node misses keeps it from being clean', async () => {
    const { clean, missing } = await report('half-told', 'old', { args: '(kinds: [THERMAL_THROTTLE])' });
    expect(missing).toEqual(expect.arrayContaining(['THROTTLE_VIOLATIONS', 'CLOCK_EVENTS']));
    expect(clean).toBe(false);
  });
});

test('a counter that ends where it began, by way of a reset', async () => {
  const { told } = await report('blank', 'same');
  expect(told.map(({ evidence }) => evidence['pcieReplay'])).toEqual([9]);
});

describe('a count of the last minutes', () => {
  test('that begins in the window is a fault', async () => {
    expect((await report('sliding', 'born')).kinds).toEqual(['COMM_ERRORS HIGH']);
  });
  test('that began before it is none', async () => {
    expect((await report('sliding', 'before')).kinds).toEqual([]);
  });
});

test('a sentence across midnight has both days', async () => {
  const midnight = Date.parse('2026-06-01T00:00:00Z') / 1000;
  const { told } = await report('blank', 'midnight', { window: span(midnight - HOUR, midnight + HOUR) });
  expect(told.map(({ summary }) => summary)).toEqual([
    expect.stringMatching(/2026-05-31 23:.. to 2026-06-01 00:.. UTC/),
  ]);
});

test('a window of thirty seconds inside a hold of fifteen minutes, and the key of the hour', async () => {
  const settings = { scrapeIntervalS: 15 };
  const { told } = await report('every-15', 'bad', { window: span(at(10), at(10) + 30), settings });
  const hour = await report('every-15', 'bad', { settings });
  expect(told).toMatchObject([{ kind: 'THERMAL_THROTTLE', severity: 'WARN', clipped: { start: true, end: true } }]);
  expect(hour.told.map(({ key }) => key)).toContain(told[0]!.key);
});

test('the first day of fourteen', async () => {
  const { kinds } = await report('fortnight', 'n1', { window: span(ago(14 * DAY), NOW) });
  expect(kinds).toEqual(['HOST_PRESSURE WARN', 'THERMAL_THROTTLE WARN', 'UTILIZATION_COLLAPSE WARN']);
});

describe('a store that lags behind by two minutes', () => {
  const settings = { ingestLagS: 120 };
  test('what is hot is so still, and its episode is open', async () => {
    const { told } = await report('lagging', 'hot', { settings });
    expect(told).toMatchObject([
      { kind: 'THERMAL_THROTTLE', clipped: { start: false, end: true }, episode: { to: null } },
    ]);
  });
  test('what is calm is clean', async () => {
    expect(await report('lagging', 'calm', { settings })).toMatchObject({ clean: true });
  });
});
