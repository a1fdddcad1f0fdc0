import type { RunEvent } from '../../src/runs/event.ts';
import type { WorkloadId } from '../../src/domain/workload.ts';
import { ago, HOUR, scrapes } from './fleet/clock.ts';
import { jointly } from './fleet/counting.ts';
import { type KubePod, podSeries } from './fleet/pods.ts';
import { except, type Series, stepped } from './fleet/series.ts';
import { amdGpu, at, host, lasting, nvidia, scrapeAt } from './fleet/situations.ts';
import type { Site } from './fleet/world.ts';
import { annotation, metric, runSeries } from './run-samples.ts';

const long = { from: ago(5 * HOUR) };
const sightings = scrapes({ phase: 20, ...long });
const temp = 'DCGM_FI_DEV_GPU_TEMP';

export const job = (name: string): WorkloadId => ({ kind: 'JOB', namespace: 'default', name });

/** One pod of a job on each node, since before the window. */
export const pods = (name: string, nodes: readonly string[], life: Partial<KubePod> = {}, seen = sightings): Series[] =>
  nodes.flatMap((node, i) =>
    podSeries(
      {
        name: `${name}-${i}`,
        node,
        owner: ['Job', name],
        gpus: 8,
        created: ago(6 * HOUR),
        running: ago(6 * HOUR),
        ...life,
      },
      seen,
    ),
  );

const recovery = { DCGM_FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_TOTAL: 0 };

/** A GPU that tells no pod unless it is said, and its host. */
export const calm = (node: string, made: Parameters<typeof nvidia>[0] = {}): Series[] =>
  jointly(
    nvidia({
      scraping: long,
      ...made,
      readings: { ...recovery, ...made.readings },
      gpu: { pod: undefined, ...made.gpu },
    }),
    host({}, { ...long, ...made.scraping }),
  )(node);
const red = (node: string): Series[] =>
  jointly(amdGpu({ scraping: long, gpu: { pod: undefined } }), host({}, long))(node);

const hot = (...minutes: (readonly [from: number, minutes: number])[]) => ({
  readings: { [temp]: except(62, 90, ...minutes.map(([from, length]) => lasting(from, length))) },
});

/** Hot from the twentieth minute on. */
export const hotNode = (node: string): Series[] => calm(node, hot([20, 40]));

type Between = readonly [from: number, to: number];

/** Steps of 10 s, and of 25 s between some minutes of the last hour; nothing is reported in the pauses. */
export function training(
  slow: readonly Between[],
  pauses: readonly Between[] = [],
  until = 60,
  from = -60,
): RunEvent[] {
  const events: RunEvent[] = [];
  for (let time = at(from), step = 0; time < at(until); step += 1) {
    const pause = pauses.find((one) => time >= at(one[0]) && time < at(one[1]));
    if (pause) time = at(pause[1]);
    const seconds = slow.some((one) => time >= at(one[0]) && time < at(one[1])) ? 25 : 10;
    time += seconds;
    if (time <= at(until)) events.push(metric(time, step, 'runtime/step_seconds', seconds, { split: 'train' }));
  }
  return events;
}

const evaluation = (minute: number, seconds: number): RunEvent =>
  metric(at(minute), null, 'runtime/eval_seconds', seconds, { split: 'eval', pass: 'held-out' });
const checkpoint = (minute: number, seconds?: number): RunEvent =>
  annotation(at(minute), null, 'checkpoint', seconds === undefined ? {} : { seconds: String(seconds) });

/** Slow for a quarter of an hour. */
export const quarter: Between = [20, 35];

/** What each run of the cluster `c` reported. */
export const told: Readonly<Record<string, readonly RunEvent[]>> = {
  hot: training([quarter]),
  code: training([quarter]),
  silent: training([quarter]),
  elsewhere: training([quarter]),
  missing: training([quarter]),
  unnamed: training([quarter]),
  ghost: training([quarter]),
  two: training([quarter]),
  before: training([quarter]),
  touched: training([quarter]),
  left: training([quarter]),
  gone: training([quarter]),
  moved: training([quarter]),
  paused: [
    ...training(
      [quarter],
      [
        [10, 12],
        [25, 30],
        [31, 32],
      ],
    ),
    evaluation(12, 120),
    evaluation(30, 300),
    checkpoint(32, 60),
  ],
  hung: training([[30, 40]], [], 40),
  finished: [...training([[30, 40]], [], 40), annotation(at(40), null, 'finished')],
  steady: training([]),
  speechless: [metric(at(30), 4, 'train/loss', 2.5, { split: 'train' })],
  twice: training([
    [10, 15],
    [40, 50],
  ]),
};

/** The nodes of each run's job, all alive and well but for what is told here. */
const nodes: Readonly<Record<string, Readonly<Record<string, Parameters<typeof nvidia>[0]>>>> = {
  hot: { 'hot-1': hot([18, 12]), 'hot-2': {} },
  code: { 'code-1': {}, 'code-2': {} },
  silent: { 'silent-1': {}, 'silent-2': { scraping: { ...long, holes: [[at(22), at(32)]] } } },
  elsewhere: { 'elsewhere-1': { scraping: { ...long, holes: [[at(40), at(50)]] } } },
  missing: { 'missing-1': { readings: { DCGM_FI_DEV_ECC_DBE_VOL_TOTAL: null } } },
  two: { 'two-1': hot([22, 10]), 'two-2': { readings: { DCGM_FI_DEV_XID_ERRORS: stepped(0, [scrapeAt(25), 79]) } } },
  before: { 'before-1': hot([5, 10]) },
  touched: { 'touched-1': hot([10, 12]) },
  left: { 'left-1': {} },
  gone: { 'gone-1': {} },
  moved: { 'moved-1': {} },
  paused: { 'paused-1': hot([25, 6]) },
  hung: { 'hung-1': {} },
  finished: { 'finished-1': {} },
  steady: { 'steady-1': {} },
  twice: { 'twice-1': hot([40, 8]), 'twice-2': {} },
};
const lives: Readonly<Record<string, Partial<KubePod>>> = {
  left: { ended: at(25), deleted: at(25) },
  gone: { ended: at(10), deleted: at(10) },
};

const reported = (name: string): Series[] => {
  const workload = name === 'unnamed' ? null : job(name);
  return [
    ...runSeries(name, told[name]!, workload),
    ...(name === 'moved' ? runSeries(name, [metric(at(2), 0, 'train/loss', 3)], job('moved-before')) : []),
  ];
};

/** Everything that can be beside a slow stretch, a job each. */
export const slowSites: readonly Site[] = [
  {
    name: 'c',
    series: [
      ...Object.entries(nodes).flatMap(([name, own]) => [
        ...Object.entries(own).flatMap(([node, made]) => calm(node, made)),
        ...pods(name, Object.keys(own), lives[name]),
      ]),
      ...Object.keys(told).flatMap(reported),
    ],
  },
  {
    name: 'red',
    vendor: 'amd',
    series: [...red('red-1'), ...pods('red', ['red-1']), ...runSeries('red', told['code']!, job('red'))],
  },
  {
    // Kubernetes is watched only since ten minutes ago.
    name: 'late',
    series: [
      ...calm('late-1', { gpu: { pod: 'late-0' } }),
      ...pods('late', ['late-1'], {}, scrapes({ phase: 20, from: ago(600) })),
      ...runSeries('late', training([[-90, -75]], [], -60, -120), job('late')),
    ],
  },
];
