import { type HostResource, hostResources } from '../domain/fleet.ts';
import type { HostFacts, MemoryFacts } from './facts.ts';
import { round6 } from '../samples/round.ts';
import { clippedAt, type Finding, type Judged, stretches } from './finding.ts';
import { holds, insideOf } from './hold.ts';
import { overlap } from './span.ts';
import { highest } from './throttle.ts';

const heldForS = 300;
export const waitedPct = 20;
export const fullShare = 0.95;

/** The host waited for CPU, memory or disk more than a fifth of the time, for five minutes; one flag for each. */
export const hostPressure = (host: HostFacts, judged: Judged): Finding[] =>
  hostResources.flatMap((resource) => waitedFor(resource, host, judged));

function waitedFor(resource: HostResource, host: HostFacts, judged: Judged): Finding[] {
  const stream = host[resource];
  if (!stream) return [];
  const rule = { breaks: (value: number) => round6(value) > waitedPct, atLeastS: heldForS, scrapeS: judged.scrapeS };
  const long = holds(stream, rule).flatMap((hold) => insideOf(stream, hold, judged) ?? []);
  return stretches(long, judged).map((span) => ({
    ...span,
    kind: 'HOST_PRESSURE',
    severity: 'WARN',
    gpu: null,
    clipped: clippedAt(span, judged),
    evidence: { resource, peakPressurePct: highest(stream, span)! },
    held: long.filter((hold) => overlap(hold, span)),
  }));
}

/** GPU memory in use held at or above 95 % of the total for five minutes. */
export function memoryPressure(gpu: number, { usedGib, totalGib }: MemoryFacts, judged: Judged): Finding[] {
  const share = { times: usedGib.times, values: usedGib.values.map((used, i) => used / totalGib[i]!) };
  const full = (value: number) => round6(value) >= fullShare;
  const rule = { breaks: full, atLeastS: heldForS, scrapeS: judged.scrapeS };
  const long = holds(share, rule).flatMap((hold) => insideOf(share, hold, judged) ?? []);
  return stretches(long, judged).map((span) => {
    const peak = highest(usedGib, span)!;
    const at = usedGib.times.findIndex((time, i) => time >= span.from && round6(usedGib.values[i]!) === peak);
    return {
      ...span,
      kind: 'MEMORY_PRESSURE',
      severity: 'WARN',
      gpu,
      clipped: clippedAt(span, judged),
      evidence: { peakHbmUsedGib: peak, hbmTotalGib: round6(totalGib[at]!) },
      held: long.filter((hold) => overlap(hold, span)),
    };
  });
}
