import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ago, MINUTE, scrapes } from '../support/fleet/clock.ts';
import { dcgm } from '../support/fleet/dcgm.ts';
import { type KubePod, type KubeShape, ownerSeries, podSeries } from '../support/fleet/pods.ts';
import { askCluster, askNode, lastHour, span } from '../support/fleet/questions.ts';
import type { Series } from '../support/fleet/series.ts';
import { startWorld, type World } from '../support/fleet/world.ts';

const times = scrapes();
const gpuNode = (node: string): Series[] => dcgm({ node }, times, { DCGM_FI_DEV_GPU_TEMP: 60 });
const pod = (name: string, node: string, owner?: KubePod['owner'], more: Partial<KubePod> = {}): KubePod => ({
  name,
  node,
  created: ago(40 * MINUTE),
  running: ago(39 * MINUTE),
  gpus: 8,
  ...(owner ? { owner } : {}),
  ...more,
});

const daemon = { gpus: 0, namespace: 'kube-system' };
const kinds: readonly KubePod[] = [
  pod('solo-x7k2p', 'n1', ['Job', 'solo']),
  pod('nightly-29-abcde', 'n1', ['Job', 'nightly-29']),
  pod('set-workers-0-0-aaaaa', 'n1', ['Job', 'set-workers-0']),
  pod('set-workers-1-0-bbbbb', 'n2', ['Job', 'set-workers-1']),
  pod('mpi-launcher-ccccc', 'n3', ['Job', 'mpi-launcher'], { gpus: 0 }),
  pod('mpi-worker-0', 'n1', ['MPIJob', 'mpi']),
  pod('mpi-worker-1', 'n2', ['MPIJob', 'mpi']),
  pod('serve-7c9d5b8f6d-dddd1', 'n1', ['ReplicaSet', 'serve-7c9d5b8f6d'], { ended: ago(20 * MINUTE) }),
  pod('serve-8c9d5b8f6d-dddd2', 'n2', ['ReplicaSet', 'serve-8c9d5b8f6d'], { created: ago(19 * MINUTE) }),
  pod('store-0', 'n1', ['StatefulSet', 'store'], { resource: 'nvidia_com_mig_1g_10gb', gpus: 1 }),
  pod('store-1', 'n3', ['StatefulSet', 'store'], { resource: 'nvidia_com_mig_1g_10gb', gpus: 1 }),
  pod('shared', 'n10', undefined, { resource: 'nvidia_com_gpu_shared', gpus: 1 }),
  pod('lone-rs-eeeee', 'n3', ['ReplicaSet', 'lone-rs'], { resource: 'amd_com_gpu' }),
  pod('exporter-fffff', 'n1', ['DaemonSet', 'exporter'], daemon),
  pod('web', 'n1', undefined, { gpus: 0, namespace: 'web' }),
  pod('past-ggggg', 'n1', ['Job', 'past'], {
    created: ago(110 * MINUTE),
    running: ago(109 * MINUTE),
    ended: ago(80 * MINUTE),
  }),
  pod('queued-hhhhh', '', ['Job', 'queued'], { namespace: 'web' }),
].map(({ node, ...rest }) => (node ? { ...rest, node } : rest));

const owners = (namespace = 'default', shape: KubeShape = 'honoured'): Series[] => [
  ownerSeries('Job', 'solo', null, times, namespace, shape),
  ownerSeries('Job', 'nightly-29', ['CronJob', 'nightly'], times, namespace, shape),
  ownerSeries('Job', 'set-workers-0', ['JobSet', 'set'], times, namespace, shape),
  ownerSeries('Job', 'set-workers-1', ['JobSet', 'set'], times, namespace, shape),
  ownerSeries('Job', 'mpi-launcher', ['MPIJob', 'mpi'], times, namespace, shape),
  ownerSeries('ReplicaSet', 'serve-7c9d5b8f6d', ['Deployment', 'serve'], times, namespace, shape),
  ownerSeries('ReplicaSet', 'serve-8c9d5b8f6d', ['Deployment', 'serve'], times, namespace, shape),
  ownerSeries('ReplicaSet', 'lone-rs', null, times, namespace, shape),
];
const seriesOf = (shape: KubeShape): Series[] => [
  ...['n1', 'n2', 'n3', 'n10'].flatMap(gpuNode),
  ...owners('default', shape),
  ...kinds.flatMap((one) => podSeries(one, times, shape)),
];

// 63 characters is the longest name; what a controller makes of it is cut to 58 and gets five more.
const long = `${'very-long-name-of-a-training-run-'.repeat(2)}`.slice(0, 60);
const cut = (at: number): string => `${long.slice(0, 58)}${String(at).padStart(5, 'x')}`;
const namespaced = (namespace: string, name: string, owner: string, node: string): KubePod =>
  pod(name, node, ['Job', owner], { namespace });

