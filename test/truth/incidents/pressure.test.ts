import { ago, MINUTE, scrapes } from '../../support/fleet/clock.ts';
import { jointly, type NodeSeries } from '../../support/fleet/counting.ts';
import { incidents, type Situation } from '../../support/fleet/incidents.ts';
import { growing, machineCounter } from '../../support/fleet/node-exporter.ts';
import { except, type Value } from '../../support/fleet/series.ts';
import { at, host, lasting, nvidia, phase, scrapeAt, type Waits } from '../../support/fleet/situations.ts';

/** A node whose GPU is calm. */
const waiting = (waits: Waits, holes: [number, number][] = []): NodeSeries => jointly(nvidia(), host(waits, { holes }));
const during = (share: number, ...spans: [from: number, minutes: number][]): Value =>
  except(0.02, share, ...spans.map(([from, minutes]) => lasting(from, minutes)));
const cpu = (share: number, ...spans: [from: number, minutes: number][]): NodeSeries =>
  waiting({ cpu: during(share, ...spans) });
const warned = ['HOST_PRESSURE CPU WARN 5 min'];

const hosts: Situation[] = [
  ['waiting for CPU 30 % of the time for five minutes', cpu(0.3, [20, 5]), warned],
  ['waiting for CPU for four and a half minutes', cpu(0.3, [20, 4.5]), []],
  ['waiting just 20 % of the time', cpu(0.2, [10, 30]), []],
  ['waiting 20.1 % of the time', cpu(0.201, [20, 5]), warned],
  ['waiting for memory', waiting({ memory: during(0.4, [20, 6]) }), ['HOST_PRESSURE MEMORY WARN 6 min']],
  ['waiting for disks', waiting({ io: during(0.4, [20, 6]) }), ['HOST_PRESSURE IO WARN 6 min']],
  [
    'waiting for disks and memory at once',
    waiting({ io: during(0.4, [20, 6]), memory: during(0.3, [22, 8]) }),
    ['HOST_PRESSURE IO WARN 6 min', 'HOST_PRESSURE MEMORY WARN 8 min'],
  ],
  ['waiting for half an hour is no worse than a warning', cpu(0.9, [20, 30]), ['HOST_PRESSURE CPU WARN 30 min']],
  ['a burst of a minute in which nothing else ran', cpu(1, [20, 1]), []],
  ['waiting all the time', cpu(0.3, [-50, 120]), ['HOST_PRESSURE CPU WARN 59.5 min clipped at both']],
  ['waiting since before the window', cpu(0.3, [-3, 6]), ['HOST_PRESSURE CPU WARN 3 min clipped at start']],
  ['waiting still at the end', cpu(0.3, [54, 10]), ['HOST_PRESSURE CPU WARN 5.5 min clipped at end']],
  ['waiting again four and a half minutes later', cpu(0.3, [20, 5], [29.5, 5]), ['HOST_PRESSURE CPU WARN 14.5 min']],
  ['waiting again five and a half minutes later', cpu(0.3, [20, 5], [30.5, 5]), [...warned, ...warned]],
  [
    'waiting, two scrapes missed in the middle',
    waiting({ cpu: during(0.3, [20, 6]) }, [[at(22) + 10, at(23) + 10]]),
    ['HOST_PRESSURE CPU WARN 6 min'],
  ],
  [
    'waiting, three scrapes missed in the middle',
    waiting({ cpu: during(0.3, [20, 6]) }, [[at(22) + 10, at(23.5) + 10]]),
    [],
  ],
  [
    'stalled, and not waiting',
    (node) => [
      ...waiting({})(node),
      machineCounter(
        { address: node },
        'node_pressure_io_stalled_seconds_total',
        scrapes({ phase }),
        growing(scrapes({ phase }), 0.9),
      ),
    ],
    [],
  ],
  [
    'waiting across the end of a window of the past',
    cpu(0.3, [27, 6]),
    ['HOST_PRESSURE CPU WARN 2.5 min clipped at end'],
    [ago(90 * MINUTE), ago(30 * MINUTE)],
  ],
];

const used = 'DCGM_FI_DEV_FB_USED';
const size = 'DCGM_FI_DEV_FB_TOTAL';
/** So many of 80,000 MiB in use for some time. */
const filled = (mib: number, ...spans: [from: number, minutes: number][]): NodeSeries =>
  nvidia({ readings: { [used]: except(40_000, mib, ...spans.map(([from, minutes]) => lasting(from, minutes))) } });
