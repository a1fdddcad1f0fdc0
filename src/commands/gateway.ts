import { GraphQLObjectType, GraphQLSchema, GraphQLString } from 'graphql';
import type { Foundation, Gateway } from './serve.ts';

/** The graph that the commands serve. */
// TODO(schema): src/schema's `schema` and `createOperation` take this place.
export const gatewayOver = ({ config, now }: Foundation): Gateway<object> => ({
  schema: new GraphQLSchema({
    query: new GraphQLObjectType({
      name: 'Query',
      fields: { islands: { type: GraphQLString, resolve: () => config.islands.map(({ name }) => name).join(', ') } },
    }),
  }),
  operation: (request) => ({ request, now: now() }),
  warnings: () => [],
});