const crowd = Array.from({ length: 60 }, (_, at) => `${String(at).padStart(2, '0')}-${'of-a-crowd-'.repeat(4)}x`);

let world: World;
beforeAll(async () => {
  world = await startWorld([
    { name: 'kinds', series: seriesOf('honoured') },
    { name: 'aside', series: seriesOf('exported') },
    {
      name: 'names',
      series: [
        ...['n1', 'n2'].flatMap(gpuNode),
        ...[
          ...Array.from({ length: 20 }, (_, at) => namespaced('default', cut(at), long, 'n1')),
          ...Array.from({ length: 20 }, (_, at) => namespaced('default', `a.b-${at}`, 'a.b', 'n1')),
          ...Array.from({ length: 20 }, (_, at) => namespaced('default', `axb-${at}`, 'axb', 'n2')),
          ...Array.from({ length: 20 }, (_, at) => namespaced('default', `a.b-${at}-more`, 'a.b-2', 'n2')),
          namespaced('team-a', 'same-0', 'same', 'n1'),
          namespaced('team-b', 'same-0', 'same', 'n2'),
        ].flatMap((one) => podSeries(one, times)),
      ],
    },
    {
      // No kube_pod_owner, no requests: what is left must do.
      name: 'scanty',
      series: [
        ...gpuNode('n1'),
        ...[pod('solo-1', 'n1', ['Job', 'solo']), pod('exporter-1', 'n1', ['DaemonSet', 'exporter'])]
          .flatMap((one) => podSeries(one, times))
          .filter(({ labels }) => !/kube_pod_(owner|container)/.test(labels['__name__']!)),
      ],
    },
    {
      name: 'many',
      series: [
        ...gpuNode('n1'),
        ...Array.from({ length: 23 }, (_, at) => pod(`job-${at}-p`, 'n1', ['Job', `job-${at}`])).flatMap((one) =>
          podSeries(one, times.slice(-40)),
        ),
      ],
    },
    {
      // More names than a query can hold.
      name: 'crowd',
      series: [
        ...gpuNode('n1'),
        ...crowd.flatMap((name, at) =>
          [0, 1].flatMap((one) => podSeries(pod(`${name}-${one}`, `n${at % 2}`, ['Job', name]), times.slice(-60))),
        ),
      ],
    },
    { name: 'bare', series: gpuNode('n1') },
    {
      name: 'theirs',
      owner: 'others',
      series: [...gpuNode('n8'), ...podSeries(pod('secret-0', 'n8', ['Job', 'secret']), times)],
    },
  ]);
});
afterAll(() => world?.close());

interface Placed {
  readonly pod: string;
  readonly node: { readonly name: string };
}
const placed = '{ placement { pod node { name } } nodes { name } }';
const podsOf = ({ placement }: { placement: Placed[] }): string[] =>
  placement.map(({ pod: name, node }) => `${name}@${node.name}`);
const workload = async (cluster: string, args: string, selection = placed, window = lastHour) =>
  (await askCluster(await world.gateway(), cluster, `workload(${args}) ${selection}`, window)).workload;

describe.each(['kinds', 'aside'])('the pods of a workload: %s', (cluster) => {
  test.each([
    ['JOB', 'solo', ['solo-x7k2p@n1']],
    ['JOB', 'nightly-29', ['nightly-29-abcde@n1']],
    ['JOB_SET', 'set', ['set-workers-0-0-aaaaa@n1', 'set-workers-1-0-bbbbb@n2']],
    ['JOB', 'set-workers-1', ['set-workers-1-0-bbbbb@n2']],
    ['MPI_JOB', 'mpi', ['mpi-launcher-ccccc@n3', 'mpi-worker-0@n1', 'mpi-worker-1@n2']],
    ['DEPLOYMENT', 'serve', ['serve-7c9d5b8f6d-dddd1@n1', 'serve-8c9d5b8f6d-dddd2@n2']],
    ['STATEFUL_SET', 'store', ['store-0@n1', 'store-1@n3']],
    ['POD', 'shared', ['shared@n10']],
    ['POD', 'store-1', ['store-1@n3']],
  ])('%s %s', async (kind, name, pods) => {
    expect(podsOf(await workload(cluster, `kind: ${kind}, name: "${name}"`))).toEqual(pods);
  });
});

