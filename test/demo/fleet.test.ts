import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { demoConfig } from '../../src/demo/demo-config.ts';
import { recorded, seriesOf, t0, valuesOf } from './recorded.ts';

const owner = (pod: string) => seriesOf('kube_pod_owner', { pod })[0]!.labels;

test('every pod on a GPU is a pod that Kubernetes knows, on that node, with that many GPUs', () => {
  const held = new Map<string, { nodes: Set<string>; gpus: Set<string> }>();
  for (const { labels } of recorded.filter(({ labels }) => /GPU_TEMP|junction/.test(labels['__name__']!))) {
    const amd = labels['hostname'];
    const pod = amd ? labels['pod'] : labels['exported_pod'];
    if (!pod) continue;
    const entry = held.get(pod) ?? { nodes: new Set(), gpus: new Set() };
    entry.nodes.add(amd ?? labels['Hostname']!);
    entry.gpus.add(labels['gpu'] ?? labels['gpu_id']!);
    held.set(pod, entry);
  }
  expect(held.size).toBe(15);
  for (const [pod, { nodes, gpus }] of held) {
    const requests = seriesOf('kube_pod_container_resource_requests', { pod })[0]!;
    expect([...nodes]).toEqual([requests.labels['node']]);
    expect(gpus.size).toBe(requests.values[0]);
    expect(seriesOf('kube_pod_info', { pod, node: [...nodes][0]! })).toHaveLength(1);
  }
});

test('each kind of workload is owned as Kubernetes would have it', () => {
  expect(owner('train-llm-0')).toMatchObject({ owner_kind: 'Job', owner_name: 'train-llm' });
  expect(owner('embedder-0')).toMatchObject({ owner_kind: 'StatefulSet', owner_name: 'embedder' });
  expect(owner('hpc-solver-worker-0')).toMatchObject({ owner_kind: 'MPIJob', owner_name: 'hpc-solver' });
  expect(owner('notebook-ada')).not.toHaveProperty('owner_kind');
  expect(seriesOf('kube_job_owner', { owner_kind: 'JobSet' })[0]!.labels['job_name']).toBe('vision-pretrain-workers-0');
  expect(seriesOf('kube_job_owner', { owner_kind: 'MPIJob' })[0]!.labels['job_name']).toBe('hpc-solver-launcher');
  expect(seriesOf('kube_replicaset_owner')[0]!.labels).toMatchObject({
    owner_kind: 'Deployment',
    owner_name: 'inference',
  });
});

test('a pod has exactly one phase at a time; a finished pod is still shown', () => {
  const phase = (pod: string, phase: string) => valuesOf('kube_pod_status_phase', { pod, phase });
  const phases = ['Pending', 'Running', 'Succeeded', 'Failed', 'Unknown'];
  for (const pod of ['train-llm-0', 'eval-suite-1']) {
    const sums = phases.map((name) => phase(pod, name)).reduce((sum, one) => sum.map((value, i) => value + one[i]!));
    expect(new Set(sums)).toEqual(new Set([1]));
  }
  expect(phase('train-llm-0', 'Pending')[0]).toBe(1);
  expect(phase('eval-suite-1', 'Succeeded').at(-1)).toBe(1);
  expect(valuesOf('kube_pod_completion_time', { pod: 'eval-suite-1' })[0]).toBe(t0 - 9 * 3600);
});

test('a host that shows an address is a node that Kubernetes knows by it', () => {
  const known = new Set(seriesOf('kube_node_info').flatMap(({ labels }) => [labels['internal_ip'], labels['node']]));
  expect(known.size).toBe(12);
  for (const { labels } of seriesOf('node_load1')) expect(known).toContain(labels['instance']!.replace(':9100', ''));
});

test('NVIDIA memory adds up to the board, AMD memory is 268.2 GiB', () => {
  const sum = ['USED', 'FREE', 'RESERVED'].map((part) =>
    valuesOf(`DCGM_FI_DEV_FB_${part}`, { Hostname: 'aurora-prod-n1', gpu: '0' }),
  );
  expect(new Set(sum[0]!.map((used, i) => used + sum[1]![i]! + sum[2]![i]!))).toEqual(new Set([81_559]));
  expect(valuesOf('amd_gpu_total_vram', {})[0]! / 1024).toBeCloseTo(268.2, 1);
});

test('the configuration names the store, both clusters and the pool', () => {
  expect(parse(demoConfig('http://127.0.0.1:9090'))).toEqual({
    listen: { host: '127.0.0.1', port: 4000 },
    islands: [
      {
        name: 'north',
        prometheus: { url: 'http://127.0.0.1:9090', writeUrl: 'http://127.0.0.1:9090/api/v1/write' },
        sharedPool: ['pool-north', 'pool-north-amd'],
      },
    ],
    organizations: [
      {
        name: 'demo',
        clusters: [
          { name: 'aurora-prod', island: 'north', vendor: 'nvidia', model: 'H100' },
          { name: 'borealis-train', island: 'north', vendor: 'amd', model: 'MI355X' },
        ],
      },
    ],
    labels: { cluster: 'cluster' },
    scrapeIntervalS: 30,
    models: { 'NVIDIA H100 80GB HBM3.*': 'H100', 'AMD Instinct MI355X.*': 'MI355X' },
  });
});
