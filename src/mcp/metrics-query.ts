import { windowArgument, type QueryArguments } from './arguments.ts';
import type { Graph } from './ask.ts';
import { windowOf } from './envelope.ts';
import { answered, partialWords } from './failures.ts';
import { FreeQueryDocument } from './generated/graphql.ts';
import { lower } from './names.ts';
import { fitted } from './tokens.ts';

/** One PromQL expression. Of an answer that would be too long the first series are told, as of one that has too many. */
export async function metricsQuery(graph: Graph, args: QueryArguments): Promise<object> {
  const { query, instant = false, island } = args;
  const answer = await graph(FreeQueryDocument, { query, instant, island, window: windowArgument(args) });
  const { org, resultType, window, value, ...result } = answered(answer.data?.metricsQuery, answer, 'metricsQuery');
  const series = result.series.map(({ labels, values, value }) => ({ labels, ...(values ? { values } : { value }) }));
  return fitted(series.length, (count) => {
    const notes = [
      result.note,
      count < series.length
        ? `The answer was too long: ${count} of ${result.seriesTotal} series are here. Ask for fewer points, or aggregate.`
        : null,
      ...partialWords(answer),
    ].filter((note) => note !== null);
    return {
      org,
      query: result.query,
      result_type: lower(resultType),
      window: windowOf(window),
      ...(resultType === 'SCALAR' && { value }),
      series: series.slice(0, count),
      series_total: result.seriesTotal,
      truncated: result.truncated || count < series.length,
      ...(notes.length > 0 && { note: notes.join(' ') }),
    };
  });
}
