import type { Labels } from '../domain/series.ts';
import { gpuIncidents, hostPressure } from './incidents.ts';
import { each, isWithin } from './stream.ts';
import type { Stream } from './stream.ts';

/** The platform's alerting rules: which incident each one sees, on which series, and how long it waits before it fires. */
const rules = [
  {
    alertname: 'GPUHighTemperature',
    severity: 'warning',
    sees: 'thermalHold',
    pendingS: 120,
    on: ['DCGM_FI_DEV_GPU_TEMP', 'amd_gpu_junction_temperature'],
  },
  { alertname: 'GPUMemoryNearFull', severity: 'info', sees: 'fullMemory', pendingS: 300, on: ['DCGM_FI_DEV_FB_USED'] },
  { alertname: 'GPUXidError', severity: 'critical', sees: 'xid', pendingS: 0, on: ['DCGM_FI_DEV_XID_ERRORS'] },
  {
    alertname: 'HostHighIoPressure',
    severity: 'warning',
    sees: 'io',
    pendingS: 300,
    on: ['node_pressure_io_waiting_seconds_total'],
  },
];

/** The XID rule asks for a change in the last while: it resolves although the gauge keeps its code. */
const changeWindowS = 900;

interface Episode {
  readonly labels: Labels;
  readonly from: number;
  readonly fires: number;
  readonly to: number;
}

/** Every incident that a rule saw, under the labels that the series which broke the rule had then. */
function episodes(streams: readonly Stream[], until: number): Episode[] {
  const broken = [...gpuIncidents(until), ...hostPressure];
  return rules.flatMap(({ alertname, severity, sees, pendingS, on }) => {
    const watched = streams.filter(({ name }) => on.includes(name));
    return broken
      .filter(({ kind }) => kind === sees)
      .flatMap(({ node, gpu, from, forS }) =>
        watched
          .filter(({ place, alive }) => place?.node === node && place.gpu === gpu && isWithin(alive, from))
          .map(({ labels }) => ({
            labels: { alertname, severity, ...labels },
            from,
            fires: from + pendingS,
            // The evaluation at the last second still sees it.
            to: from + (forS || changeWindowS) + 1,
          })),
      );
  });
}

const alertSeries = (name: string, labels: Labels, alive: Stream['alive'], read: (at: number) => number): Stream => ({
  name,
  type: 'gauge',
  labels,
  alive,
  at: each(read),
});

/** ALERTS and ALERTS_FOR_STATE as the platform's Prometheus wrote them; an alert that comes back is the same series. */
export function alertStreams(streams: readonly Stream[], t0: number, until: number): Stream[] {
  const byLabels = Map.groupBy(episodes(streams, until), ({ labels }) => JSON.stringify(labels));
  return [...byLabels.values()].flatMap((same) => {
    const { labels } = same[0]!;
    const began = (at: number) => t0 + same.find(({ from, to }) => at >= from && at < to)!.from;
    const pending = same.map(({ from, fires }) => ({ from, to: fires })).filter(({ from, to }) => from < to);
    return [
      alertSeries('ALERTS', { ...labels, alertstate: 'pending' }, pending, () => 1),
      alertSeries(
        'ALERTS',
        { ...labels, alertstate: 'firing' },
        same.map(({ fires, to }) => ({ from: fires, to })),
        () => 1,
      ),
      alertSeries('ALERTS_FOR_STATE', labels, same, began),
    ];
  });
}
