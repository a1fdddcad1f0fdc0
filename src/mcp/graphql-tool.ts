import { Kind, parse } from 'graphql';
import { z } from 'zod';
import { usualLimits } from '../domain/limits.ts';
import type { Ask, GraphAnswer } from './ask.ts';
import { refusalOf, refuse } from './refusal.ts';
import type { SchemaPieces } from './schema-pieces.ts';
import { answerBudget, tokensOf } from './tokens.ts';

export const graphqlArguments = z.strictObject({
  query: z.string().optional().describe('A GraphQL document with queries; nothing can be changed here.'),
  variables: z.record(z.string(), z.unknown()).optional().describe('Values of its variables.'),
  operation_name: z.string().optional().describe('Which operation, where the document has several.'),
  schema: z
    .string()
    .optional()
    .describe(
      'In place of query: a type of the schema, like Query or Gpu, or words to look for, like "throttle seconds".',
    ),
});

type Arguments = z.infer<typeof graphqlArguments>;

/** A document of the caller's own, or a piece of the schema. */
export async function graphql(
  ask: Ask,
  signal: AbortSignal,
  pieces: SchemaPieces | undefined,
  { query, variables, operation_name: operationName, schema }: Arguments,
): Promise<object> {
  if ((query === undefined) === (schema === undefined)) {
    throw refuse(
      'BAD_REQUEST',
      'Give query, a GraphQL document, or schema, what to look for in the schema; one of them.',
    );
  }
  if (schema !== undefined) {
    if (pieces === undefined) throw refuse('BAD_REQUEST', 'This site does not tell its schema (http.introspection).');
    return { schema: pieces.find(schema) };
  }
  if (!isOfQueries(query!))
    throw refuse('BAD_REQUEST', 'Only queries are answered here, no subscriptions or mutations.');
  const body = {
    query: query!,
    ...(variables && { variables }),
    ...(operationName !== undefined && { operationName }),
  };
  const answer = (await (await ask(body, signal)).json()) as GraphAnswer<object>;
  const isAnswered = Object.values(answer.data ?? {}).some((field) => field !== null);
  const [first] = answer.errors ?? [];
  if (first !== undefined && !isAnswered) throw refusalOf(first);
  const { data, errors, extensions } = answer;
  const told = { data: data ?? {}, ...(errors && { errors }), ...(extensions && { extensions }) };
  const tokens = tokensOf(told);
  if (tokens <= answerBudget) return told;
  throw refuse(
    'QUERY_TOO_LARGE',
    `The answer has about ${tokens} tokens, and ${answerBudget} are the most: select fewer fields, fewer nodes or fewer points.`,
  );
}

/** What cannot be read is for the graph to refuse, in its own words. */
function isOfQueries(document: string): boolean {
  try {
    const { definitions } = parse(document, { maxTokens: usualLimits.documentTokens, noLocation: true });
    return definitions.every((one) => one.kind !== Kind.OPERATION_DEFINITION || one.operation === 'query');
  } catch {
    return true;
  }
}
