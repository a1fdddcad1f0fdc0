import { hexOf } from './shapes.ts';

/** The machines of the demo. `tenants` says whether the cluster's own hosts and pods are monitored too. */
export interface DemoCluster {
  readonly name: string;
  readonly vendor: 'nvidia' | 'amd';
  readonly tenants: boolean;
  readonly network: string;
  readonly nodes: readonly string[];
}

export const gpusPerNode = 8;
export const cpusPerNode = 8;

export const clusters = [
  {
    name: 'aurora-prod',
    vendor: 'nvidia',
    tenants: true,
    network: '10.20.0',
    nodes: ['aurora-prod-n1', 'aurora-prod-n2', 'aurora-prod-n3', 'aurora-prod-n4'],
  },
  {
    name: 'borealis-train',
    vendor: 'amd',
    tenants: true,
    network: '10.30.0',
    nodes: ['borealis-train-n1', 'borealis-train-n2'],
  },
  {
    name: 'pool-north',
    vendor: 'nvidia',
    tenants: false,
    network: '10.40.0',
    nodes: ['pool-north-h1', 'pool-north-h2'],
  },
  { name: 'pool-north-amd', vendor: 'amd', tenants: false, network: '10.41.0', nodes: ['pool-north-m1'] },
] as const satisfies readonly DemoCluster[];

/** The one GPU class of each maker, as its exporter and its data sheet have it. */
export const boards = {
  nvidia: { modelName: 'NVIDIA H100 80GB HBM3', driver: '570.148.08', totalMib: 81_559, reservedMib: 551 },
  // 288 GB of HBM3E are 268.2 GiB.
  amd: { modelName: 'AMD Instinct MI355X', driver: '6.14.14', totalMib: 274_637, reservedMib: 0 },
} as const;

/** The address a node has in its cluster's network. */
export const ipOf = (cluster: DemoCluster, node: string): string =>
  `${cluster.network}.${11 + cluster.nodes.indexOf(node)}`;

const grouped = (hex: string): string =>
  [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');

export const uuidOf = (name: string): string => grouped(hexOf(name, 32));

/** The name Kubernetes gives a DaemonSet's pod on a node. */
export const daemonPod = (daemonSet: string, node: string): string =>
  `${daemonSet}-${hexOf(`${daemonSet}/${node}`, 5)}`;

/** What Kubernetes calls a maker's GPUs, as kube-state-metrics spells it. */
export const gpuResource = { nvidia: 'nvidia_com_gpu', amd: 'amd_com_gpu' } as const;
