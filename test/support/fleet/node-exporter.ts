import { type Labels, type Series, series, type Value, valueAt } from './series.ts';

/** Where a machine's own exporter is scraped: `instance` is an address with a port, as charts leave it. */
export interface Machine {
  readonly address: string;
  readonly extra?: Labels;
}

const labelsOf = ({ address, extra }: Machine): Labels => ({
  instance: `${address}:9100`,
  job: 'node-exporter',
  ...extra,
});

/** Seconds of each mode in one second of one core; `idle` is what is left. */
export type Shares = Readonly<
  Partial<Record<'user' | 'system' | 'nice' | 'irq' | 'softirq' | 'iowait' | 'steal', number>>
>;

const modes = ['user', 'system', 'nice', 'irq', 'softirq', 'iowait', 'steal'] as const;

/** CPU counters whose modes add up to the time that passed, to the hundredth of a second that kernels count in. */
export const cpu = (machine: Machine, times: readonly number[], cores: number, shares: (time: number) => Shares) =>
  Array.from({ length: cores }).flatMap((_, core) => {
    const spent = new Map<string, number[]>([...modes, 'idle'].map((mode) => [mode, []]));
    const total = new Map<string, number>();
    let before = times[0]! - 30;
    for (const time of times) {
      const passed = Math.round((time - before) * 100);
      before = time;
      let idle = passed;
      for (const mode of modes) {
        const ticks = Math.round((shares(time)[mode] ?? 0) * passed);
        idle -= ticks;
        total.set(mode, (total.get(mode) ?? 40_000) + ticks);
      }
      total.set('idle', (total.get('idle') ?? 9_000_000) + idle);
      for (const [mode, ticks] of total) spent.get(mode)!.push(ticks / 100);
    }
    return [...spent].map(([mode, values]): Series => ({
      labels: { __name__: 'node_cpu_seconds_total', ...labelsOf(machine), cpu: String(core), mode },
      times,
      values,
    }));
  });

/** A counter that grows by `perSecond` at each scrape's own time, from a start that no zero hides behind. */
export const growing = (times: readonly number[], perSecond: Value, start = 1000): number[] => {
  let value = start;
  return times.map((time, at) => {
    value += at === 0 ? 0 : valueAt(perSecond, time) * (time - times[at - 1]!);
    return Math.round(value * 1e6) / 1e6;
  });
};

/** One series of the machine with its values in full. */
export const machineCounter = (
  machine: Machine,
  metric: string,
  times: readonly number[],
  values: readonly number[],
  extra: Labels = {},
): Series => ({ labels: { __name__: metric, ...labelsOf(machine), ...extra }, times, values });

export const machineGauge = (
  machine: Machine,
  metric: string,
  times: readonly number[],
  value: Value,
  extra: Labels = {},
): Series => series(metric, { ...labelsOf(machine), ...extra }, times, value);
