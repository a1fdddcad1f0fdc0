import type { GpuIncident, Risen } from './incidents.ts';
import { outages } from './incidents.ts';
import { elapsed, pick } from './shapes.ts';

/** Seconds that a limiter held the clocks down, of those that its incidents lasted. */
const throttling = { thermalHold: 0.45, powerCap: 0.6 } as const;

export const throttledS = (incidents: readonly GpuIncident[], kind: keyof typeof throttling, at: number): number =>
  incidents
    .filter((incident) => incident.kind === kind)
    .reduce((seconds, { from, forS }) => seconds + throttling[kind] * elapsed(at, from, from + forS), 0);

/** What the incidents added to an error counter: whole errors, all at once or one by one. */
export const risen = (incidents: readonly GpuIncident[], counter: Risen, at: number): number =>
  incidents.reduce((sum, one) => {
    if (one.kind !== 'rise' || one.counter !== counter || at < one.from) return sum;
    return (
      sum + (one.forS === 0 ? one.by : Math.floor((one.by * elapsed(at, one.from, one.from + one.forS)) / one.forS))
    );
  }, 0);

/**
 * A counter that lives as long as the driver: what it had gathered before the history begins, and what this demo added.
 * A driver reload takes both away.
 */
export function sinceDriverLoad(
  node: string,
  before: { readonly name: string; readonly below: number },
  added: (at: number) => number,
  at: number,
): number {
  const reload = outages.find((outage) => outage.node === node && outage.driverReload);
  return reload && at >= reload.from ? added(at) - added(reload.from) : pick(before.name, before.below) + added(at);
}
