import { nodeReady } from './kube-state-metrics.ts';
import { cpu, growing, machineCounter, machineGauge } from './node-exporter.ts';
import type { Series } from './series.ts';

/** What the seed's example says of a host besides its pressure: processor, load, network, readiness. */
export const seedHost = (node: string, times: readonly number[]): Series[] => {
  const machine = { address: node };
  const network = { device: 'eth0' };
  return [
    ...cpu(machine, times, 4, () => ({ user: 0.3, system: 0.05 })),
    machineGauge(machine, 'node_load1', times, 2),
    machineCounter(machine, 'node_network_receive_bytes_total', times, growing(times, 12_500_000), network),
    machineCounter(machine, 'node_network_transmit_bytes_total', times, growing(times, 2_500_000), network),
    ...['receive_errs', 'transmit_errs', 'receive_drop', 'transmit_drop'].map((what) =>
      machineCounter(machine, `node_network_${what}_total`, times, growing(times, 0), network),
    ),
    ...nodeReady(node, times, () => 'true'),
  ];
};
