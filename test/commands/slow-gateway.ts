// A gateway as a process: `node slow-gateway.ts <seconds to drain>`. Its one field answers when it was told to.
import { setTimeout as sleep } from 'node:timers/promises';
import { GraphQLInt, GraphQLObjectType, GraphQLSchema, GraphQLString } from 'graphql';
import { serve } from '../../src/commands/serve.ts';
import { configForStore, listenOn } from '../../src/config.ts';

const schema = new GraphQLSchema({
  query: new GraphQLObjectType({
    name: 'Query',
    fields: {
      slow: {
        type: GraphQLString,
        args: { ms: { type: GraphQLInt } },
        resolve: (_root, { ms }: { ms: number }) => sleep(ms, 'done'),
      },
    },
  }),
});

process.exitCode = await serve(listenOn(configForStore(process.argv[3] ?? 'http://127.0.0.1:1'), { port: 0 }), {
  gatewayOver: () => ({ schema, operation: (request) => ({ request }), warnings: () => [] }),
  log: (line) => process.stderr.write(`${JSON.stringify(line)}\n`),
  say: (line) => console.log(line),
  drainS: Number(process.argv[2]),
});
