import { gpusPerNode, nodeName, scrapeS } from './fleet.ts';

/** Something that one series of a faulty GPU or host shows for a while. */
export interface FaultSeen {
  readonly metric: string;
  readonly minutes: number;
  /** Where in the span it begins, from 0 to 1. */
  readonly begins: number;
  /** @param inside samples since it began, from 1; it no longer rises when the minutes are over */
  readonly shows: (usual: number, inside: number) => number;
}

type Kind = Omit<FaultSeen, 'begins'>;

const gpuKinds: readonly Kind[] = [
  { metric: 'DCGM_FI_DEV_GPU_TEMP', minutes: 12, shows: () => 86 },
  { metric: 'DCGM_FI_PROF_PIPE_TENSOR_ACTIVE', minutes: 15, shows: () => 0.02 },
  { metric: 'DCGM_FI_DEV_PCIE_REPLAY_COUNTER', minutes: 0.5, shows: (usual, inside) => usual + 12 * inside },
  { metric: 'DCGM_FI_DEV_THERMAL_VIOLATION', minutes: 11, shows: (usual, inside) => usual + inside * 9e9 },
  { metric: 'DCGM_FI_DEV_FB_USED', minutes: 20, shows: () => 81_000 },
  { metric: 'DCGM_FI_DEV_XID_ERRORS', minutes: 0.5, shows: () => 79 },
];

/** What is counted, or keeps its last code, does not go back when the fault is over. */
const lasting = /VIOLATION|COUNTER|XID|_total$/;

const hostKind: Kind = {
  metric: 'node_pressure_io_waiting_seconds_total',
  minutes: 12,
  shows: (usual, inside) => usual + inside * scrapeS * 0.38,
};

/** One GPU in a hundred, counted through the fleet, each with one of the kinds. */
export function faultOfGpu(at: number): FaultSeen | null {
  const nth = (at - 37) / 100;
  return Number.isInteger(nth) && nth >= 0 ? { ...gpuKinds[nth % gpuKinds.length]!, begins: beginsAt(nth) } : null;
}

/** One host in a hundred. */
export function faultOfHost(node: number): FaultSeen | null {
  const nth = (node - 23) / 100;
  return Number.isInteger(nth) && nth >= 0 ? { ...hostKind, begins: beginsAt(nth) } : null;
}

export interface FaultyPlace {
  readonly node: string;
  /** Null where the host is at fault. */
  readonly index: number | null;
}

/** Where the faults of a fleet of so many nodes are. */
export function faultyPlaces(nodes: number): FaultyPlace[] {
  const places: FaultyPlace[] = [];
  for (let node = 1; node <= nodes; node += 1) {
    if (faultOfHost(node) !== null) places.push({ node: nodeName(node), index: null });
    for (let index = 0; index < gpusPerNode; index += 1)
      if (faultOfGpu(serialOf(node, index)) !== null) places.push({ node: nodeName(node), index });
  }
  return places;
}

/** A GPU's number, counted through the fleet from 0. */
export const serialOf = (node: number, index: number): number => (node - 1) * gpusPerNode + index;

const beginsAt = (nth: number): number => 0.2 + 0.6 * ((nth * 0.618) % 1);

export function withFault(
  { metric, minutes, begins, shows }: FaultSeen,
  times: Float64Array,
  usual: Float64Array,
  { end, spanS }: { readonly end: number; readonly spanS: number },
): Float64Array {
  const from = end - spanS * (1 - begins);
  const most = Math.round((minutes * 60) / scrapeS);
  let since = 0;
  return usual.map((value, i) => {
    if (times[i]! > from) since += 1;
    if (since === 0 || (since > most && !lasting.test(metric))) return value;
    return shows(value, Math.min(since, most));
  });
}
