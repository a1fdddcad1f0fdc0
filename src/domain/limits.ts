/** What one organization may ask at once and in a minute, and how large one document may be. */
export interface Limits {
  /** Longest text of a document. */
  readonly documentCharacters: number;
  readonly documentTokens: number;
  /** Fields within fields, fragments followed. */
  readonly depth: number;
  readonly aliases: number;
  readonly rootFields: number;
  /** Fields of the answer, each as often as the lists above it have items. */
  readonly fields: number;
  /** Work for the stores: requests x series x points. */
  readonly cost: number;
  readonly requestsPerMinute: number;
  /** Operations under way at once. */
  readonly concurrency: number;
  /** Subscriptions open at once. */
  readonly subscriptions: number;
  /** What a cluster is taken to have while its inventory is not known. */
  readonly assumed: { readonly nodes: number; readonly gpusPerNode: number };
}

/** What is left of it to one organization. */
export interface Standing {
  readonly requestsLeft: number;
  /** Whole seconds until all of them are there again. */
  readonly requestsResetS: number;
  readonly concurrencyLeft: number;
  readonly subscriptionsLeft: number;
}

/** All is left. */
export const untouched = ({ requestsPerMinute, concurrency, subscriptions }: Limits): Standing => ({
  requestsLeft: requestsPerMinute,
  requestsResetS: 0,
  concurrencyLeft: concurrency,
  subscriptionsLeft: subscriptions,
});

/** What holds where the configuration says nothing. Every field of 64 nodes, or a report on 1,000, is well inside. */
export const usualLimits: Limits = {
  documentCharacters: 65_536,
  documentTokens: 10_000,
  depth: 24,
  aliases: 1_000,
  rootFields: 50,
  fields: 3_000_000,
  cost: 5_000_000_000,
  requestsPerMinute: 3_000,
  concurrency: 50,
  subscriptions: 100,
  assumed: { nodes: 100, gpusPerNode: 8 },
};

/** Operations of one HTTP request. What belongs together goes into one document, whose root fields share what is read. */
export const batchSize = 1;
