import type { Row } from '../domain/series.ts';
import { leastBlank } from '../readings/blanks.ts';
import { type FamilySource, isReading } from '../readings/catalogue.ts';
import { type Gap, gaps } from '../samples/silence.ts';
import { groupedBy } from '../scope/aggregate.ts';
import { promql, type ScopedQuery, since } from '../scope/scope.ts';
import { type Watch, watchOf } from '../reads/silence.ts';
import type { ClusterView } from '../reads/view.ts';
import { ask, called } from './roll-call.ts';
import { inSlots, slotOf } from './slots.ts';
import type { Subject } from './subject.ts';

/** Whether a GPU or host said something of a family all the time. */
export interface Heard {
  /** It was never silent for too long. */
  readonly whole: boolean;
  /** One series alone proves that: no label changed on the way. */
  readonly steady: boolean;
  /** Some sample of the window is there. */
  readonly present: boolean;
  /** When it was silent; null where there are too many of these to look at each. */
  readonly silent: readonly Gap[] | null;
}

const whole: Heard = { whole: true, steady: true, present: true, silent: [] };

// Of more samples than these, which GPUs fell silent is told, but not when.
const samplesAtMost = 500_000;

/**
 * What was heard of one family, by key.
 *
 * Upstream, for each source until all is heard: one request that counts, node by node, what was never silent; one more
 * that looks at the GPUs of each node that falls short, with all of their series; the samples of just those that remain.
 */
export async function readHeard(
  view: ClusterView,
  subject: Subject,
  sources: readonly FamilySource[],
): Promise<ReadonlyMap<string, Heard>> {
  const watch = watchOf(view, subject.exporter);
  const found = new Map<string, Heard>();
  let open = new Set(subject.keys);
  for (const source of sources) {
    if (open.size === 0) break;
    const { alone, together } = await called(view, subject.only(open), source, watch, {
      alone: (selector) => neverSilent(view, selector, source, watch, (each) => each),
      together: (selector, labels) =>
        neverSilent(view, selector, source, watch, (each) => groupedBy('group', labels, each)),
    });
    for (const key of alone) found.set(key, whole);
    for (const key of together) found.set(key, { ...whole, steady: false });
    open = new Set([...open].filter((key) => !found.has(key)));
  }
  const rest = await restOf(view, subject, sources, watch, open);
  for (const key of open) found.set(key, rest.get(key) ?? nothing(watch));
  return found;
}

/**
 * Which keys have any sample in the window. Most have one of late, which costs the store next to nothing; the rest is looked
 * for in all of it. One or two requests a source.
 */
export async function readPresent(
  view: ClusterView,
  subject: Subject,
  sources: readonly FamilySource[],
): Promise<ReadonlySet<string>> {
  const watch = watchOf(view, subject.exporter);
  const found = new Set<string>();
  const length = watch.end - watch.start;
  for (const source of sources) {
    for (const reach of [Math.min(length, watch.silentS), length]) {
      const open = subject.keys.filter((key) => !found.has(key));
      if (open.length === 0) return found;
      const [low, high] = source.plausible;
      const alone = (selector: ScopedQuery) =>
        promql`last_over_time(${selector}[${since(reach)}]) >= ${low} <= ${high}`;
      const together = (selector: ScopedQuery, labels: readonly string[]) =>
        groupedBy('group', labels, alone(selector));
      const seen = await called(view, subject.only(open), source, watch, { alone, together });
      for (const key of [...seen.alone, ...seen.together]) found.add(key);
    }
  }
  return found;
}

const nothing = ({ start, end }: Watch): Heard => ({
  whole: false,
  steady: false,
  present: false,
  silent: [{ from: start, to: end }],
});

/**
 * A plausible sample in every slot; where the window is shorter than one, also a sample inside it. What is too high to be a
 * reading is looked for everywhere, since that is what blanks are; what is too low only in the newest sample, unless the
 * reading cannot be 0: each comparison costs the store half as much again.
 */
function neverSilent(
  view: ClusterView,
  selector: ScopedQuery,
  source: FamilySource,
  watch: Watch,
  of: (series: ScopedQuery) => ScopedQuery,
): ScopedQuery {
  const slotS = slotOf(watch.silentS);
  const [low, high] = source.plausible;
  // Above the least blank of a count a closer look tells a count from a blank.
  const most = source.counts && source.scale === 1 ? leastBlank - 1 : high;
  const lately = (reachS: number) => promql`last_over_time(${selector}[${since(reachS)}])`;
  const sample = low > 0 ? promql`${lately(slotS)} >= ${low} <= ${most}` : promql`${lately(slotS)} <= ${most}`;
  const everySlot = inSlots(promql`(${of(sample)})`, '>=', watch.end - watch.start, slotS);
  const never = promql`(${everySlot}) and ${of(promql`(${lately(watch.silentS)} >= ${low})`)}`;
  const length = view.until - view.window.start;
  return length >= 2 * slotS ? never : promql`(${never}) and ${of(promql`(${lately(length)} >= ${low} <= ${most})`)}`;
}

/** What the samples themselves say of those that no count vouches for. */
async function restOf(
  view: ClusterView,
  subject: Subject,
  sources: readonly FamilySource[],
  watch: Watch,
  open: ReadonlySet<string>,
): Promise<Map<string, Heard>> {
  const found = new Map<string, Heard>();
  if (open.size === 0 || sources.length === 0) return found;
  const { start, end, silentS, scrapeS } = watch;
  const narrowed = subject.only(open);
  const isMany = (open.size * sources.length * (end - start)) / scrapeS > samplesAtMost;
  const rows = await Promise.all(
    sources.map(async (source) => {
      const own = await ask(view, narrowed, source, watch, (selector) =>
        isMany
          ? groupedBy(
              'group',
              narrowed.labels(source.metric),
              promql`last_over_time(${selector}[${since(end - start)}])`,
            )
          : promql`${selector}[${since(end - start)}]`,
      );
      return own.map((row) => ({ row, source }));
    }),
  );
  for (const [key, own] of Map.groupBy(rows.flat(), ({ row }) => narrowed.keyOf(row.labels))) {
    if (key === null || !open.has(key)) continue;
    if (isMany) found.set(key, { whole: false, steady: false, present: true, silent: null });
    else {
      const times = Float64Array.from(new Set(own.flatMap(({ row, source }) => plausibleTimes(row, source)))).sort();
      const silent = gaps({ times, values: times }, start, end, silentS);
      const present = times.some((time) => time > view.window.start && time <= end);
      found.set(key, { whole: present && silent.length === 0, steady: false, present, silent });
    }
  }
  return found;
}

const plausibleTimes = ({ times, values }: Row, source: FamilySource): number[] =>
  [...times].filter((_, i) => isReading(source, values[i]!));
