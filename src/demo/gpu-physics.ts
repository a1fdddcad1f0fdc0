import { checkpointEveryS, checkpointPhaseS, checkpointS } from './profiles.ts';
import type { GpuIncident } from './incidents.ts';
import { followed, into, jitter, seedOf, swing } from './shapes.ts';
import type { Tenancy } from './tenancy.ts';

/** What a board is like under no load and under full load. */
export interface Board {
  readonly idleC: number;
  readonly fullC: number;
  readonly idleW: number;
  readonly fullW: number;
  readonly idleMhz: number;
  readonly fullMhz: number;
}

/** One moment of a GPU, before an exporter puts it into its own units. */
export interface Moment {
  readonly tempC: number;
  readonly memoryTempC: number;
  readonly tensor: number;
  readonly sm: number;
  readonly dram: number;
  /** Share of the time in which some kernel ran. */
  readonly busy: number;
  readonly powerW: number;
  readonly smMhz: number;
  readonly memory: number;
}

/** How warm a slot runs: air reaches the rear ones late. */
const slotC = [2, 5, 8, 10, 1, 4, 7, 9];

/** A job reads its data before its first step; heat follows power; a checkpoint is too short to cool the board down. */
export const lags = { loadS: 180, startS: 60, heatS: 240, dipS: 90 };

/** What an incident does to the work, the clock and the power of its GPU while it lasts. */
export const effects: Partial<Record<GpuIncident['kind'], { work: number; clock: number; power: number }>> = {
  thermalHold: { work: 0.7, clock: 0.68, power: 0.82 },
  powerCap: { work: 0.86, clock: 0.8, power: 1.04 },
  collapse: { work: 0.13, clock: 1, power: 0.42 },
  starved: { work: 0.66, clock: 1, power: 0.8 },
};

export const isDuring = ({ from, forS }: GpuIncident, at: number): boolean => at >= from && at <= from + forS;

/** The temperature while a board cannot get rid of its heat: a climb to 82, the hold, a fall from 82. */
function held(incident: GpuIncident & { kind: 'thermalHold' }, at: number, usualC: number): number {
  const { from, forS, holdC, peakC } = incident;
  if (at < from) return usualC + (82 - usualC) * Math.max(0, 1 - (from - at) / 240);
  if (at > from + forS) return usualC + (82 - usualC) * Math.exp((from + forS - at) / lags.dipS);
  return holdC + (peakC - holdC) * Math.sin((Math.PI * (at - from)) / forS);
}

/** The physics of one GPU under one tenant. */
export function momentOf(
  name: string,
  slot: number,
  board: Board,
  tenancy: Tenancy,
  incidents: readonly GpuIncident[],
) {
  const seed = seedOf(name);
  const { profile, from, to } = tenancy;
  // Pods of one workload checkpoint together.
  const phaseS = checkpointPhaseS(tenancy.group?.top[1] ?? 'pool');
  const fullC = board.fullC + slotC[slot % slotC.length]! + (seed % 3) * 0.5;

  return (at: number): Moment => {
    const noise = jitter(seed, Math.floor(at / 30));
    const round = into(at, checkpointEveryS, phaseS);
    const up = profile ? followed(at, from + lags.loadS, to, lags.startS) : 0;
    const dip = profile?.checkpoints && round < checkpointS ? 0.94 : 0;
    const dipHeat = profile?.checkpoints ? followed(round, 0, checkpointS, lags.dipS) : 0;
    const now = incidents.find((incident) => isDuring(incident, at));
    const effect = (now && effects[now.kind]) ?? { work: 1, clock: 1, power: 1 };

    const sway = 1 + (profile?.sway ?? 0) * (0.7 * swing(at, 2400, seed % 7) + 0.5 * noise);
    const work = up * (1 - dip) * sway * effect.work;
    const cooled = incidents.reduce(
      (heat, one) =>
        heat * (one.kind === 'collapse' ? 1 - 0.5 * followed(at, one.from, one.from + one.forS, lags.heatS) : 1),
      1,
    );
    const heat = profile
      ? followed(at, from + lags.loadS, to, lags.heatS) * (0.25 + 0.75 * profile.power) * (1 - 0.3 * dipHeat) * cooled
      : // What a tenant left behind; nothing before the first.
        Math.exp((from - at) / lags.heatS) * Number(Number.isFinite(from));
    const usualC = board.idleC + (fullC - board.idleC) * heat + 0.8 * swing(at, 5400, seed % 5) + 0.5 * noise;
    const thermal = incidents.filter((incident) => incident.kind === 'thermalHold');
    const tempC = thermal.reduce((celsius, incident) => Math.max(celsius, held(incident, at, usualC)), usualC);

    const load = (profile?.power ?? 0) * up * (1 - 0.6 * dip) * (1 + 0.03 * noise);
    return {
      tempC,
      memoryTempC: tempC + 4 * heat + 3,
      tensor: (profile?.tensor ?? 0) * work,
      sm: (profile?.sm ?? 0) * work,
      dram: (profile?.dram ?? 0) * work,
      busy: up * (dip > 0 ? 0.2 : 1) * Math.min(1, (profile?.sm ?? 0) * 1.1 * effect.work + 0.05),
      powerW: Math.min(board.fullW, (board.idleW + (board.fullW - board.idleW) * load) * effect.power),
      smMhz:
        board.idleMhz +
        (board.fullMhz - board.idleMhz) * (up > 0.01 ? 1 : 0) * effect.clock * (1 - 0.008 * Math.abs(noise)),
      memory:
        now?.kind === 'fullMemory' ? 0.972 : (profile?.memory ?? 0) * Math.min(1, up * 1.02) * (1 + 0.004 * noise),
    };
  };
}
