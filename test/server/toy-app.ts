import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  GraphQLEnumType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
} from 'graphql';
import type { GraphQLFieldResolver } from 'graphql';
import { onTestFinished } from 'vitest';
import { Refusal } from '../../src/errors.ts';
import type { RefusalDetails } from '../../src/errors.ts';
import { createApp } from '../../src/server/app.ts';
import type { App } from '../../src/server/app.ts';
import type { Deps } from '../../src/server/deps.ts';

/** The context that the toy's resolvers see: private state, so that a copy of its keys would not do. */
export class Operation {
  readonly request: Request;
  #partial: string[] = [];
  constructor(request: Request) {
    this.request = request;
  }
  leaveOut(cluster: string): void {
    this.#partial.push(cluster);
  }
  get partial(): readonly string[] {
    return this.#partial;
  }
}

type Resolve = GraphQLFieldResolver<unknown, Operation>;

const Moment = new GraphQLScalarType<string, string>({
  name: 'Moment',
  coerceInputValue(value) {
    if (typeof value !== 'string' || !value.endsWith('Z')) throw new Refusal('BAD_REQUEST', 'A moment needs a zone.');
    return value;
  },
});

/** As a window's values are: a list that is written whole. */
const Samples = new GraphQLScalarType({ name: 'Samples' });
export const samplesOf = (row: number): number[] => Array.from({ length: 96 }, (_, i) => Math.sin(row + i / 96));

const Size = new GraphQLEnumType({ name: 'Size', values: { SMALL: { value: 1 }, LARGE: { value: 2 } } });

const refuse = (code: string, message: string, details?: RefusalDetails): never => {
  throw new Refusal(code as 'NOT_FOUND', message, details ? { details } : {});
};

/** What GraphQL's own `Int` cannot write. */
const tooLarge = 2 ** 40;

export function toySchema(more: Record<string, Resolve> = {}): GraphQLSchema {
  const text = (resolve: Resolve) => ({ type: GraphQLString, resolve });
  return new GraphQLSchema({
    query: new GraphQLObjectType<unknown, Operation>({
      name: 'Query',
      fields: {
        hello: text(() => 'world'),
        nothing: text(() => null),
        missing: text(() => refuse('NOT_FOUND', 'There is no such cluster.')),
        twice: text(() =>
          refuse('AMBIGUOUS_CLUSTER', 'Two islands have it.', { candidates: [{ name: 'a', island: 'north' }] }),
        ),
        busy: text(() => refuse('THROTTLED', 'Too many requests.', { retryAfterS: 7 })),
        broken: text(() => {
          throw new TypeError('secret http://10.0.0.1:9090', { cause: new Error('the cause') });
        }),
        unwritable: { type: GraphQLInt, resolve: () => tooLarge },
        partial: text((_root, _args, operation) => {
          operation.leaveOut('aurora');
          return 'some of it';
        }),
        at: { type: GraphQLString, args: { moment: { type: Moment } }, resolve: (_root, { moment }) => moment },
        count: {
          type: GraphQLInt,
          args: {
            first: { type: GraphQLInt, default: { value: 50 } },
            size: { type: Size, default: { value: 'LARGE' } },
            must: { type: new GraphQLNonNull(GraphQLInt), default: { value: 1 } },
          },
          resolve: (_root, { first, size, must }) => first * size * must,
        },
        samples: {
          type: new GraphQLList(Samples),
          args: { rows: { type: GraphQLInt } },
          resolve: (_root, { rows }) => Array.from({ length: rows }, (_, row) => samplesOf(row)),
        },
        ...Object.fromEntries(Object.entries(more).map(([name, resolve]) => [name, text(resolve)])),
      },
    }),
  });
}

/** The edge over the toy schema, and what it logged. */
export function toyApp(
  deps: Partial<Deps<Operation>> = {},
  more: Record<string, Resolve> = {},
): { app: App; log: Record<string, unknown>[] } {
  const log: Record<string, unknown>[] = [];
  const app = createApp<Operation>({
    schema: toySchema(more),
    operation: (request) => new Operation(request),
    warnings: ({ partial }) => partial,
    ready: () => Promise.resolve(true),
    log: (line) => log.push(line),
    ...deps,
  });
  return { app, log };
}

export const ask = (app: App, query: string, variables?: object): Promise<Response> =>
  Promise.resolve(
    app.fetch('http://gateway/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    }),
  );

/** A listener on a free loopback port until the test ends. */
export async function onSocket(app: App): Promise<number> {
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