describe('a name is taken as it is', () => {
  test.each([
    [long, 20, 'n1'],
    ['a.b', 20, 'n1'],
    ['axb', 20, 'n2'],
    ['a.b-2', 20, 'n2'],
  ])('%s has %i pods on %s', async (name, count, node) => {
    const { placement, nodes } = await workload('names', `kind: JOB, name: "${name}"`);
    expect([placement.length, nodes]).toEqual([count, [{ name: node }]]);
  });

  test('in its namespace alone', async () => {
    const of = async (namespace: string) =>
      podsOf(await workload('names', `kind: JOB, name: "same", namespace: "${namespace}"`));
    expect([await of('team-a'), await of('team-b')]).toEqual([['same-0@n1'], ['same-0@n2']]);
  });

  test('several of a document, each its own', async () => {
    const asked = `one: workload(kind: JOB, name: "same", namespace: "team-a") ${placed}
      two: workload(kind: JOB, name: "axb") ${placed} three: workload(kind: POD, name: "a.b-3") ${placed}`;
    const { one, two, three } = await askCluster(await world.gateway(), 'names', asked);
    expect([podsOf(one), two.placement.length, podsOf(three)]).toEqual([['same-0@n1'], 20, ['a.b-3@n1']]);
  });
});

describe('what is not there', () => {
  const refusal = async (cluster: string, args: string) => {
    const document = `{ cluster(name: "${cluster}", window: { range: LAST_1H }) { name workload(${args}) { name } } }`;
    const { data, errors } = await (await world.gateway()).query(document);
    expect(data.cluster).toEqual({ name: cluster, workload: null });
    return errors!;
  };

  test.each([
    ['kinds', 'kind: JOB, name: "nothing"'],
    ['kinds', 'kind: JOB, name: "set"'],
    ['kinds', 'kind: JOB, name: "so.o"'],
    ['kinds', 'kind: JOB, name: "solo", namespace: "web"'],
    ['kinds', 'kind: JOB, name: "secret"'],
    ['aside', 'kind: POD, name: "kube-state-metrics-7d8f", namespace: "monitoring"'],
    ['bare', 'kind: JOB, name: "solo"'],
  ])('%s: %s is NOT_FOUND', async (cluster, args) => {
    const code = { code: 'NOT_FOUND', status: 404 };
    expect(await refusal(cluster, args)).toMatchObject([{ path: ['cluster', 'workload'], extensions: code }]);
  });

  test('the words are those of every refusal', async () => {
    const [error] = await refusal('kinds', 'kind: JOB, name: "nothing"');
    expect(error!.message).toBe('There is no workload "nothing" here.');
  });

  test.each(['name: ""', 'name: "a b"', `name: "${'a'.repeat(122)}"`, 'name: "a", namespace: "x/y"'])(
    '%s is BAD_REQUEST',
    async (args) => {
      const code = { code: 'BAD_REQUEST', status: 422 };
      expect(await refusal('kinds', `kind: JOB, ${args}`)).toMatchObject([{ extensions: code }]);
    },
  );
});

const listed = async (cluster: string, args: string, window = lastHour): Promise<string[]> => {
  const asked = `workloads${args} { totalCount nodes { kind namespace name } }`;
  const { workloads } = await askCluster(await world.gateway(), cluster, asked, window);
  expect(workloads.totalCount).toBe(workloads.nodes.length);
  return workloads.nodes.map(
    ({ kind, namespace, name }: Record<'kind' | 'namespace' | 'name', string>) => `${namespace}/${name} ${kind}`,
  );
};
const withGpus = [
  'default/lone-rs-eeeee POD',
  'default/mpi MPI_JOB',
  'default/nightly-29 JOB',
  'default/serve DEPLOYMENT',
  'default/set JOB_SET',
  'default/shared POD',
  'default/solo JOB',
  'default/store STATEFUL_SET',
];
const withoutGpus = ['kube-system/exporter-fffff POD', 'web/queued JOB', 'web/web POD'];

