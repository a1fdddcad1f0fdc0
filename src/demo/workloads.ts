import type { DemoPod, PodGroup } from './pod-group.ts';
import { HOUR } from './shapes.ts';

const pod = (name: string, node: string, ...gpus: number[]): DemoPod => ({ name, node, gpus });
const all = [0, 1, 2, 3, 4, 5, 6, 7];
const aurora = { cluster: 'aurora-prod', to: Infinity } as const;
const borealis = { cluster: 'borealis-train', to: Infinity } as const;

/** What runs on the clusters with tenants: every kind of workload, and every node has something. */
export const podGroups: readonly PodGroup[] = [
  {
    ...aurora,
    namespace: 'default',
    top: ['Job', 'train-llm'],
    controller: ['Job', 'train-llm'],
    container: 'trainer',
    profile: 'training',
    from: -8.5 * HOUR,
    pods: [pod('train-llm-0', 'aurora-prod-n1', ...all), pod('train-llm-1', 'aurora-prod-n2', ...all)],
  },
  // Finished, and still shown by kube-state-metrics with the nodes it ran on.
  {
    ...aurora,
    namespace: 'research',
    top: ['Job', 'eval-suite'],
    controller: ['Job', 'eval-suite'],
    container: 'evaluator',
    profile: 'evaluation',
    from: -31 * HOUR,
    to: -9 * HOUR,
    pods: [pod('eval-suite-0', 'aurora-prod-n1', ...all), pod('eval-suite-1', 'aurora-prod-n2', ...all)],
  },
  {
    ...aurora,
    namespace: 'research',
    top: ['JobSet', 'vision-pretrain'],
    controller: ['Job', 'vision-pretrain-workers-0'],
    container: 'trainer',
    profile: 'training',
    from: -30 * HOUR,
    pods: [
      pod('vision-pretrain-workers-0-0-7xk2p', 'aurora-prod-n3', 0, 1, 2, 3),
      pod('vision-pretrain-workers-0-1-m9qzt', 'aurora-prod-n4', 0, 1, 2, 3),
    ],
  },
  {
    ...aurora,
    namespace: 'serving',
    top: ['Deployment', 'inference'],
    controller: ['ReplicaSet', 'inference-7c9d5b8f6d'],
    container: 'server',
    profile: 'serving',
    from: -52 * HOUR,
    pods: [
      pod('inference-7c9d5b8f6d-4hx8n', 'aurora-prod-n3', 4, 5),
      pod('inference-7c9d5b8f6d-wq2lz', 'aurora-prod-n4', 4, 5),
    ],
  },
  {
    ...aurora,
    namespace: 'serving',
    top: ['StatefulSet', 'embedder'],
    controller: ['StatefulSet', 'embedder'],
    container: 'embedder',
    profile: 'serving',
    from: -75 * HOUR,
    pods: [pod('embedder-0', 'aurora-prod-n3', 6), pod('embedder-1', 'aurora-prod-n4', 6)],
  },
  {
    ...aurora,
    namespace: 'research',
    top: ['Pod', 'notebook-ada'],
    controller: null,
    container: 'jupyter',
    profile: 'notebook',
    from: -27 * HOUR,
    pods: [pod('notebook-ada', 'aurora-prod-n3', 7)],
  },
  {
    ...borealis,
    namespace: 'research',
    top: ['MPIJob', 'hpc-solver'],
    controller: ['Job', 'hpc-solver-launcher'],
    container: 'launcher',
    profile: 'hostOnly',
    from: -33 * HOUR,
    pods: [pod('hpc-solver-launcher-r5d8c', 'borealis-train-n1')],
  },
  {
    ...borealis,
    namespace: 'research',
    top: ['MPIJob', 'hpc-solver'],
    controller: ['MPIJob', 'hpc-solver'],
    container: 'worker',
    profile: 'simulation',
    from: -33 * HOUR,
    pods: [
      pod('hpc-solver-worker-0', 'borealis-train-n1', 0, 1, 2, 3),
      pod('hpc-solver-worker-1', 'borealis-train-n2', 0, 1, 2, 3),
    ],
  },
  {
    ...borealis,
    namespace: 'default',
    top: ['Job', 'finetune-moe'],
    controller: ['Job', 'finetune-moe'],
    container: 'trainer',
    profile: 'training',
    from: -40 * HOUR,
    pods: [
      pod('finetune-moe-0', 'borealis-train-n1', 4, 5, 6, 7),
      pod('finetune-moe-1', 'borealis-train-n2', 4, 5, 6, 7),
    ],
  },
];
