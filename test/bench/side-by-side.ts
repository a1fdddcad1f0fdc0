import { performance } from 'node:perf_hooks';
import { cpuMs } from './process-figures.ts';

export interface Variant {
  readonly name: string;
  readonly run: () => Promise<unknown>;
}

/** Milliseconds of one run, round by round. */
export interface Timing {
  readonly name: string;
  readonly wall: readonly number[];
  /** By process; `client` is this one. */
  readonly cpu: Readonly<Record<string, readonly number[]>>;
}

export interface Rounds {
  readonly rounds?: number;
  /** Runs of a variant in a round, one after the other: short ones need several for the clock's sake. */
  readonly runs?: number;
  readonly warmUps?: number;
  /** Processes whose CPU time is measured along. */
  readonly processes?: Readonly<Record<string, number>>;
  readonly quiet?: boolean;
}

/** Runs variants in turn, A B A B: what else the machine does then falls on all of them alike. */
export async function sideBySide(
  variants: readonly Variant[],
  { rounds = 7, runs = 1, warmUps = 2, processes = {}, quiet = false }: Rounds = {},
): Promise<Timing[]> {
  for (let i = 0; i < warmUps; i += 1) for (const { run } of variants) await run();
  const timings = variants.map(({ name }) => ({
    name,
    wall: [] as number[],
    cpu: Object.fromEntries([...Object.keys(processes), 'client'].map((process) => [process, [] as number[]])),
  }));
  for (let round = 0; round < rounds; round += 1) {
    for (const [i, { run }] of variants.entries()) {
      const before = usedBy(processes);
      const start = performance.now();
      for (let n = 0; n < runs; n += 1) await run();
      timings[i]!.wall.push((performance.now() - start) / runs);
      const after = usedBy(processes);
      for (const [process, used] of Object.entries(after))
        timings[i]!.cpu[process]!.push((used - before[process]!) / runs);
    }
  }
  if (!quiet) for (const timing of timings) console.log(line(timing));
  return timings;
}

function usedBy(processes: Readonly<Record<string, number>>): Record<string, number> {
  const { user, system } = process.cpuUsage();
  const others = Object.entries(processes).map(([name, pid]) => [name, cpuMs(pid)] as const);
  return { ...Object.fromEntries(others), client: (user + system) / 1000 };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** CPU milliseconds of one run, all processes together. */
export const cpuOf = ({ cpu }: Timing): number => Object.values(cpu).reduce((sum, each) => sum + median(each), 0);

export const least = (values: readonly number[]): number => Math.min(...values);

function line({ name, wall, cpu }: Timing): string {
  const used = Object.entries(cpu).map(([process, each]) => `${process} ${median(each).toFixed(1)}`);
  const times = `median ${median(wall).toFixed(1).padStart(8)}  min ${least(wall).toFixed(1).padStart(8)} ms`;
  return `    ${name.padEnd(38)} ${times}   cpu ms: ${used.join(', ')}`;
}
