import { batchSize, type Limits, type Standing } from '../domain/limits.ts';
import { mostSeries } from '../reads/query-series.ts';
import { longestQuery } from '../scope/free-form.ts';
import { maxDays, maxPoints } from '../window/window.ts';
import { LimitsRef } from './refs.ts';

const most = (name: keyof Omit<Limits, 'assumed' | 'cost'>, description: string) => ({
  nullable: false as const,
  description,
  resolve: ({ limits }: { limits: Limits }) => limits[name],
});
const left = (name: keyof Standing, description: string) => ({
  nullable: false as const,
  description,
  resolve: ({ standing }: { standing: Standing }) => standing[name],
});
const fixed = (value: number, description: string) => ({
  nullable: false as const,
  description,
  resolve: () => value,
});

LimitsRef.implement({
  description:
    'What this organization may ask, and what is left of it at this moment. What is larger is refused as QUERY_TOO_LARGE, what is more often as THROTTLED.',
  fields: (t) => ({
    documentCharacters: t.int(most('documentCharacters', 'Longest text of one document, in characters.')),
    documentTokens: t.int(
      most('documentTokens', 'Most tokens (names, values, brackets and other marks) of one document.'),
    ),
    depth: t.int(most('depth', 'Most levels of fields within fields, those of fragments among them.')),
    aliases: t.int(
      most('aliases', 'Most aliases of one document, those of a fragment as often as it is spread; __typename counts.'),
    ),
    rootFields: t.int(most('rootFields', 'Most root fields of one document.')),
    batchSize: t.int(
      fixed(
        batchSize,
        'Most operations of one HTTP request; several root fields of one document share what they read.',
      ),
    ),
    fields: t.int(
      most('fields', 'Most fields of one answer, each as often as the lists above it are taken to have items.'),
    ),
    cost: t.field({
      type: 'Count',
      nullable: false,
      description:
        'Most work for the stores of one document: requests times series times points, as estimated before anything is asked.',
      resolve: ({ limits }) => limits.cost,
    }),
    requestsPerMinute: t.int(most('requestsPerMinute', 'Most requests of this organization in a minute.')),
    requestsLeft: t.int(left('requestsLeft', 'How many requests are left of this minute, this one counted.')),
    requestsResetS: t.int(
      left('requestsResetS', 'Seconds until all requests of a minute are there again, whole and rounded up.'),
    ),
    concurrency: t.int(most('concurrency', 'Most operations of this organization under way at once.')),
    concurrencyLeft: t.int(
      left('concurrencyLeft', 'How many operations may begin beside those under way, this one among them.'),
    ),
    subscriptions: t.int(most('subscriptions', 'Most subscriptions of this organization open at once.')),
    subscriptionsLeft: t.int(
      left('subscriptionsLeft', 'How many subscriptions may be opened beside those that are open.'),
    ),
    queryCharacters: t.int(fixed(longestQuery, 'Longest text of one free query, in characters.')),
    windowDays: t.int(fixed(maxDays, 'Longest window, in days.')),
    points: t.int(fixed(maxPoints, 'Most buckets of a series.')),
    series: t.int(fixed(mostSeries, 'Most series that a free query answers.')),
  }),
});
