import { ago, MINUTE, scrapes } from '../../support/fleet/clock.ts';
import { jointly, type NodeSeries } from '../../support/fleet/counting.ts';
import { dcgm } from '../../support/fleet/dcgm.ts';
import { incidents, type Situation } from '../../support/fleet/incidents.ts';
import { except, type Value } from '../../support/fleet/series.ts';
import { at, lasting, nvidia, phase } from '../../support/fleet/situations.ts';

const temp = 'DCGM_FI_DEV_GPU_TEMP';
const reads = (value: Value): NodeSeries => nvidia({ readings: { [temp]: value } });
/** 86 °C from a minute on, for so many minutes, else 62 °C. */
const hot = (...spans: [from: number, minutes: number][]): NodeSeries =>
  reads(except(62, 86, ...spans.map(([from, minutes]) => lasting(from, minutes))));
const warm = except(62, 86, lasting(20, 6));

const holding: Situation[] = [
  ['hot for five minutes', hot([20, 5]), ['THERMAL_THROTTLE WARN 5 min']],
  ['hot for four and a half minutes', hot([20, 4.5]), []],
  ['at just 83 °C for five minutes', reads(except(62, 83, lasting(20, 5))), ['THERMAL_THROTTLE WARN 5 min']],
  ['at 82 °C throughout', reads(82), []],
  ['at 82.9 °C throughout', reads(82.9), []],
  ['hot for nine and a half minutes', hot([20, 9.5]), ['THERMAL_THROTTLE WARN 9.5 min']],
  ['hot for ten minutes', hot([20, 10]), ['THERMAL_THROTTLE HIGH 10 min']],
  ['hot for eight minutes but for one cooler sample in the middle', hot([20, 4], [25, 3]), []],
  [
    'hot for five and a half minutes and, one cooler sample later, for six',
    hot([20, 5.5], [26.5, 6]),
    ['THERMAL_THROTTLE HIGH 12.5 min'],
  ],
  [
    'hot again four and a half minutes later: one stretch, ten minutes of it held',
    hot([10, 5], [19.5, 5]),
    ['THERMAL_THROTTLE HIGH 14.5 min'],
  ],
  [
    'hot again five and a half minutes later: two stretches',
    hot([10, 5], [20.5, 5]),
    ['THERMAL_THROTTLE WARN 5 min', 'THERMAL_THROTTLE WARN 5 min'],
  ],
  [
    'hot again just five minutes later: two stretches',
    hot([10, 5], [20, 5]),
    ['THERMAL_THROTTLE WARN 5 min', 'THERMAL_THROTTLE WARN 5 min'],
  ],
  ['hot for four minutes, twice, a minute apart', hot([20, 4], [25, 4]), []],
];

const edges: Situation[] = [
  ['hot since before the window', hot([-10, 18]), ['THERMAL_THROTTLE WARN 8 min clipped at start']],
  ['still hot at the end', hot([52, 10]), ['THERMAL_THROTTLE WARN 7.5 min clipped at end']],
  ['hot all the time', hot([-30, 100]), ['THERMAL_THROTTLE HIGH 59.5 min clipped at both']],
  [
    'hot for five and a half minutes, half of them inside',
    hot([-3, 5.5]),
    ['THERMAL_THROTTLE WARN 2.5 min clipped at start'],
  ],
  ['hot for four and a half minutes around the start', hot([-2, 4.5]), []],
  ['hot for twelve minutes, six of them inside', hot([-6, 12]), ['THERMAL_THROTTLE WARN 6 min clipped at start']],
  ['hot only before the window', hot([-15, 14]), []],
  ['hot for the last four minutes', hot([56, 10]), []],
  ['hot from a scrape after the start', hot([0.5, 6]), ['THERMAL_THROTTLE WARN 6 min clipped at start']],
  ['hot from two scrapes after the start', hot([1, 6]), ['THERMAL_THROTTLE WARN 6 min']],
  ['hot until two scrapes before the end', hot([52, 6.5]), ['THERMAL_THROTTLE WARN 6.5 min']],
  ['hot until a scrape before the end', hot([52, 7]), ['THERMAL_THROTTLE WARN 7 min clipped at end']],
  [
    'hot across the end of a window of the past',
    hot([27, 6]),
    ['THERMAL_THROTTLE WARN 2.5 min clipped at end'],
    [ago(90 * MINUTE), ago(30 * MINUTE)],
  ],
  [
    'hot for four and a half minutes across the end of a window of the past',
    hot([27, 4.5]),
    [],
    [ago(90 * MINUTE), ago(30 * MINUTE)],
  ],
  [
    'hot in a window that opens and closes at no whole scrape',
    hot([20, 30]),
    ['THERMAL_THROTTLE HIGH 17 min clipped at both'],
    [at(25) + 13, at(43) - 11],
  ],
];

