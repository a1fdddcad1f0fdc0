import type { Check, Family, FlagKind, Vendor } from '../domain/fleet.ts';

/** What a kind of flag is about. */
export const checkOf = {
  THERMAL_THROTTLE: 'THERMAL',
  POWER_CAP: 'POWER',
  UTILIZATION_COLLAPSE: 'UTILIZATION',
  COMM_ERRORS: 'COMM',
  HOST_PRESSURE: 'HOST',
  MEMORY_PRESSURE: 'MEMORY',
} as const satisfies Record<FlagKind, Check>;

/** Families of which one must answer, and the readings by which each does, the check's own inputs first. */
export interface Need {
  readonly families: readonly Family[];
  readonly readings: readonly string[];
  /** The second family stands in where a GPU has nothing of the first; else where the first was not heard all the time. */
  readonly standIn?: true;
}

const throttle = (timer: string): Need => ({
  families: ['THROTTLE_VIOLATIONS', 'CLOCK_EVENTS'],
  readings: [timer, 'clockEvents'],
});

type Needs = Readonly<Record<Check, Readonly<Record<Vendor, readonly Need[]>>>>;

const temperature: Need = { families: ['GPU_TEMP'], readings: ['tempC'] };
const links = ['linkCrc', 'linkReplay', 'linkRecovery', 'pcieReplay'];
const ecc: Need = { families: ['ECC'], readings: ['eccDbe'] };
const both = (...needs: readonly Need[]) => ({ NVIDIA: needs, AMD: needs });

/** What must have answered for a check to have been made. */
export const needsOf: Needs = {
  THERMAL: { NVIDIA: [temperature, throttle('thermalS')], AMD: [temperature] },
  POWER: { NVIDIA: [throttle('powerS')], AMD: [] },
  UTILIZATION: both({
    families: ['TENSOR_ACTIVE', 'GPU_UTIL'],
    readings: ['tensorActivePct', 'utilPct'],
    standIn: true,
  }),
  COMM: {
    NVIDIA: [{ families: ['LINK_ERRORS'], readings: links }, ecc, { families: ['XID'], readings: ['xid'] }],
    AMD: [{ families: ['LINK_ERRORS'], readings: ['pcieReplay', 'pcieRecovery'] }, ecc],
  },
  HOST: both({ families: ['HOST_PRESSURE'], readings: ['pressure.cpu', 'pressure.memory', 'pressure.io'] }),
  MEMORY: both({ families: ['HBM'], readings: ['hbmUsedGib'] }),
};

/** Families that the maker structurally lacks: never asked for, and no reason for doubt. */
export const unavailable: Readonly<Record<Vendor, readonly Family[]>> = {
  NVIDIA: [],
  AMD: ['THROTTLE_VIOLATIONS', 'CLOCK_EVENTS', 'XID'],
};

/** Whether a check can be made at all of this maker's GPUs. */
export const isPossible = (check: Check, vendor: Vendor): boolean => needsOf[check][vendor].length > 0;
