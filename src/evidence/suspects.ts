import type { Source } from '../domain/site.ts';
import { baselineReachS, baselineS } from '../samples/increase.ts';
import { countedByValue, groupedBy, unionOf } from '../scope/aggregate.ts';
import { promql, type ScopedQuery, select, since, span } from '../scope/scope.ts';
import type { ClusterView } from '../reads/view.ts';
import { inSlots, slotOf } from './slots.ts';
import type { Subject } from './subject.ts';

/** A filter that the store applies: of all series of a source it answers those of the GPUs or hosts that may break a rule. */
export type Filter = (selector: ScopedQuery, labels: readonly string[], source: Source) => ScopedQuery;

/**
 * The keys of what may break a rule; everything that does is among them. One request a source, whatever the number of
 * nodes, and almost nothing comes back of what is healthy.
 */
export async function suspectsOf(
  view: ClusterView,
  subject: Subject,
  sources: readonly Source[],
  filter: Filter,
): Promise<Set<string>> {
  const asked = sources.flatMap((source) =>
    subject.matchers(source.metric).map((own) => {
      const selector = select(view.cluster, source.metric, [...(source.match ?? []), ...own]);
      const query = filter(selector, subject.labels(source.metric), source);
      return view.rows(`${source.metric}: suspects`, { kind: 'instant', query, time: view.window.end });
    }),
  );
  const rows = (await Promise.all(asked)).flat();
  return new Set(rows.flatMap(({ labels }) => subject.keyOf(labels) ?? []));
}

const lengthOf = ({ window: { start, end } }: ClusterView): number => end - start;

/** Some sample reached a level, in the reading's unit. */
export const reached =
  (view: ClusterView, level: number): Filter =>
  (selector, labels, { scale }) =>
    promql`${groupedBy('max', labels, promql`max_over_time(${selector}[${since(lengthOf(view))}])`)} >= ${level / scale}`;

// What tells series of one counter apart: each counts for itself, and one of another target begins anew.
const apart = ['instance', 'nvlink', 'nvswitch', 'link_index', 'hbm_index', 'xid', 'clock_event'];

/**
 * What stood there when the window began, series by series. One that ended before is left out: its successor may show less,
 * and then the same again.
 */
function baseOf(selector: ScopedQuery, length: number): ScopedQuery {
  const first = Math.min(baselineS, length);
  const later = promql`${selector}[${since(first)}]`;
  const goesOn = promql`last_over_time(${length > first ? promql`${later} offset ${span(length - first)}` : later})`;
  return promql`(last_over_time(${selector}[${since(baselineReachS)}] offset ${span(length)}) and ${goesOn})`;
}

/**
 * A counter, a code or a mask that did not stand where it stood when the window began: its highest value is another one
 * (or there was none), or its lowest is lower. What stands still all the time has not risen, whatever its labels did.
 */
export const moved =
  (view: ClusterView): Filter =>
  (selector, labels) => {
    const own = [...labels, ...apart];
    const length = lengthOf(view);
    const base = baseOf(selector, length);
    const highest = promql`max_over_time(${selector}[${since(length)}]) > 0`;
    const lowest = promql`min_over_time(${selector}[${since(length)}])`;
    const rose = promql`${countedByValue('value', own, highest)} unless ${countedByValue('value', own, base)}`;
    const fell = promql`${groupedBy('min', own, lowest)} < ${groupedBy('min', own, base)}`;
    return promql`(${rose}) or (${fell})`;
  };

/**
 * The same of GPUs whose series went on unchanged all the time, in one pass over the samples rather than two: some series
 * changed its value, or one ends that shows another value than stood there when the window began.
 */
export const stepped =
  (view: ClusterView): Filter =>
  (selector, labels) => {
    const own = [...labels, ...apart];
    const length = lengthOf(view);
    const changed = promql`changes(${selector}[${since(length + baselineReachS)}]) > 0`;
    const now = promql`last_over_time(${selector}[${since(Math.min(baselineS, length))}]) > 0`;
    const other = promql`${countedByValue('value', own, now)} unless ${countedByValue('value', own, baseOf(selector, length))}`;
    return promql`(${groupedBy('group', labels, changed)}) or (${other})`;
  };

