import { afterAll, beforeAll, expect, test } from 'vitest';

import { plainCluster } from '../support/faulty-clusters.ts';
import { failing, type FaultyFleet, startFaultyFleet } from '../support/faulty-fleet.ts';
import { status } from '../support/faulty-store.ts';
import { ago, MINUTE, scrapes } from '../support/fleet/clock.ts';
import { ownerSeries, podSeries } from '../support/fleet/pods.ts';

const times = scrapes();
const life = { created: ago(40 * MINUTE), running: ago(39 * MINUTE), gpus: 8 };
const document = `{ cluster(name: "aurora", window: { range: LAST_1H }) {
  name
  node(name: "n1") { name gpus { index tempC { max } } workloads { name } }
  workload(kind: JOB_SET, name: "set") { name placement { pod node { name } } nodes { name } }
  workloads { totalCount nodes { name placement { pod } placementSource nodes { name } } }
} }`;
const at = (...path: (string | number)[]) => ['cluster', ...path];
const ofList = ['placement', 'placementSource', 'nodes'].map((field) => at('workloads', 'nodes', 0, field));

let fleet: FaultyFleet;
beforeAll(async () => {
  fleet = await startFaultyFleet([
    {
      name: 'aurora',
      series: [
        ...plainCluster(61),
        ownerSeries('Job', 'set-0', ['JobSet', 'set'], times),
        ...['n1', 'n2'].flatMap((node, i) =>
          podSeries({ ...life, name: `set-0-${i}`, node, owner: ['Job', 'set-0'] }, times),
        ),
      ],
    },
  ]);
});
afterAll(() => fleet?.close());

const answer = {
  name: 'aurora',
  node: { name: 'n1', gpus: [0, 1].map((index) => ({ index, tempC: { max: 61 } })), workloads: [{ name: 'set' }] },
  workload: {
    name: 'set',
    placement: ['n1', 'n2'].map((name, i) => ({ pod: `set-0-${i}`, node: { name } })),
    nodes: [{ name: 'n1' }, { name: 'n2' }],
  },
  workloads: {
    totalCount: 1,
    nodes: [
      {
        name: 'set',
        placement: [{ pod: 'set-0-0' }, { pod: 'set-0-1' }],
        placementSource: 'HISTORY',
        nodes: [{ name: 'n1' }, { name: 'n2' }],
      },
    ],
  },
};

test('while all is well, everything is answered', async () => {
  const { data, errors } = await (await fleet.gateway()).query(document);
  expect([data.cluster, errors]).toEqual([answer, undefined]);
});

test.each([
  ['the controllers of workloads', /series \{?kube_job_owner\{[^}]*owner_kind/, [at('workload')]],
  ['the pods of workloads', /series kube_pod_owner\{[^}]*owner_kind/, [at('workload')]],
  ['the times of pods', /query .*timestamp\(/, [at('workload'), ...ofList]],
  ['the owners of all pods', /series kube_pod_owner\{cluster="aurora"\}/, [at('node', 'workloads'), at('workloads')]],
  ['the list of all pods', /query max by .*kube_pod_info/, [at('node', 'workloads'), at('workloads')]],
])('where %s fails, just those fields are null, each with its error', async (_what, request, paths) => {
  failing(fleet.north, request, status(500));
  const { data, errors, status: http } = await (await fleet.gateway()).query(document);
  expect(errors!.map(({ path }) => path).sort()).toEqual([...paths].sort());
  expect(errors!.map(({ extensions }) => extensions)).toEqual(
    paths.map(() => ({ code: 'METRICS_UNAVAILABLE', status: 503 })),
  );
  const expected = structuredClone(answer) as Record<string, unknown>;
  for (const path of paths) {
    const parent = path.slice(1, -1).reduce((value, key) => (value as never)[key], expected as unknown);
    (parent as Record<string, unknown>)[path.at(-1)!] = null;
  }
  expect([data.cluster, http]).toEqual([expected, 200]);
});

test('where the store answers in part, it is said', async () => {
  failing(
    fleet.north,
    /query .*timestamp\(/,
    status(200, JSON.stringify({ status: 'success', isPartial: true, data: { resultType: 'vector', result: [] } })),
  );
  const { extensions } = await (await fleet.gateway()).query(document);
  expect(JSON.stringify(extensions?.warnings)).toContain('aurora');
});
