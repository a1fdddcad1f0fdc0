import { type Labels, type Series, series, type Value } from './series.ts';
import { fraction } from './wobble.ts';

/** How NVIDIA's exporter was deployed, which decides the labels that reach the store. */
export type DcgmShape =
  | 'operator' // GPU Operator, honorLabels false: the workload is exported_pod, `pod` is the exporter
  | 'helm' // plain chart: the workload is `pod`
  | 'relabelled' // node and instance only; UUID and bus id dropped at scrape time
  | 'bare'; // no host label at all: `instance` is the address

/** Naming eras: A up to 4.8.2, B with `hostname` and custom names, C from 4.9.0. */
export type Era = 'A' | 'B' | 'C';

export interface DcgmGpu {
  readonly node: string;
  readonly index?: number;
  readonly shape?: DcgmShape;
  readonly era?: Era;
  readonly uuid?: string;
  readonly model?: string;
  readonly address?: string;
  readonly driver?: string;
  /** The workload that holds the GPU. */
  readonly pod?: string;
  readonly extra?: Labels;
}

export const H100 = 'NVIDIA H100 80GB HBM3';
export const uuidOf = (node: string, index: number): string => `GPU-${node}-${index}`;

/** Where a node's exporter is scraped if nothing else is said: its own for each node. */
const addressOf = (node: string): string =>
  `10.${128 + ((fraction(node, 1) * 64) | 0)}.${(fraction(node, 2) * 256) | 0}.${1 + ((fraction(node, 3) * 250) | 0)}`;

const workload = (shape: DcgmShape, pod: string | undefined): Labels => {
  if (pod === undefined) return {};
  return shape === 'operator'
    ? { exported_pod: pod, exported_namespace: 'default', exported_container: 'main' }
    : { pod, namespace: 'default', container: 'main' };
};

const deployment = (shape: DcgmShape, node: string, address: string): Labels => {
  switch (shape) {
    case 'operator':
      return {
        instance: `${address}:9400`,
        job: 'nvidia-dcgm-exporter',
        namespace: 'gpu-operator',
        pod: `nvidia-dcgm-exporter-${address.replaceAll('.', '-')}`,
        container: 'nvidia-dcgm-exporter',
      };
    case 'helm':
      return { instance: `${address}:9400`, job: 'dcgm-exporter' };
    case 'relabelled':
      return { instance: node, node, job: 'dcgm' };
    case 'bare':
      return { instance: `${address}:9400`, job: 'dcgm' };
  }
};

export const dcgmLabels = (gpu: DcgmGpu): Labels => {
  const { node, index = 0, shape = 'operator', era = 'A', model = H100, driver = '550.54.15' } = gpu;
  const address = gpu.address ?? addressOf(node);
  const hosted = shape === 'operator' || shape === 'helm';
  return {
    ...deployment(shape, node, address),
    gpu: String(index),
    device: `nvidia${index}`,
    modelName: model,
    ...(hosted ? { [era === 'A' ? 'Hostname' : 'hostname']: node } : {}),
    ...(shape === 'relabelled'
      ? {}
      : { UUID: gpu.uuid ?? uuidOf(node, index), pci_bus_id: `00000000:${10 + index}:00.0` }),
    [era === 'C' ? 'DCGM_FI_SYSTEM_DRIVER_VERSION' : 'DCGM_FI_DRIVER_VERSION']: driver,
    ...workload(shape, gpu.pod),
    ...gpu.extra,
  };
};

/** One GPU's series under one label set, a metric name to its value. */
export const dcgm = (gpu: DcgmGpu, times: readonly number[], readings: Readonly<Record<string, Value>>): Series[] =>
  Object.entries(readings).map(([metric, value]) => series(metric, dcgmLabels(gpu), times, value));
