import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ago, HOUR, NOW, scrapes } from '../../support/fleet/clock.ts';
import { jointly, type NodeSeries } from '../../support/fleet/counting.ts';
import { flagFields, wrongFlags } from '../../support/fleet/flag-questions.ts';
import { flagsOf } from '../../support/fleet/flag-truth.ts';
import { inWords } from '../../support/fleet/incidents.ts';
import { type KubePod, ownerSeries, podSeries } from '../../support/fleet/pods.ts';
import { askCluster } from '../../support/fleet/questions.ts';
import { except, type Series, stepped } from '../../support/fleet/series.ts';
import { at, host, lasting, nvidia, scrapeAt } from '../../support/fleet/situations.ts';
import { startWorld, type World } from '../../support/fleet/world.ts';

/** Kubernetes is asked at other seconds than the GPUs, so that no sample is taken just where a pod comes or goes. */
const sightings = scrapes({ phase: 20 });
const temp = 'DCGM_FI_DEV_GPU_TEMP';
const tensor = 'DCGM_FI_PROF_PIPE_TENSOR_ACTIVE';
const hot = (from: number, minutes: number) => except(62, 88, lasting(from, minutes));
const always = ago(5 * HOUR);

interface Stay {
  readonly node: string;
  /** From its first to its last sighting as Running, inside the window. */
  readonly from: number;
  readonly to: number;
}
const throughout = { from: ago(HOUR), to: NOW };
/** First and last sighting of a pod that runs from one minute of the hour to another. */
const stay = (node: string, from: number, to: number): Stay => ({ node, from: at(from) + 20, to: at(to) - 10 });

const pod = (name: string, job: string, node: string, life: Partial<KubePod> = {}): Series[] =>
  podSeries({ name, node, owner: ['Job', job], gpus: 8, created: always, running: always, ...life }, sightings);
const lived = (from: number, to: number): Partial<KubePod> => ({
  created: at(from),
  running: at(from),
  ended: at(to),
  deleted: at(to),
});

const nodes: [node: string, series: NodeSeries][] = [
  ['k1', nvidia({ readings: { [temp]: hot(20, 12) }, gpu: { pod: 'train-0' } })],
  ['k2', jointly(nvidia({ gpu: { pod: 'train-1' } }), host({ io: except(0.01, 0.4, lasting(30, 6)) }))],
  // Hot before the pod moves away, and hotter after.
  [
    'k3',
    nvidia({
      readings: { [temp]: except(hot(5, 6), 92, lasting(40, 12)) },
      lives: [
        [0, { pod: 'moved-0' }],
        [at(30), { pod: undefined }],
      ],
    }),
  ],
  [
    'k4',
    nvidia({
      readings: { [temp]: hot(10, 12), DCGM_FI_DEV_PCIE_REPLAY_COUNTER: stepped(4, [scrapeAt(45), 6]) },
      lives: [
        [0, { pod: undefined }],
        [at(30), { pod: 'moved-1' }],
      ],
    }),
  ],
  ['k5', nvidia({ readings: { [temp]: hot(5, 50) }, gpu: { pod: 'brief-0' } })],
  [
    'k6',
    jointly(
      nvidia({ readings: { [tensor]: except(0.5, 0.05, lasting(20, 12)) }, gpu: { pod: 'mine-0' } }),
      nvidia({ readings: { [tensor]: except(0.5, 0.05, lasting(25, 15)) }, gpu: { index: 1, pod: 'theirs-0' } }),
    ),
  ],
  ['k7', nvidia({ gpu: { pod: 'calm-0' } })],
];

const cases: [label: string, job: string, stays: Stay[], flags: string[]][] = [
  [
    'a job on two nodes has the flags of both',
    'train',
    [
      { node: 'k1', ...throughout },
      { node: 'k2', ...throughout },
    ],
    ['k1 THERMAL_THROTTLE HIGH 12 min', 'k2 HOST_PRESSURE IO WARN 6 min'],
  ],
  [
    'a job that moved has what happened where it was, while it was there',
    'moved',
    [stay('k3', -30, 30), stay('k4', 30, 100)],
    ['k3 THERMAL_THROTTLE WARN 6 min', 'k4 COMM_ERRORS WARN 0.5 min'],
  ],
  [
    'a job that ran in the middle of a hot hour sees it clipped at its own ends',
    'brief',
    [stay('k5', 20, 40)],
    ['k5 THERMAL_THROTTLE HIGH 19 min clipped at both'],
  ],
  [
    'a job beside another on one node: only its own GPU fell idle',
    'mine',
    [{ node: 'k6', ...throughout }],
    ['k6 UTILIZATION_COLLAPSE WARN 12 min'],
  ],
  ['its neighbour', 'theirs', [{ node: 'k6', ...throughout }], ['k6 UTILIZATION_COLLAPSE GPU 1 WARN 15 min']],
  ['a calm job', 'calm', [{ node: 'k7', ...throughout }], []],
];

const all: Series[] = [
  ...nodes.flatMap(([node, build]) => jointly(build, host())(node)),
  ...cases.map(([, job]) => ownerSeries('Job', job, null, sightings)),
  ...pod('train-0', 'train', 'k1'),
  ...pod('train-1', 'train', 'k2'),
  ...pod('moved-0', 'moved', 'k3', { ended: at(30), deleted: at(30) }),
  ...pod('moved-1', 'moved', 'k4', { created: at(30), running: at(30) }),
  ...pod('brief-0', 'brief', 'k5', lived(20, 40)),
  ...pod('mine-0', 'mine', 'k6', { gpus: 1 }),
  ...pod('theirs-0', 'theirs', 'k6', { gpus: 1 }),
  ...pod('calm-0', 'calm', 'k7'),
];

/** A workload's flags: of each of its nodes, over the time that it ran there. */
const truthOf = (job: string, stays: readonly Stay[]) =>
  stays.flatMap(({ node, from, to }) =>
    flagsOf(all, {
      node,
      vendor: 'nvidia',
      window: { start: Math.max(from, ago(HOUR)), end: Math.min(to, NOW) },
      now: NOW,
      own: (name) => name.startsWith(`${job}-`),
    }),
  );

let world: World;
beforeAll(async () => {
  world = await startWorld([{ name: 'jobs', series: all }]);
});
afterAll(() => world?.close());

describe('a workload', () => {
  test.each(cases)('by its samples: %s', (_label, job, stays, flags) => {
    const words = truthOf(job, stays).map((flag) => `${flag.node} ${inWords(flag)}`);
    expect(words.sort()).toEqual([...flags].sort());
  });

  test.each(cases)('%s', async (_label, job, stays) => {
    const selection = `reference { tempP95C } workload(kind: JOB, name: "${job}") { flags { clean flags { ${flagFields} } } }`;
    const { reference, workload } = await askCluster(await world.gateway(), 'jobs', selection);
    const truth = truthOf(job, stays);
    expect(wrongFlags(truth, workload.flags.flags, reference.tempP95C)).toEqual([]);
    expect(workload.flags.clean).toBe(truth.length === 0);
  });
});
