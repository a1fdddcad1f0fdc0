// A gateway as a process: `node slow-gateway.ts <seconds to drain> <store>`. One field answers when it was told to, the
// other when the store does, whether or not anyone still waits for it.
import { setTimeout as sleep } from 'node:timers/promises';
import { GraphQLInt, GraphQLObjectType, GraphQLSchema, GraphQLString } from 'graphql';
import { serve } from '../../src/commands/serve.ts';
import { configForStore, listenOn } from '../../src/config.ts';
import type { Ask } from '../../src/reads/ask.ts';

const schemaOver = (ask: Ask): GraphQLSchema =>
  new GraphQLSchema({
    query: new GraphQLObjectType({
      name: 'Query',
      fields: {
        slow: {
          type: GraphQLString,
          args: { ms: { type: GraphQLInt } },
          resolve: (_root, { ms }: { ms: number }) => sleep(ms, 'done'),
        },
        ask: {
          type: GraphQLString,
          resolve: () => ask({ kind: 'labelValues', label: 'a', match: [], start: 0, end: 1 }).then(() => 'answered'),
        },
      },
    }),
  });

process.exitCode = await serve(listenOn(configForStore(process.argv[3] ?? 'http://127.0.0.1:1'), { port: 0 }), {
  gatewayOver: ({ askFor, log }) => ({
    end: () => log({ event: 'subscriptions end' }),
    schema: schemaOver(askFor('default')('default')),
    operation: (request) => ({ request }),
    warnings: () => [],
  }),
  log: (line) => process.stderr.write(`${JSON.stringify(line)}\n`),
  say: (line) => console.log(line),
  drainS: Number(process.argv[2]),
});