const scraping = (...holes: [number, number][]): NodeSeries =>
  nvidia({ readings: { [temp]: except(62, 86, lasting(20, 9)) }, scraping: { holes } });
const mig = (id: string): NodeSeries =>
  nvidia({
    readings: { [temp]: warm, DCGM_FI_DEV_GPU_UTIL: null, DCGM_FI_DEV_FB_USED: 9000, DCGM_FI_DEV_FB_TOTAL: 40_000 },
    gpu: { extra: { GPU_I_ID: id, GPU_I_PROFILE: '3g.40gb' } },
  });
const sliced = (vgpu: string): NodeSeries =>
  nvidia({ readings: { [temp]: warm }, gpu: { pod: `infer-${vgpu}`, extra: { vgpu } } });

const series: Situation[] = [
  [
    'hot for nine minutes with a silence from scrape to scrape of 90 s',
    scraping([at(23) + 10, at(24) + 10]),
    ['THERMAL_THROTTLE WARN 9 min'],
  ],
  ['hot for nine minutes with a silence of two minutes in the middle', scraping([at(24) + 10, at(25.5) + 10]), []],
  [
    'hot, silent for twenty minutes, and hot again',
    nvidia({
      readings: { [temp]: except(62, 86, lasting(5, 50)) },
      scraping: { holes: [[at(15) + 10, at(35) + 5]] },
    }),
    ['THERMAL_THROTTLE HIGH 10 min', 'THERMAL_THROTTLE HIGH 20 min'],
  ],
  [
    'one pod after the other has the GPU while it is hot',
    nvidia({
      readings: { [temp]: warm },
      lives: [
        [0, { pod: 'train-0' }],
        [at(23), { pod: 'train-1' }],
      ],
    }),
    ['THERMAL_THROTTLE WARN 6 min'],
  ],
  [
    'the exporter restarts with another driver and address while the GPU is hot',
    nvidia({
      readings: { [temp]: warm },
      scraping: { holes: [[at(23), at(24)]] },
      lives: [
        [0, {}],
        [at(23), { driver: '570.86.10', address: '10.7.7.7' }],
      ],
    }),
    ['THERMAL_THROTTLE WARN 6 min'],
  ],
  ['a hot board under two MIG instances', jointly(mig('1'), mig('2')), ['THERMAL_THROTTLE WARN 6 min']],
  [
    'a hot GPU that three pods share by time slices',
    jointly(sliced('0'), sliced('1'), sliced('2')),
    ['THERMAL_THROTTLE WARN 6 min'],
  ],
  [
    'two hot GPUs of one node',
    jointly(
      nvidia({ readings: { [temp]: warm } }),
      nvidia({ readings: { [temp]: except(62, 90, lasting(30, 12)) }, gpu: { index: 5 } }),
    ),
    ['THERMAL_THROTTLE WARN 6 min', 'THERMAL_THROTTLE GPU 5 HIGH 12 min'],
  ],
  [
    'a GPU that only shows its temperature, by its newer name, without a host label',
    (node) => dcgm({ node, shape: 'relabelled', era: 'B' }, scrapes({ phase }), { DCGM_FI_DEV_GPU_TEMP_CELSIUS: warm }),
    ['THERMAL_THROTTLE WARN 6 min'],
  ],
  [
    'hot for eleven scrapes that jitter, a hair less than five minutes',
    nvidia({
      readings: { [temp]: except(62, 86, [at(20), at(25) + 7.5]) },
      own: { [temp]: { every: 29.98, phase: 4.2 } },
    }),
    ['THERMAL_THROTTLE WARN 5 min'],
  ],
];

const blanks: Situation[] = [
  ['a blank of 2147483632 °C for ten minutes', reads(except(62, 2_147_483_632, lasting(20, 10))), []],
  ['200 °C for ten minutes', reads(except(62, 200, lasting(20, 10))), []],
  [
    'hot for six minutes, two samples of them blank',
    reads(except(warm, 2_147_483_632, lasting(22, 0), lasting(24, 0))),
    ['THERMAL_THROTTLE WARN 6 min'],
  ],
  [
    'hot for nine minutes, two minutes in the middle blank',
    reads(except(except(62, 86, lasting(20, 9)), 2_147_483_632, lasting(23.5, 1.5))),
    [],
  ],
];

incidents([
  { cluster: 'hot', vendor: 'nvidia', situations: holding },
  { cluster: 'hot-edges', vendor: 'nvidia', situations: edges },
  { cluster: 'hot-series', vendor: 'nvidia', situations: [...series, ...blanks] },
]);
