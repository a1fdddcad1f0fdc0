import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ago, HOUR, iso, MINUTE, NOW, scrapes } from '../support/fleet/clock.ts';
import { dcgm } from '../support/fleet/dcgm.ts';
import { type KubePod, podSeries } from '../support/fleet/pods.ts';
import { askCluster, lastHour, span, type WindowInput } from '../support/fleet/questions.ts';
import type { Series } from '../support/fleet/series.ts';
import { startWorld, type World } from '../support/fleet/world.ts';

const all = scrapes({ from: ago(8 * HOUR) });
const job = ['Job', 'train'] as const;
type Build = (namespace: string) => Series[];
/** Pods of one case, in a namespace of its own. */
const pods =
  (...own: readonly KubePod[]): Build =>
  (namespace) =>
    own.flatMap((pod) => podSeries({ owner: job, ...pod, namespace }, all));

/** Every 30 seconds at 7.123: the first sample at or after an instant, and the last one before it. */
const firstFrom = (time: number): number => all.find((each) => each >= time)!;
const lastBefore = (time: number): number => all.findLast((each) => each < time)!;

interface Row {
  readonly pod: string;
  readonly node: string;
  readonly from: number;
  readonly to: number | null;
  readonly phase: string;
}
const row = (pod: string, node: string, from: number, to: number | null, phase = 'RUNNING'): Row => ({
  pod,
  node,
  from: firstFrom(from),
  to: to === null ? null : lastBefore(to),
  phase,
});
const minutes = (count: number): number => ago(count * MINUTE);