const full = ['MEMORY_PRESSURE WARN 6 min'];
const filling = except(40_000, 78_500, lasting(20, 6));
const mig = (id: string, most: number): NodeSeries =>
  nvidia({
    readings: { [used]: except(10_000, most, lasting(20, 6)), [size]: 40_000, DCGM_FI_DEV_GPU_UTIL: null },
    gpu: { pod: `slice-${id}`, extra: { GPU_I_ID: id, GPU_I_PROFILE: '3g.40gb' } },
  });
const sliced = (vgpu: string, mib: Value): NodeSeries =>
  nvidia({ readings: { [used]: mib }, gpu: { pod: `infer-${vgpu}`, extra: { vgpu } } });
/** The device's own memory in use, and beside it each of three pods' share of it. */
const shares = (device: Value, each: Value): NodeSeries =>
  jointly(
    (node) =>
      nvidia({ readings: { [used]: device }, gpu: { pod: undefined } })(node).filter(
        ({ labels }) => labels['__name__'] === used,
      ),
    ...['0', '1', '2'].map((vgpu) =>
      nvidia({ readings: { [used]: each }, gpu: { pod: `infer-${vgpu}`, extra: { vgpu, pod_uid: `uid-${vgpu}` } } }),
    ),
  );

const memories: Situation[] = [
  ['95 % of memory in use for five minutes', filled(76_000, [20, 5]), ['MEMORY_PRESSURE WARN 5 min']],
  ['94.9 % of memory in use for half an hour', filled(75_920, [20, 30]), []],
  ['95 % of memory in use for four and a half minutes', filled(76_000, [20, 4.5]), []],
  ['full for half an hour is no worse than a warning', filled(79_900, [20, 30]), ['MEMORY_PRESSURE WARN 30 min']],
  [
    'full by what is used, free and reserved',
    nvidia({
      readings: {
        [size]: null,
        [used]: filling,
        DCGM_FI_DEV_FB_FREE: (time) => 81_109 - filling(time),
        DCGM_FI_DEV_FB_RESERVED: 450,
      },
    }),
    full,
  ],
  ['no total to measure against', nvidia({ readings: { [size]: null, [used]: 81_000 } }), []],
  ['one of two MIG instances full, the board not', jointly(mig('1', 39_900), mig('2', 10_000)), []],
  ['both MIG instances full', jointly(mig('1', 39_900), mig('2', 38_500)), full],
  [
    'three pods by time slices, half of the memory in use',
    jointly(sliced('0', 40_000), sliced('1', 40_000), sliced('2', 40_000)),
    [],
  ],
  [
    'three pods by time slices, the memory full',
    jointly(sliced('0', filling), sliced('1', filling), sliced('2', filling)),
    full,
  ],
  ['half full by the device, and beside it a share for each of three pods', shares(40_000, 39_000), []],
  ['full by the device, and beside it a share for each of three pods', shares(filling, 26_000), full],
  ['full but for one sample in the middle of eight minutes', filled(78_000, [20, 4], [25, 3]), []],
  ['full since before the window', filled(78_000, [-20, 23]), ['MEMORY_PRESSURE WARN 3 min clipped at start']],
  ['full still at the end', filled(78_000, [50, 20]), ['MEMORY_PRESSURE WARN 9.5 min clipped at end']],
  ['full all the time', filled(78_000, [-50, 120]), ['MEMORY_PRESSURE WARN 59.5 min clipped at both']],
  ['full again four and a half minutes later', filled(78_000, [20, 5], [29.5, 6]), ['MEMORY_PRESSURE WARN 15.5 min']],
  ['full again five and a half minutes later', filled(78_000, [20, 6], [31.5, 6]), [...full, ...full]],
  ['a blank is no full memory', filled(2_147_483_632, [20, 6]), []],
  ['a wider blank is none', filled(9.223372036854776e18, [20, 6]), []],
  [
    'full while one pod after the other has the GPU',
    nvidia({
      readings: { [used]: filling },
      lives: [
        [0, { pod: 'a' }],
        [scrapeAt(22), { pod: 'b' }],
      ],
    }),
    full,
  ],
  [
    'a full memory, a hot GPU and a waiting host at once',
    jointly(
      nvidia({ readings: { [used]: filling, DCGM_FI_DEV_GPU_TEMP: except(60, 85, lasting(18, 12)) } }),
      host({ memory: during(0.5, [19, 8]) }),
    ),
    [...full, 'THERMAL_THROTTLE HIGH 12 min', 'HOST_PRESSURE MEMORY WARN 8 min'],
  ],
];

incidents([
  { cluster: 'waiting', vendor: 'nvidia', situations: hosts },
  { cluster: 'filled', vendor: 'nvidia', situations: memories },
]);
