import { alertStreams } from './alerts.ts';
import { amd } from './amd.ts';
import { gpuStreams } from './gpu-streams.ts';
import { hostStreams } from './host.ts';
import { kubernetesStreams } from './kubernetes.ts';
import { nvidia } from './nvidia.ts';
import type { Stream } from './stream.ts';

/** What the demo's store scrapes, one path each. `rules` is what the platform's own Prometheus adds: its alerts. */
export const jobs = ['dcgm-exporter', 'amd', 'node-exporter', 'kube-state-metrics', 'rules'] as const;

export type Job = (typeof jobs)[number];

/** Every series of a job for a demo that started at `t0`, with all that happens up to `until` seconds after it. */
export const streamsOf: Record<Job, (t0: number, until: number) => Stream[]> = {
  'dcgm-exporter': (_, until) => gpuStreams(nvidia, until),
  amd: (_, until) => gpuStreams(amd, until),
  'node-exporter': hostStreams,
  'kube-state-metrics': kubernetesStreams,
  rules: (t0, until) =>
    alertStreams([...gpuStreams(nvidia, until), ...gpuStreams(amd, until), ...hostStreams()], t0, until),
};