const cases: [behaviour: string, build: Build, rows: Row[], window?: WindowInput][] = [
  [
    'a pod that waits and runs is there from its first sighting on the node, and still',
    pods({ name: 'a', node: 'n1', created: minutes(40), running: minutes(35) }),
    [row('a', 'n1', minutes(40), null)],
  ],
  [
    'a pod that waits for its containers is there, pending',
    pods({ name: 'a', node: 'n1', created: minutes(40) }),
    [row('a', 'n1', minutes(40), null, 'PENDING')],
  ],
  [
    'minutes without a node are not on it',
    pods({ name: 'a', node: 'n1', created: minutes(50), scheduled: minutes(30), running: minutes(29) }),
    [row('a', 'n1', minutes(30), null)],
  ],
  ['a pod that never gets a node is nowhere', pods({ name: 'a', created: minutes(50) }), []],
  [
    'a finished pod has left, whatever kube-state-metrics goes on showing',
    pods({ name: 'a', node: 'n1', created: minutes(50), running: minutes(49), ended: minutes(20) }),
    [row('a', 'n1', minutes(50), minutes(20), 'SUCCEEDED')],
  ],
  [
    'one that finished a scrape before the end has left too',
    pods({ name: 'a', node: 'n1', created: minutes(50), running: minutes(49), ended: ago(45), endedAs: 'Failed' }),
    [row('a', 'n1', minutes(50), ago(45), 'FAILED')],
  ],
  [
    'and one that finished well',
    pods({ name: 'a', node: 'n1', created: minutes(50), running: minutes(49), ended: ago(45) }),
    [row('a', 'n1', minutes(50), ago(45), 'SUCCEEDED')],
  ],
  [
    'a pod whose life is a single scrape, among others that go on',
    pods(
      { name: 'a', node: 'n1', created: minutes(40), running: minutes(40), deleted: minutes(40) + 30 },
      { name: 'b', node: 'n1', created: minutes(300), running: minutes(299) },
    ),
    [row('a', 'n1', minutes(40), minutes(40) + 30), row('b', 'n1', minutes(60), null)],
  ],
  [
    'a pod that finished before the window was nowhere in it',
    pods({ name: 'a', node: 'n1', created: minutes(300), running: minutes(290), ended: minutes(90) }),
    [],
  ],
  [
    'a pod that was deleted in the window ended with its last sighting',
    pods({ name: 'a', node: 'n1', created: minutes(50), running: minutes(49), deleted: minutes(20) }),
    [row('a', 'n1', minutes(50), minutes(20))],
  ],
  [
    'a pod that was there before the window is there from the first sample in it',
    pods({ name: 'a', node: 'n1', created: minutes(200), running: minutes(199), ended: minutes(30) }),
    [row('a', 'n1', minutes(60), minutes(30), 'SUCCEEDED')],
  ],
  [
    'a window that cuts its life at both edges knows nothing of the end',
    pods({ name: 'a', node: 'n1', created: minutes(300), running: minutes(299), ended: minutes(30) }),
    [row('a', 'n1', minutes(120), null)],
    span(minutes(120), minutes(60)),
  ],
  [
    'a window that ends between the instants of a grid',
    pods({ name: 'a', node: 'n1', created: minutes(110), running: minutes(109), deleted: minutes(65) }),
    [row('a', 'n1', minutes(110), minutes(65))],
    span(minutes(120) + 3, minutes(60) - 11),
  ],
  [
    'its only sample lies behind the last instant of a grid',
    pods({ name: 'a', node: 'n1', created: minutes(60) + 5 }),
    [row('a', 'n1', minutes(60) + 5, null, 'PENDING')],
    span(minutes(90), minutes(60) + 8),
  ],
  [
    'a sample at the very start of the window lies outside, one at its end inside',
    pods({ name: 'a', node: 'n1', created: minutes(200), running: minutes(199), deleted: minutes(119) }),
    [row('a', 'n1', minutes(120), minutes(119))],
    span(minutes(120), minutes(60)),
  ],
  [
    'the same name on two nodes is two pods',
    pods(
      { name: 'a', uid: 'two-1', node: 'n1', created: minutes(50), running: minutes(49), deleted: minutes(30) },
      { name: 'a', uid: 'two-2', node: 'n2', created: minutes(29), running: minutes(28) },
    ),
    [row('a', 'n1', minutes(50), minutes(30)), row('a', 'n2', minutes(29), null)],
  ],
  [
    'the same name on one node again is two pods',
    pods(
      { name: 'a', uid: 'again-1', node: 'n1', created: minutes(50), running: minutes(49), deleted: minutes(30) },
      { name: 'a', uid: 'again-2', node: 'n1', created: minutes(29), running: minutes(28) },
    ),
    [row('a', 'n1', minutes(50), minutes(30)), row('a', 'n1', minutes(29), null)],
  ],
  [
    'one that Kubernetes lost touch with',
    (namespace) =>
      podSeries(
        {
          name: 'a',
          namespace,
          node: 'n1',
          owner: job,
          created: minutes(50),
          running: minutes(49),
          ended: minutes(20),
          endedAs: 'Unknown' as never,
        },
        all,
      ),
    [row('a', 'n1', minutes(50), minutes(20), 'UNKNOWN')],
  ],
  [
    'ten pods, in the order people count',
    pods(
      ...Array.from({ length: 12 }, (_, at) => ({
        name: `train-${at}`,
        node: `n${at % 3}`,
        created: minutes(50 - at),
      })),
    ),
    Array.from({ length: 12 }, (_, at) => row(`train-${at}`, `n${at % 3}`, minutes(50 - at), null, 'PENDING')),
  ],
  [
    'labels that were moved aside, and a pod without a node there',
    (namespace) => [
      ...podSeries(
        {
          name: 'a',
          namespace,
          node: 'n1',
          owner: job,
          created: minutes(50),
          scheduled: minutes(45),
          running: minutes(44),
        },
        all,
        'exported',
      ),
      ...podSeries({ name: 'b', namespace, owner: job, created: minutes(50) }, all, 'exported'),
    ],
    [row('a', 'n1', minutes(45), null)],
  ],
  [
    'a node that nothing else tells of',
    pods({ name: 'a', node: 'gone-7', created: minutes(50), running: minutes(49), deleted: minutes(40) }),
    [row('a', 'gone-7', minutes(50), minutes(40))],
  ],
  [
    'a node whose exporter has its long name',
    pods({ name: 'a', node: 'long', created: minutes(50) }),
    [row('a', 'long.example.org', minutes(50), null, 'PENDING')],
  ],
];

