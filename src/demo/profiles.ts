import { seedOf } from './shapes.ts';

/** How a workload uses the GPUs it holds, as shares of what the board can do. */
export interface Profile {
  readonly tensor: number;
  readonly sm: number;
  readonly dram: number;
  readonly power: number;
  readonly memory: number;
  /** How much its activity swings over minutes: serving follows its users. */
  readonly sway: number;
  /** Writes a checkpoint now and then, and waits for it. */
  readonly checkpoints: boolean;
}

export const profiles = {
  training: { tensor: 0.62, sm: 0.9, dram: 0.48, power: 0.93, memory: 0.88, sway: 0.02, checkpoints: true },
  evaluation: { tensor: 0.45, sm: 0.78, dram: 0.52, power: 0.8, memory: 0.71, sway: 0.04, checkpoints: false },
  simulation: { tensor: 0.5, sm: 0.84, dram: 0.61, power: 0.88, memory: 0.66, sway: 0.03, checkpoints: true },
  serving: { tensor: 0.31, sm: 0.58, dram: 0.66, power: 0.68, memory: 0.9, sway: 0.12, checkpoints: false },
  notebook: { tensor: 0.24, sm: 0.41, dram: 0.22, power: 0.5, memory: 0.35, sway: 0.1, checkpoints: false },
  hostOnly: { tensor: 0, sm: 0, dram: 0, power: 0, memory: 0, sway: 0, checkpoints: false },
} as const satisfies Record<string, Profile>;

export const checkpointEveryS = 1800;
export const checkpointS = 75;
/** When in the round a workload writes its checkpoint. */
export const checkpointPhaseS = (workload: string): number => seedOf(workload) % checkpointEveryS;