describe.each(['kinds', 'aside'])('workloads are the topmost owners: %s', (cluster) => {
  test.each([
    ['', withGpus],
    ['(gpuOnly: null)', withGpus],
    ['(gpuOnly: false)', [...withGpus, ...withoutGpus]],
    ['(kind: JOB)', ['default/nightly-29 JOB', 'default/solo JOB']],
    ['(kind: POD)', ['default/lone-rs-eeeee POD', 'default/shared POD']],
    ['(kind: MPI_JOB, gpuOnly: false)', ['default/mpi MPI_JOB']],
    ['(namespace: "web")', []],
    ['(namespace: "web", gpuOnly: false)', ['web/queued JOB', 'web/web POD']],
  ])('workloads%s', async (args, expected) => {
    expect(await listed(cluster, args)).toEqual(expected);
  });

  test('those of another window', async () => {
    expect(await listed(cluster, '', span(ago(90 * MINUTE), ago(70 * MINUTE)))).toEqual(['default/past JOB']);
  });

  test.each([
    ['n10', '', ['shared']],
    ['n3', '', ['lone-rs-eeeee', 'mpi', 'store']],
    ['n1', '', ['mpi', 'nightly-29', 'serve', 'set', 'solo', 'store']],
    ['n1', '(gpuOnly: false)', ['mpi', 'nightly-29', 'serve', 'set', 'solo', 'store', 'exporter-fffff', 'web']],
  ])('of node %s%s', async (node, args, names) => {
    const { workloads } = await askNode(await world.gateway(), cluster, node, `workloads${args} { name }`);
    expect(workloads.map(({ name }: { name: string }) => name)).toEqual(names);
  });

  test('each with its own placement', async () => {
    const { workloads } = await askCluster(
      await world.gateway(),
      cluster,
      `workloads { nodes { name ${placed.slice(1)} }`,
    );
    const mpi = workloads.nodes.find(({ name }: { name: string }) => name === 'mpi');
    expect(podsOf(mpi)).toEqual(['mpi-launcher-ccccc@n3', 'mpi-worker-0@n1', 'mpi-worker-1@n2']);
    expect(mpi.nodes.map(({ name }: { name: string }) => name)).toEqual(['n1', 'n2', 'n3']);
  });
});

test('where pods tell neither owner nor requests, what is left must do', async () => {
  expect(await listed('scanty', '')).toEqual(['default/solo JOB']);
  expect(await listed('scanty', '(gpuOnly: false)')).toEqual(['default/exporter-1 POD', 'default/solo JOB']);
  expect(podsOf(await workload('scanty', 'kind: JOB, name: "solo"'))).toEqual(['solo-1@n1']);
});

test('without kube-state-metrics there are none', async () => {
  expect(await listed('bare', '(gpuOnly: false)')).toEqual([]);
  expect(await askNode(await world.gateway(), 'bare', 'n1', 'workloads { name }')).toEqual({ workloads: [] });
});

test('pages follow one another in the order people count', async () => {
  const seen: string[] = [];
  for (let after = '', more = true; more;) {
    const asked = `workloads(first: 5${after}) { totalCount pageInfo { hasNextPage hasPreviousPage endCursor } edges { cursor node { name } } }`;
    const { workloads } = await askCluster(await world.gateway(), 'many', asked);
    expect([workloads.totalCount, workloads.pageInfo.hasPreviousPage]).toEqual([23, seen.length > 0]);
    seen.push(...workloads.edges.map(({ node }: { node: { name: string } }) => node.name));
    more = workloads.pageInfo.hasNextPage;
    after = `, after: ${JSON.stringify(workloads.pageInfo.endCursor)}`;
  }
  expect(seen).toEqual(Array.from({ length: 23 }, (_, at) => `job-${at}`));
});

test('a page of workloads whose names no query can hold', async () => {
  const asked = 'workloads(first: 100) { nodes { name placement { pod node { name } } } }';
  const { workloads } = await askCluster(await world.gateway(), 'crowd', asked);
  expect(workloads.nodes.map((each: { name: string; placement: Placed[] }) => [each.name, podsOf(each)])).toEqual(
    crowd.map((name, at) => [name, [0, 1].map((one) => `${name}-${one}@n${at % 2}`)]),
  );
});

describe('what a workload says of its nodes', () => {
  test('coverage is that of its nodes together', async () => {
    const { coverage, cluster } = await workload(
      'kinds',
      'kind: JOB, name: "solo"',
      '{ coverage { present missing } cluster { name } }',
    );
    expect(coverage.present).toEqual(['GPU_TEMP']);
    expect(coverage.missing).toContain('POWER');
    expect(cluster).toEqual({ name: 'kinds' });
  });

  test('readings of its nodes go on below', async () => {
    const asked = '{ nodes { name gpus { tempC { max } } workloads { name } } }';
    const { nodes } = await workload('kinds', 'kind: POD, name: "shared"', asked);
    expect(nodes).toEqual([{ name: 'n10', gpus: [{ tempC: { max: 60 } }], workloads: [{ name: 'shared' }] }]);
  });

  test('the note names pods that wait, and a placement that is empty', async () => {
    const note = async (args: string): Promise<string> => (await workload('kinds', args, '{ note }')).note;
    expect(await note('kind: JOB, name: "queued", namespace: "web"')).toBe(
      'Pod queued-hhhhh waited and never got a node.',
    );
    expect(await note('kind: JOB, name: "past"')).toContain('had finished before');
    expect(await note('kind: JOB, name: "solo"')).toMatch(/^n1: Its host reported|^Missing/);
  });
});
