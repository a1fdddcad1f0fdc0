import type { FlagKind } from '../domain/fleet.ts';
import type { Rise } from '../samples/increase.ts';
import { utilizationCollapse } from './collapse.ts';
import { commErrors } from './comm-errors.ts';
import type { EpisodeFacts, GpuFacts, NodeFacts } from './facts.ts';
import type { Finding, Judged } from './finding.ts';
import { hostPressure, memoryPressure } from './pressure.ts';
import type { Span } from './span.ts';
import type { Target } from './target.ts';
import { nodeEpisodes, powerCap, thermalThrottle } from './throttle.ts';

/** How a site's samples come, and what it overlooks. */
export interface Terms {
  readonly gpuScrapeS: number;
  readonly hostScrapeS: number;
  /** See `Site`. */
  readonly minThrottledPct: number;
}

/** Every rule on one node. */
export function judge(facts: NodeFacts, target: Target, terms: Terms): Finding[] {
  return target.spans.flatMap((span) => [
    ...gpuFindings(facts, target, terms, span),
    ...hostFindings(facts, target, terms, span),
  ]);
}

type GpuRule = (
  gpu: number,
  facts: GpuFacts,
  judged: Judged,
  more: { target: Target; episodes: EpisodeFacts[] },
) => Finding[];

const gpuRules: Readonly<Partial<Record<FlagKind, GpuRule>>> = {
  THERMAL_THROTTLE: (gpu, facts, judged, { episodes }) => thermalThrottle(gpu, facts, episodes, judged),
  POWER_CAP: (gpu, facts, judged) => powerCap(gpu, facts, judged),
  UTILIZATION_COLLAPSE: (gpu, { activity }, judged, { target }) =>
    activity ? utilizationCollapse(gpu, activity, target, judged) : [],
  COMM_ERRORS: (gpu, facts, judged) => commErrors(gpu, facts, judged),
  MEMORY_PRESSURE: (gpu, { memory }, judged) => (memory ? memoryPressure(gpu, memory, judged) : []),
};

function gpuFindings(facts: NodeFacts, target: Target, terms: Terms, span: Span): Finding[] {
  const judged = { ...span, scrapeS: terms.gpuScrapeS };
  const rules = Object.entries(gpuRules).filter(([kind]) => target.kinds.has(kind as FlagKind));
  const found = [...facts.gpus].flatMap(([gpu, all]) => {
    const episodes = facts.thermalEpisodes.filter((episode) => episode.gpu === gpu);
    const own = worthCounting(all, terms);
    return rules.flatMap(([, rule]) => rule(gpu, own, judged, { target, episodes }));
  });
  if (!target.kinds.has('THERMAL_THROTTLE')) return found;
  const hot = found.filter(({ kind }) => kind === 'THERMAL_THROTTLE');
  return [...found, ...nodeEpisodes(facts.thermalEpisodes, hot, judged)];
}

function hostFindings(facts: NodeFacts, { kinds }: Target, { hostScrapeS }: Terms, span: Span): Finding[] {
  return kinds.has('HOST_PRESSURE') ? hostPressure(facts.host, { ...span, scrapeS: hostScrapeS }) : [];
}

/** Whether a timer rose for long enough of the time between two samples. What has no predecessor cannot be told, and counts. */
export const isWorthCounting = ({ from, to, by }: Rise, { minThrottledPct }: Terms): boolean =>
  to === from || (by / (to - from)) * 100 >= minThrottledPct;

function worthCounting(facts: GpuFacts, terms: Terms): GpuFacts {
  if (terms.minThrottledPct === 0) return facts;
  const only = ({ rises, events }: GpuFacts['thermal']) => ({
    rises: rises.filter((rise) => isWorthCounting(rise, terms)),
    events,
  });
  return { ...facts, thermal: only(facts.thermal), power: only(facts.power) };
}
