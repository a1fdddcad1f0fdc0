import type { ExecutionArgs } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { Refusal } from '../errors.ts';
import { askedFields } from './asked-fields.ts';

/** Longest text of a document, in characters. One that asks for everything there is has a few thousand. */
export const longestDocument = 65_536;
/** Most fields of an answer. Everything about 1,000 nodes is half a million. */
export const mostFields = 3_000_000;

/**
 * Refuses documents that ask for more than any answer should hold, before anything is read: the graph has circles (a GPU
 * has its node, a node its GPUs), and a hundred characters can ask for millions of objects.
 */
export const useDocumentLimits = (): Plugin => ({
  onParams({ params }) {
    const length = params.query?.length ?? 0;
    if (length <= longestDocument) return;
    throw new Refusal(
      'QUERY_TOO_LARGE',
      `The document has ${length} characters, ${length - longestDocument} more than the ${longestDocument} that are read. Select less, or send several.`,
    );
  },
  onExecute({ args }) {
    const asked = askedFields(args as ExecutionArgs, mostFields * 1000);
    if (asked <= mostFields) return;
    throw new Refusal(
      'QUERY_TOO_LARGE',
      `The document asks for about ${rounded(asked)} fields, and ${rounded(mostFields)} is the most. Select less, ask for shorter pages (first), or do not go round in circles.`,
    );
  },
});

const rounded = (count: number): string => Number(count.toPrecision(2)).toLocaleString('en');