/** Two replicas of kube-state-metrics, scraped apart: the union of what they saw. */
const replicas: Build = (namespace) => {
  const pod = {
    name: 'a',
    namespace,
    node: 'n1',
    owner: job,
    created: minutes(50),
    running: minutes(49),
    ended: minutes(20),
  };
  const other = scrapes({ from: ago(8 * HOUR), phase: 21.4 });
  return [...podSeries(pod, all), ...podSeries(pod, other, 'honoured', { instance: '10.1.0.9:8080' })];
};
/** kube-state-metrics moved in mid-window: what the first saw last is no end. */
const moved: Build = (namespace) => {
  const pod = {
    name: 'a',
    namespace,
    node: 'n1',
    owner: job,
    created: minutes(50),
    running: minutes(49),
    ended: minutes(20),
  };
  const at = (from: number, to: number) => all.filter((time) => time > from && time <= to);
  return [
    ...podSeries(pod, at(minutes(100), minutes(30))),
    ...podSeries(pod, at(minutes(30), NOW), 'honoured', { instance: '10.1.0.9:8080' }),
  ];
};
/** Before version 2 kube-state-metrics told no uid of a phase. */
const withoutUids: Build = (namespace) =>
  pods({ name: 'a', node: 'n1', created: minutes(50), running: minutes(49), ended: minutes(20) })(namespace).map(
    (one) =>
      one.labels['__name__'] === 'kube_pod_status_phase'
        ? { ...one, labels: Object.fromEntries(Object.entries(one.labels).filter(([label]) => label !== 'uid')) }
        : one,
  );
const built: [string, Build, Row[], WindowInput?][] = [
  ...cases,
  // The second replica was the last to see it run.
  [
    'two replicas show a pod once',
    replicas,
    [{ ...row('a', 'n1', minutes(50), null, 'SUCCEEDED'), to: minutes(20) - 30 + 21.4 }],
  ],
  ['kube-state-metrics moved', moved, [row('a', 'n1', minutes(50), minutes(20), 'SUCCEEDED')]],
  ['phases without uids', withoutUids, [row('a', 'n1', minutes(50), minutes(20), 'SUCCEEDED')]],
];
const namespaceOf = (at: number): string => `case-${at}`;

let world: World;
beforeAll(async () => {
  const nodes = ['n0', 'n1', 'n2', 'long.example.org'].flatMap((node) =>
    dcgm({ node }, scrapes(), { DCGM_FI_DEV_GPU_TEMP: 60 }),
  );
  world = await startWorld([
    { name: 'placed', series: [...nodes, ...built.flatMap(([, build], at) => build(namespaceOf(at)))] },
    {
      name: 'theirs',
      owner: 'others',
      series: pods({ name: 'z', node: 'n9', created: minutes(50) })(namespaceOf(0)),
    },
    {
      // Its history begins after the window.
      name: 'young',
      series: [
        ...dcgm({ node: 'n1' }, all, { DCGM_FI_DEV_GPU_TEMP: 60 }),
        ...[
          { name: 'old', node: 'n1', created: minutes(300), running: minutes(299) },
          { name: 'began', node: 'n1', created: minutes(90), running: minutes(89) },
          { name: 'later', node: 'n1', created: minutes(30), running: minutes(29) },
          { name: 'over', node: 'n1', created: minutes(300), running: minutes(299), ended: minutes(10) },
          { name: 'left', node: 'n1', created: minutes(300), running: minutes(299), deleted: minutes(10) },
          { name: 'waits', created: minutes(300) },
        ].flatMap((pod) => podSeries({ ...pod, owner: ['Job', `${pod.name}-job`] }, scrapes({ from: minutes(40) }))),
      ],
    },
  ]);
});
afterAll(() => world?.close());

const selection =
  '{ kind namespace name placementSource placement { pod node { name } from to phase } nodes { name } }';
interface Told extends Omit<Row, 'node' | 'from' | 'to'> {
  readonly node: { readonly name: string };
  readonly from: string;
  readonly to: string | null;
}

