import { Refusal } from '../errors.ts';
import { checkQuery, readMetricsQuery } from '../reads/metrics-query.ts';
import { mostSeries } from '../reads/query-series.ts';
import { longestQuery } from '../scope/free-form.ts';
import { resolveWindow, type WindowRequest } from '../window/window.ts';
import { builder } from './builder.ts';
import { ResultTypeEnum } from './enums.ts';
import { notFound } from './names.ts';
import type { Operation } from './operation.ts';
import { noteOfQuery } from './query-note.ts';
import { MetricsQueryResultRef, type QueryInWindow, QuerySeriesRef, WindowRef } from './refs.ts';
import { WindowInput } from './window.ts';

builder.queryField('metricsQuery', (t) =>
  t.field({
    type: MetricsQueryResultRef,
    description:
      'One PromQL expression over the clusters of one island. Every selector sees the series of your clusters, and no others; only PromQL that every store understands is passed on. BAD_REQUEST, with extensions.reason and where in the query, where it is not.',
    args: {
      query: t.arg.string({
        required: true,
        description: `PromQL, at most ${longestQuery} characters. To find names: count by (__name__) ({__name__=~"amd_gpu_.*"}).`,
      }),
      island: t.arg.string({ description: 'Needed where your clusters are on several islands.' }),
      instant: t.arg.boolean({
        defaultValue: false,
        description: "One value a series, at the window's end, in place of values over the window.",
      }),
      window: t.arg({ type: WindowInput, description: 'Where it is evaluated; points sets the step.' }),
    },
    resolve: (_root, { query, island, instant, window }, operation) =>
      answerQuery(operation, query, island ?? null, instant ?? false, window ?? {}),
  }),
);

async function answerQuery(
  operation: Operation,
  query: string,
  named: string | null,
  instant: boolean,
  request: WindowRequest,
): Promise<QueryInWindow> {
  checkQuery(query);
  operation.checkWindow(request);
  const { island, clusters } = await islandOf(operation, named);
  const { ingestLagS = 0, exclusive = false } = operation.gateway.islands.get(island) ?? {};
  const window = resolveWindow(request, operation.now, ingestLagS);
  const answer = await readMetricsQuery(operation.upstream, { query, instant, window, island, clusters, exclusive });
  return { ...answer, query, window, instant, clusters, exclusive };
}

/** The one island that is asked, and the organization's clusters there. @throws Refusal NOT_FOUND, BAD_REQUEST */
async function islandOf(operation: Operation, named: string | null) {
  const all = await operation.clusters();
  const islands = [...new Set(all.map(({ island }) => island))];
  if (named !== null && !islands.includes(named)) throw notFound('island', named);
  const [island = operation.gateway.islands.keys().next().value!] = named === null ? islands : [named];
  if (named === null && islands.length > 1) {
    const candidates = all.map(({ name, island }) => ({ name, island }));
    const message = 'Your clusters are on several islands, and a query asks one: name it with the argument island.';
    throw new Refusal('BAD_REQUEST', message, { details: { candidates } });
  }
  return { island, clusters: all.filter((cluster) => cluster.island === island) };
}

MetricsQueryResultRef.implement({
  description:
    'The answer to a PromQL expression. Values are as the store gave them, in the unit of the query, not rounded. Null only with an error.',
  fields: (t) => ({
    org: t.string({
      nullable: false,
      description: 'The organization whose clusters were asked.',
      resolve: (_answer, _args, { organization }) => organization.name,
    }),
    query: t.exposeString('query', { nullable: false, description: 'The query as you sent it.' }),
    sent: t.string({
      description:
        'What the store was sent: the query, confined. Null to all but the operator, and where it was not asked.',
      resolve: ({ sent }, _args, { isOperator }) => (isOperator ? sent : null),
    }),
    resultType: t.field({
      type: ResultTypeEnum,
      nullable: false,
      description: 'What kind of answer it is.',
      resolve: ({ resultType }) => resultType,
    }),
    window: t.field({
      type: WindowRef,
      nullable: false,
      description:
        'The window as resolved. Values stand at end - points * stepS and every stepS from there to end, both included.',
      resolve: ({ window }) => window,
    }),
    series: t.field({
      type: [QuerySeriesRef],
      nullable: { list: false, items: false },
      description: `At most ${mostSeries}, in the order of their labels; by value where the query sorts (sort, sort_desc, topk, bottomk) at an instant.`,
      resolve: ({ series }) => series,
    }),
    value: t.float({
      description:
        'The value of a scalar answer, in the unit of the query; null for any other, and where it is no finite number.',
      resolve: ({ value }) => value,
    }),
    seriesTotal: t.int({
      nullable: false,
      description: 'How many series the query answered with, shown or not.',
      resolve: ({ seriesTotal }) => seriesTotal,
    }),
    truncated: t.boolean({
      nullable: false,
      description: `Whether it answered with more than ${mostSeries} series.`,
      resolve: ({ series, seriesTotal }) => series.length < seriesTotal,
    }),
    note: t.string({
      description:
        'What to know of this answer: nothing matched, series were left out, values that are no numbers. Null where there is nothing to say.',
      resolve: noteOfQuery,
    }),
  }),
});

QuerySeriesRef.implement({
  description: 'One series of an answer.',
  fields: (t) => ({
    labels: t.field({ type: 'LabelSet', nullable: false, description: 'Its labels.', resolve: ({ labels }) => labels }),
    label: t.string({
      description: 'One of its labels; null where it has none of that name.',
      args: { name: t.arg.string({ required: true, description: 'The name of the label.' }) },
      resolve: ({ labels }, { name }) => (Object.hasOwn(labels, name) ? labels[name]! : null),
    }),
    values: t.field({
      type: 'Samples',
      description:
        "Its values over the window in the query's unit, points + 1 of them, null where there was none; null whole for an instant answer.",
      resolve: ({ values }) => values,
    }),
    value: t.float({
      description: "Its value at the window's end, in the query's unit; null for an answer over the window.",
      resolve: ({ value }) => value,
    }),
  }),
});
