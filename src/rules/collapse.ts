import { meanOf } from '../samples/buckets.ts';
import { medianOf } from '../samples/median.ts';
import { round6 } from '../samples/round.ts';
import { between, type Stream } from '../samples/stream.ts';
import type { ActivityFacts } from './facts.ts';
import type { Target } from './target.ts';
import { clippedAt, type Finding, type Judged, stretches } from './finding.ts';
import { holds, insideOf } from './hold.ts';
import { overlap } from './span.ts';

const lowForS = 600;

/**
 * Activity stayed below half its median for ten minutes. Only time in which a pod had the GPU counts, for the median too:
 * a GPU that nobody uses has not collapsed.
 *
 * @param target  whose time counts, and a median to compare with other than that of the judged time
 */
export function utilizationCollapse(
  gpu: number,
  { family, stream, held }: ActivityFacts,
  { pods, medianPct }: Pick<Target, 'pods' | 'medianPct'>,
  judged: Judged,
): Finding[] {
  const own = held.filter(({ pod }) => pods === null || pods.has(pod));
  const used = kept(stream, (time) => own.some(({ from, to }) => time >= from && time <= to));
  const inside = between(used, judged.from, judged.to);
  if (inside.times.length === 0) return [];
  const median = medianPct ?? medianOf(inside.values);
  const rule = {
    breaks: (value: number) => round6(value) < round6(median / 2),
    atLeastS: lowForS,
    scrapeS: judged.scrapeS,
  };
  const low = holds(used, rule).flatMap((hold) => insideOf(used, hold, judged) ?? []);
  return stretches(low, judged).map((span) => ({
    ...span,
    kind: 'UTILIZATION_COLLAPSE',
    severity: 'WARN',
    gpu,
    clipped: clippedAt(span, judged),
    evidence: {
      activityPct: round6(meanOf(kept(used, (time) => time >= span.from && time <= span.to).values)),
      medianActivityPct: round6(median),
      activityFamily: family,
    },
    held: low.filter((hold) => overlap(hold, span)),
  }));
}

function kept({ times, values }: Stream, keeps: (time: number) => boolean): Stream {
  const flags = Array.from(times, keeps);
  return { times: times.filter((_, i) => flags[i]), values: values.filter((_, i) => flags[i]) };
}