describe('a placement is where pods waited and ran in the window', () => {
  test.each(built.map(([behaviour, , rows, window], at) => [behaviour, namespaceOf(at), rows, window] as const))(
    '%s',
    async (_behaviour, namespace, rows, window) => {
      const gateway = await world.gateway();
      const asked = `workload(kind: JOB, name: "train", namespace: "${namespace}") ${selection}`;
      const { workload } = await askCluster(gateway, 'placed', asked, window ?? lastHour);
      expect(workload).toMatchObject({ kind: 'JOB', namespace, name: 'train', placementSource: 'HISTORY' });
      const told = workload.placement.map(({ node, ...rest }: Told) => ({ ...rest, node: node.name }));
      expect(told).toEqual(
        rows.map(({ from, to, ...rest }) => ({ ...rest, from: iso(from), to: to === null ? null : iso(to) })),
      );
      const names = [...new Set(rows.map(({ node }) => node))];
      expect(workload.nodes.map(({ name }: { name: string }) => name)).toEqual(names.sort());
    },
  );
});

describe('where the window holds no history, pods that exist now tell', () => {
  const past = span(minutes(120), minutes(60));
  const ask = async (name: string, window = past) => {
    const document = `query ($window: WindowInput) { cluster(name: "young", window: $window) {
      workload(kind: JOB, name: "${name}-job") { placementSource placement { pod node { name } from to phase } note } } }`;
    return (await world.gateway()).query(document, { window });
  };

  test.each([
    ['old', minutes(120)],
    ['began', minutes(90)],
  ])('%s', async (name, from) => {
    const { data, errors } = await ask(name);
    expect(errors).toBeUndefined();
    expect(data.cluster.workload).toMatchObject({
      placementSource: 'CURRENT_PODS',
      placement: [{ pod: name, node: { name: 'n1' }, from: iso(from), to: null, phase: 'RUNNING' }],
    });
    expect(data.cluster.workload.note).toContain('exist now');
  });

  test('a pod that waits now is nowhere, and named', async () => {
    const { data } = await ask('waits');
    expect(data.cluster.workload).toMatchObject({ placementSource: 'CURRENT_PODS', placement: [] });
    expect(data.cluster.workload.note).toContain('Pod waits waited and never got a node');
  });

  test.each(['later', 'over', 'left', 'never'])('%s is NOT_FOUND', async (name) => {
    const { data, errors } = await ask(name);
    expect(errors).toMatchObject([{ path: ['cluster', 'workload'], extensions: { code: 'NOT_FOUND', status: 404 } }]);
    expect(data.cluster.workload).toBeNull();
  });

  test('a window that holds history does not look at what is now', async () => {
    const { data } = await ask('left', span(minutes(35), minutes(20)));
    expect(data.cluster.workload).toMatchObject({ placementSource: 'HISTORY', placement: [{ pod: 'left', to: null }] });
  });
});

test('a node that nothing else tells of answers like one without GPUs', async () => {
  const namespace = namespaceOf(built.findIndex(([behaviour]) => behaviour === 'a node that nothing else tells of'));
  const asked = `workload(kind: JOB, name: "train", namespace: "${namespace}") {
    coverage { present } note
    nodes { name state gpuCount gpus { index } host { loadPerCore { last } } coverage { present } note workloads { name } }
  }`;
  const { workload } = await askCluster(await world.gateway(), 'placed', asked);
  const [node] = workload.nodes;
  expect(node).toMatchObject({ name: 'gone-7', state: 'UNKNOWN', gpuCount: 0, gpus: [], host: { loadPerCore: null } });
  expect([node.coverage.present, workload.coverage.present]).toEqual([[], []]);
  expect(workload.note).toContain('gone-7: Kubernetes knows it, but no exporter of it was seen.');
  expect(node.workloads.map(({ name }: { name: string }) => name)).toEqual(['train']);
});

test('a week is as exact as an hour', async () => {
  const asked = `workload(kind: JOB, name: "train", namespace: "${namespaceOf(built.findIndex(([behaviour]) => behaviour.startsWith('a finished pod has left')))}") ${selection}`;
  const { workload } = await askCluster(await world.gateway(), 'placed', asked, { range: 'LAST_7D' });
  expect(workload.placement).toMatchObject([
    { from: iso(firstFrom(minutes(50))), to: iso(lastBefore(minutes(20))), phase: 'SUCCEEDED' },
  ]);
});
