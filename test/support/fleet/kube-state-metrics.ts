import { type Labels, type Series, series, type Value } from './series.ts';

const exporter: Labels = { instance: '10.1.0.3:8080', job: 'kube-state-metrics' };

/** That Kubernetes knows a node, and under which address. */
export const nodeInfo = (node: string, address: string, times: readonly number[]): Series =>
  series('kube_node_info', { ...exporter, node, internal_ip: address, kernel_version: '6.8.0' }, times, 1);

/** The three series of a node's `Ready` condition: `status` is the one that is 1. */
export const nodeReady = (
  node: string,
  times: readonly number[],
  status: (time: number) => 'true' | 'false' | 'unknown',
): Series[] =>
  (['true', 'false', 'unknown'] as const).map((one) =>
    series('kube_node_status_condition', { ...exporter, node, condition: 'Ready', status: one }, times, (time) =>
      status(time) === one ? 1 : 0,
    ),
  );

/** Another condition with the opposite polarity: true is a problem, and no word on readiness. */
export const nodeProblem = (node: string, times: readonly number[]): Series[] =>
  (['true', 'false', 'unknown'] as const).map((status) =>
    series(
      'kube_node_status_condition',
      { ...exporter, node, condition: 'GpuXid', status },
      times,
      status === 'true' ? 1 : 0,
    ),
  );

export const allocatableGpus = (
  node: string,
  times: readonly number[],
  count: Value,
  resource = 'nvidia_com_gpu',
): Series => series('kube_node_status_allocatable', { ...exporter, node, resource, unit: 'integer' }, times, count);
