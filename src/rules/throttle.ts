import { type Rise, total } from '../samples/increase.ts';
import { round6 } from '../samples/round.ts';
import { between, type Stream } from '../samples/stream.ts';
import type { EpisodeFacts, Event, GpuFacts, ThrottleFacts } from './facts.ts';
import { clippedAt, type Evidence, type Finding, isLong, type Judged, stretches } from './finding.ts';
import { holds, insideOf } from './hold.ts';
import { covered, overlap, type Span, within } from './span.ts';

export const hotC = 83;
const hotForS = 300;

/** Words of DCGM's for what slows a GPU down: which of them tell of heat, and which of power. */
export const thermalEvents: ReadonlySet<string> = new Set(['SW_THERMAL', 'HW_THERMAL']);
export const powerEvents: ReadonlySet<string> = new Set(['POWER_CAP', 'HW_POWER_BRAKE']);

/** Throttled by heat: a timer rose, a thermal clock event landed, or it held at or above 83 °C for five minutes. */
export function thermalThrottle(
  gpu: number,
  { tempC, thermal }: Pick<GpuFacts, 'tempC' | 'thermal'>,
  episodes: readonly EpisodeFacts[],
  judged: Judged,
): Finding[] {
  const rule = { breaks: (value: number) => value >= hotC, atLeastS: hotForS, scrapeS: judged.scrapeS };
  const hot = holds(tempC, rule).flatMap((hold) => insideOf(tempC, hold, judged) ?? []);
  const recorded = episodes.flatMap((episode) => within(episode, judged) ?? []);
  const held = hot.map((hold) => asRecorded(hold, recorded, 2 * judged.scrapeS));
  return throttled('THERMAL_THROTTLE', gpu, { hot: held, recorded }, thermal, judged, (span, seconds, clockEvents) => {
    // A sample at the very start lies outside: the judged time is open there.
    const peak = highest(between(tempC, judged.from, judged.to), span);
    return {
      ...(peak !== null && { peakTempC: peak }),
      ...(seconds > 0 && { thermalThrottleS: seconds }),
      ...(clockEvents.length > 0 && { clockEvents }),
    };
  });
}

/** A hold with the bounds of a record of it that reaches up to two scrapes further: the rule is evaluated between scrapes. */
function asRecorded({ from, to }: Span, recorded: readonly Span[], reachS: number): Span {
  const near = recorded.filter((record) => overlap(record, { from, to }));
  const [first, last] = [Math.min(...near.map((one) => one.from)), Math.max(...near.map((one) => one.to))];
  return {
    from: first < from && from - first <= reachS ? first : from,
    to: last > to && last - to <= reachS ? last : to,
  };
}

/** Held back by the power limit: a timer rose, or a power clock event landed. */
export function powerCap(gpu: number, { power }: Pick<GpuFacts, 'power'>, judged: Judged): Finding[] {
  return throttled('POWER_CAP', gpu, { hot: [], recorded: [] }, power, judged, (_span, seconds, clockEvents) => ({
    ...(seconds > 0 && { powerThrottleS: seconds }),
    ...(clockEvents.length > 0 && { clockEvents }),
  }));
}

/** A thermal episode that names no GPU, of a maker that reports no throttling; one that a GPU's flag already tells is no second flag. */
export function nodeEpisodes(episodes: readonly EpisodeFacts[], found: readonly Span[], judged: Judged): Finding[] {
  const own = episodes.filter((episode) => episode.gpu === null);
  return stretches(own, judged)
    .filter((span) => !found.some((other) => overlap(other, span)))
    .map((span) => ({
      ...span,
      kind: 'THERMAL_THROTTLE',
      severity: isLong(span.to - span.from) ? 'HIGH' : 'WARN',
      gpu: null,
      clipped: clippedAt(span, judged),
      evidence: {},
      held: [],
    }));
}

/** The rises that ended inside the judged time, cut to it. */
export const risesIn = (rises: readonly Rise[], { from, to }: Span): Rise[] =>
  rises.filter((rise) => rise.to > from && rise.to <= to).map((rise) => ({ ...rise, from: Math.max(rise.from, from) }));

export const eventsIn = (events: readonly Event[], { from, to }: Span): Event[] =>
  events
    .filter((event) => event.to > from && event.to <= to)
    .map((event) => ({ ...event, from: Math.max(event.from, from) }));

function throttled(
  kind: 'THERMAL_THROTTLE' | 'POWER_CAP',
  gpu: number,
  { hot, recorded }: Readonly<Record<'hot' | 'recorded', readonly Span[]>>,
  facts: ThrottleFacts,
  judged: Judged,
  evidenceOf: (span: Span, seconds: number, clockEvents: NonNullable<Evidence['clockEvents']>) => Evidence,
): Finding[] {
  const rises = risesIn(facts.rises, judged);
  const events = eventsIn(facts.events, judged);
  return stretches([...hot, ...recorded, ...rises, ...events], judged).map((span) => {
    const inside = <T extends Span>(pieces: readonly T[]) => pieces.filter((piece) => overlap(piece, span));
    const seconds = total(inside(rises));
    const held = inside(hot);
    // What is on record tells how long where nothing was seen to hold.
    const heldS = covered([...held, ...inside(events), ...(held.length === 0 ? inside(recorded) : [])]);
    return {
      ...span,
      kind,
      severity: isLong(heldS, seconds) ? 'HIGH' : 'WARN',
      gpu,
      clipped: clippedAt(span, judged),
      evidence: evidenceOf(span, round6(seconds), counted(inside(events))),
      held,
    };
  });
}

function counted(events: readonly Event[]): NonNullable<Evidence['clockEvents']> {
  return [...Map.groupBy(events, ({ kind }) => kind)]
    .map(([kind, own]) => ({ kind, count: own.reduce((sum, { count }) => sum + count, 0) }))
    .sort((a, b) => (a.kind < b.kind ? -1 : 1));
}

/** The highest sample of a span, six digits; null where it has none. */
export function highest({ times, values }: Stream, { from, to }: Span): number | null {
  const inside = values.filter((_, i) => times[i]! >= from && times[i]! <= to);
  return inside.length > 0 ? round6(Math.max(...inside)) : null;
}
