import type { Family } from '../domain/fleet.ts';

/** node_exporter's names are stable, so a host reading has one source; a site can replace it under `HOST`. */
export interface HostReading {
  readonly family: Family;
  readonly unit: string;
  readonly describe: string;
  readonly plausible: readonly [number, number];
  readonly metrics: readonly string[];
  /** `gauge`: as sampled. `rate`: Δ/Δt of a counter. `increase`: the rise over the window. */
  readonly kind: 'gauge' | 'rate' | 'increase';
  readonly scale: number;
  /** The series are per network device: bond masters, else physical ones, add up. */
  readonly perDevice?: true;
}

const pressure = { family: 'HOST_PRESSURE', unit: 'percent', kind: 'rate', scale: 100, plausible: [0, 101] } as const;
const nic = { family: 'HOST_NIC', perDevice: true, scale: 1 } as const;
const bitsPerByte = 8;

/** What a host reads, by a name that is unique here: `pressure.cpu` is the field `cpu` of HostPressure. */
export const hostReadings = {
  cpuBusyPct: {
    family: 'HOST_CPU',
    unit: 'percent',
    describe: 'Share of CPU time not idle; waiting for disks is idle, stolen time is busy',
    plausible: [-1, 101],
    metrics: ['node_cpu_seconds_total'],
    kind: 'rate',
    scale: 100,
  },
  loadPerCore: {
    family: 'HOST_CPU',
    unit: 'runnable tasks per core',
    describe: 'Run queue length (load over one minute) per core',
    plausible: [0, 100_000],
    metrics: ['node_load1'],
    kind: 'gauge',
    scale: 1,
  },
  'pressure.cpu': {
    ...pressure,
    describe: 'Share of time in which some task waited for a CPU',
    metrics: ['node_pressure_cpu_waiting_seconds_total'],
  },
  'pressure.memory': {
    ...pressure,
    describe: 'Share of time in which some task waited for memory',
    metrics: ['node_pressure_memory_waiting_seconds_total'],
  },
  'pressure.io': {
    ...pressure,
    describe: 'Share of time in which some task waited for a disk',
    metrics: ['node_pressure_io_waiting_seconds_total'],
  },
  'nic.rxMbps': {
    ...nic,
    unit: 'Mbit/s',
    describe: 'Network traffic received',
    plausible: [0, 10_000_000],
    metrics: ['node_network_receive_bytes_total'],
    kind: 'rate',
    scale: bitsPerByte / 1e6,
  },
  'nic.txMbps': {
    ...nic,
    unit: 'Mbit/s',
    describe: 'Network traffic sent',
    plausible: [0, 10_000_000],
    metrics: ['node_network_transmit_bytes_total'],
    kind: 'rate',
    scale: bitsPerByte / 1e6,
  },
  'nic.errors': {
    ...nic,
    unit: 'count',
    describe: 'Packets received or sent with errors',
    plausible: [0, Number.MAX_SAFE_INTEGER],
    metrics: [
      'node_network_receive_errs_total',
      'node_network_transmit_errs_total',
      'node_network_receive_errors_total',
      'node_network_transmit_errors_total',
    ],
    kind: 'increase',
  },
  'nic.drops': {
    ...nic,
    unit: 'count',
    describe: 'Packets dropped while receiving or sending',
    plausible: [0, Number.MAX_SAFE_INTEGER],
    metrics: [
      'node_network_receive_drop_total',
      'node_network_transmit_drop_total',
      'node_network_receive_dropped_total',
      'node_network_transmit_dropped_total',
    ],
    kind: 'increase',
  },
  'northSouth.ingressMbps': {
    family: 'NORTH_SOUTH',
    unit: 'Mbit/s',
    describe: 'Traffic from the internet',
    plausible: [0, 100_000_000],
    metrics: [],
    kind: 'gauge',
    scale: 1,
  },
  'northSouth.egressMbps': {
    family: 'NORTH_SOUTH',
    unit: 'Mbit/s',
    describe: 'Traffic to the internet',
    plausible: [0, 100_000_000],
    metrics: [],
    kind: 'gauge',
    scale: 1,
  },
} as const satisfies Record<string, HostReading>;

export type HostReadingName = keyof typeof hostReadings;
