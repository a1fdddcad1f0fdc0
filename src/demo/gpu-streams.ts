import type { Labels } from '../domain/series.ts';
import { clusters, gpusPerNode } from './fleet.ts';
import type { DemoCluster } from './fleet.ts';
import { momentOf } from './gpu-physics.ts';
import type { Board, Moment } from './gpu-physics.ts';
import { gpuIncidents, outages } from './incidents.ts';
import type { GpuIncident } from './incidents.ts';
import { both, outside, remembered } from './stream.ts';
import type { Span, Stream } from './stream.ts';
import { anonymously, tenanciesOf } from './tenancy.ts';
import type { Tenancy } from './tenancy.ts';
import { profiles } from './profiles.ts';

/** One GPU under one of its tenants: what a family may look at besides the moment. */
export interface DemoGpu {
  readonly name: string;
  readonly cluster: DemoCluster;
  readonly node: string;
  readonly index: number;
  readonly incidents: readonly GpuIncident[];
  readonly tenancy: Tenancy;
  readonly tenancies: readonly Tenancy[];
}

/** One metric of a GPU exporter. */
export interface GpuFamily {
  readonly name: string;
  readonly type: Stream['type'];
  readonly labels?: (gpu: DemoGpu) => Labels;
  /** The event that brings the series to life; without one it is there as long as the GPU is. */
  readonly born?: (gpu: DemoGpu) => number;
  readonly read: (moment: Moment, gpu: DemoGpu, at: number) => number;
}

/** What tells one maker's exporter from another's. */
export interface GpuMaker {
  readonly vendor: DemoCluster['vendor'];
  readonly board: Board;
  readonly labels: (gpu: DemoGpu) => Labels;
  readonly families: readonly GpuFamily[];
  /** What is read of the shared pool. */
  readonly poolFamilies: readonly GpuFamily[];
}

/** When a GPU can be read: not while its exporter is away, and not after it fell silent. */
function presence(node: string, incidents: readonly GpuIncident[]): Span[] {
  const away = outages.filter((outage) => outage.node === node);
  const silent = incidents.find(({ kind }) => kind === 'silence');
  return both(outside(away.map(({ from, forS }) => ({ from, to: from + forS }))), [
    { from: -Infinity, to: silent?.from ?? Infinity },
  ]);
}

function streamsUnder(gpu: DemoGpu, maker: GpuMaker): Stream[] {
  const moment = momentOf(gpu.name, gpu.index, maker.board, gpu.tenancy, gpu.incidents);
  const moments = remembered((since) => Array.from(since, moment));
  const alive = both([gpu.tenancy], presence(gpu.node, gpu.incidents));
  const labels = maker.labels(gpu);
  return (gpu.cluster.tenants ? maker.families : maker.poolFamilies)
    .map(({ name, type, labels: more, born, read }) => ({
      name,
      type,
      labels: { ...labels, ...more?.(gpu) },
      place: { node: gpu.node, gpu: gpu.index },
      alive: born ? both(alive, [{ from: born(gpu), to: Infinity }]) : alive,
      at: (since: Float64Array) => {
        const states = moments(since);
        return since.map((at, i) => read(states[i]!, gpu, at));
      },
    }))
    .filter((stream) => stream.alive.length > 0);
}

/** Every series of a maker's GPU exporters, with the incidents that matter up to `until`. */
export function gpuStreams(maker: GpuMaker, until: number): Stream[] {
  const incidents = gpuIncidents(until);
  const indexes = Array.from({ length: gpusPerNode }, (_, index) => index);
  return clusters
    .filter(({ vendor }) => vendor === maker.vendor)
    .flatMap((cluster) => cluster.nodes.map((node) => ({ cluster, node })))
    .flatMap((place) =>
      indexes.map((index) => ({ cluster: place.cluster, node: place.node, index, name: `${place.node}/${index}` })),
    )
    .flatMap((gpu) => {
      const own = incidents.filter((incident) => incident.node === gpu.node && incident.gpu === gpu.index);
      const tenancies = gpu.cluster.tenants ? tenanciesOf(gpu.node, gpu.index) : anonymously(profiles.training);
      return tenancies.flatMap((tenancy) => streamsUnder({ ...gpu, incidents: own, tenancy, tenancies }, maker));
    });
}
