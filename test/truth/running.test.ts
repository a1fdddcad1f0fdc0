import { afterAll, beforeAll, expect, test } from 'vitest';

import { tellsOfRequests } from '../../src/reads/pods-seen.ts';
import { readNodesWithPods, readRunning } from '../../src/reads/running.ts';
import { readWorkloads } from '../../src/reads/workloads.ts';
import { ago, MINUTE, NOW, scrapes } from '../support/fleet/clock.ts';
import { dcgm } from '../support/fleet/dcgm.ts';
import { type KubePod, type KubeShape, ownerSeries, podSeries } from '../support/fleet/pods.ts';
import type { Series } from '../support/fleet/series.ts';
import { startWorld, type World } from '../support/fleet/world.ts';

const times = scrapes();
const after = (time: number): number => times.find((each) => each >= time)!;
const before = (time: number): number => times.findLast((each) => each < time)!;
const minutes = (count: number): number => ago(count * MINUTE);

const pods: readonly KubePod[] = [
  {
    name: 'w-0',
    node: 'n1',
    owner: ['Job', 'set-0'],
    gpus: 8,
    created: minutes(50),
    running: minutes(45),
    ended: minutes(20),
  },
  { name: 'w-1', node: 'n2', owner: ['Job', 'set-0'], gpus: 8, created: minutes(50), running: minutes(45) },
  { name: 'own', node: 'n1', created: minutes(90), running: minutes(85) },
  { name: 'agent', node: 'n1', owner: ['DaemonSet', 'agents'], created: minutes(30), running: minutes(29) },
  { name: 'waits', node: 'n1', owner: ['Job', 'slow'], created: minutes(30) },
  { name: 'nowhere', created: minutes(30) },
  { name: 'past', node: 'n3', created: minutes(110), running: minutes(109), ended: minutes(70) },
];
const seriesOf = (shape: KubeShape): Series[] => [
  ...['n1', 'n2', 'n3', 'n4'].flatMap((node) => dcgm({ node }, times, { DCGM_FI_DEV_GPU_TEMP: 60 })),
  ownerSeries('Job', 'set-0', ['JobSet', 'set'], times, 'default', shape),
  ...pods.flatMap((pod) => podSeries(pod, times, shape)),
];

let world: World;
beforeAll(async () => {
  world = await startWorld([
    { name: 'honoured', series: seriesOf('honoured') },
    { name: 'aside', series: seriesOf('exported') },
    { name: 'bare', series: dcgm({ node: 'n1' }, times, { DCGM_FI_DEV_GPU_TEMP: 60 }) },
  ]);
});
afterAll(() => world?.close());

const hour = { range: 'LAST_1H' } as const;
const common = { fromDaemonSet: false, askedForGpus: false };
const set = { kind: 'JobSet', namespace: 'default', name: 'set' };
const stretches = {
  own: {
    ...common,
    pod: 'default/own',
    uid: 'uid-default-own',
    from: after(minutes(60)),
    to: before(NOW),
    owner: null,
  },
  first: {
    ...common,
    pod: 'default/w-0',
    uid: 'uid-default-w-0',
    from: after(minutes(45)),
    to: before(minutes(20)),
    owner: set,
    askedForGpus: true,
  },
  second: {
    ...common,
    pod: 'default/w-1',
    uid: 'uid-default-w-1',
    from: after(minutes(45)),
    to: before(NOW),
    owner: set,
    askedForGpus: true,
  },
  agent: {
    ...common,
    pod: 'default/agent',
    uid: 'uid-default-agent',
    from: after(minutes(29)),
    to: before(NOW),
    owner: { kind: 'DaemonSet', namespace: 'default', name: 'agents' },
    fromDaemonSet: true,
  },
};

test.each(['honoured', 'aside'])('Running stretches by node, as sampled: %s', async (cluster) => {
  const view = await (await world.gateway()).view(cluster, hour);
  const running = await readRunning(view, new Set(['n1', 'n2', 'n3', 'n4']));
  expect(Object.fromEntries(running)).toEqual({
    n1: [stretches.own, stretches.first, stretches.agent],
    n2: [stretches.second],
  });
});

test('only of the nodes that are asked about, in four requests besides the list of nodes', async () => {
  const gateway = await world.gateway();
  const view = await gateway.view('honoured', hour);
  await view.inventory();
  const asked = gateway.requests().length;
  expect([...(await readRunning(view, new Set(['n2']))).keys()]).toEqual(['n2']);
  expect(gateway.requests().length - asked).toBe(4);
});

test.each(['honoured', 'aside'])('nodes on which the window holds any pod: %s', async (cluster) => {
  const view = await (await world.gateway()).view(cluster, hour);
  expect([...(await readNodesWithPods(view))].sort()).toEqual(['n1', 'n2', 'n3']);
  expect(await tellsOfRequests(view)).toBe(true);
});

test('the stretches of one workload', async () => {
  const view = await (await world.gateway()).view('honoured', hour);
  const id = { kind: 'JOB_SET', namespace: 'default', name: 'set' } as const;
  const placement = (await readWorkloads(view, [id])).get('default/set/JOB_SET');
  const seen = ({ from, to }: { from: number; to: number }) => ({ first: from, last: to });
  expect(placement!.placed.map(({ node, running }) => [node, running])).toEqual([
    ['n1', seen(stretches.first)],
    ['n2', seen(stretches.second)],
  ]);
});

test('without kube-state-metrics nothing is known, and nothing asked', async () => {
  const gateway = await world.gateway();
  const view = await gateway.view('bare', hour);
  await view.inventory();
  const asked = gateway.requests().length;
  expect(await readRunning(view, new Set(['n1']))).toEqual(new Map());
  expect(await readNodesWithPods(view)).toEqual(new Set());
  expect(await tellsOfRequests(view)).toBe(false);
  expect(gateway.requests().length).toBe(asked);
});