/** Series that say something, but not all the time. */
const gappy = (view: ClusterView, selector: ScopedQuery): ScopedQuery => {
  const slotS = slotOf(view.pace().silentS);
  const says = promql`max_over_time(${selector}[${since(lengthOf(view))}]) > 0`;
  const each = promql`count_over_time(${selector}[${since(slotS)}])`;
  return promql`(${inSlots(each, '<', lengthOf(view), slotS)}) and (${says})`;
};

/** As `moved`, of what counts or shows events: after a silence the value that was there before is an event once more. */
export const movedOrBack =
  (view: ClusterView): Filter =>
  (selector, labels, source) =>
    promql`(${moved(view)(selector, labels, source)}) or (${groupedBy('group', labels, gappy(view, selector))})`;

/**
 * A timer that rose for at least half of a share of the time between two samples, in percent. Half, since the store looks at
 * a grid and not at the samples. Where it cannot see two neighbours (one of several series, one that was silent, one that was
 * born) everything is let through.
 */
export const throttledFor =
  (view: ClusterView, pct: number): Filter =>
  (selector, labels, { scale }) => {
    const own = [...labels, ...apart];
    const length = lengthOf(view);
    const { scrapeS, silentS } = view.pace();
    const fastest = promql`max_over_time(irate(${selector}[${since(silentS + scrapeS)}])[${since(length)}:${span(scrapeS / 2)}])`;
    const highest = groupedBy('max', own, promql`max_over_time(${selector}[${since(length)}])`);
    const clauses = [
      promql`${groupedBy('max', own, fastest)} >= ${(pct / 200) * (1 / scale)}`,
      promql`(${highest} > 0) unless ${groupedBy('max', own, baseOf(selector, length))}`,
      promql`${groupedBy('count', labels, promql`last_over_time(${selector}[${since(length)}])`)} > 1`,
      groupedBy('group', labels, gappy(view, selector)),
    ];
    return unionOf(clauses);
  };

// Within ten minutes every grid of 290 s has a slot of that length that lies inside whole.
const slotS = 290;

/**
 * A GPU whose readings stayed below half of its highest one for the length of a slot: whatever fell below half its median
 * for ten minutes did. A value that the reading cannot have makes its GPU suspect, and hides none.
 */
export const fallen =
  (view: ClusterView, scrapeS: number, born: boolean): Filter =>
  (selector, labels) => {
    const length = lengthOf(view);
    const highest = groupedBy('max', labels, promql`max_over_time(${selector}[${since(length)}])`);
    // Samples so rare that a slot may miss them all: then any low sample makes a suspect.
    const low =
      3 * scrapeS > slotS
        ? promql`min_over_time(${selector}[${since(length)}])`
        : promql`min_over_time(max_over_time(${selector}[${since(slotS)}])[${since(length)}:${span(slotS)}])`;
    const fell = promql`${groupedBy('min', labels, low)} < 0.5 * ${highest}`;
    // Where a reading has several names, what was high before may stand under another one.
    const base = baseOf(selector, length);
    return born ? promql`(${fell}) or (${highest} unless ${groupedBy('max', labels, base)})` : fell;
  };

/** A rate that was above a level for five minutes, as a share of time; half the level, since the store's rate is coarser. */
export const waited =
  (view: ClusterView, scrapeS: number, share: number): Filter =>
  (selector, labels, { scale }) => {
    const rangeS = Math.max(300, 3 * scrapeS);
    const rate = promql`max_over_time(rate(${selector}[${since(rangeS)}])[${since(lengthOf(view))}:${span(60)}])`;
    return promql`${groupedBy('max', labels, rate)} > ${(share / scale) * 0.5}`;
  };
