import { formatInstant } from '../window/instant.ts';
import type { QueryInWindow } from './refs.ts';

/** What to know of an answer, in sentences; null where there is nothing. */
export function noteOfQuery(answer: QueryInWindow): string | null {
  const { series, seriesTotal, nonFinite, partial, remarks } = answer;
  const said = [
    partial && 'The store left something out of this answer.',
    remarks.length > 0 && `The store remarks on this query: ${remarks.map(withoutPlace).join('; ')}.`,
    answer.resultType !== 'SCALAR' && seriesTotal === 0 && nothingMatched(answer),
    series.length < seriesTotal &&
      `${series.length} of ${seriesTotal} series are shown: aggregate them (sum by, topk), or narrow the matchers.`,
    nonFinite > 0 && `${nonFinite} ${nonFinite === 1 ? 'value is' : 'values are'} NaN or infinite, and shown as null.`,
  ].filter((sentence) => sentence !== false);
  return said.length > 0 ? said.join(' ') : null;
}

/** Places are in the text that was sent, which is not the client's. */
const withoutPlace = (words: string): string =>
  words
    .replace(/^PromQL warning: /, '')
    .replace(/ \(\d+:\d+\)$/, '')
    .slice(0, longestRemark);
const longestRemark = 200;

function nothingMatched({ window, instant, clusters, exclusive }: QueryInWindow): string {
  const [start, end] = [formatInstant(window.start), formatInstant(window.end)];
  const when = instant ? `at ${end}` : `from ${start} to ${end}`;
  const where = exclusive ? 'the whole store' : clusters.map(({ name }) => name).join(', ');
  const labelled = exclusive ? '' : ', and that the series carry the label of a cluster of yours';
  return `Nothing matched ${when} (asked of ${where}). That says nothing of health: check the metric's name and the matchers${labelled}.`;
}
