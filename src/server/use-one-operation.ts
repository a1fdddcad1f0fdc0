import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';

/** One operation to a request: the limits are of one, and what several root fields of one document read is read together. */
export const useOneOperation = (): Plugin => ({
  onRequestParse: () => ({
    onRequestParseDone({ requestParserResult }) {
      if (!Array.isArray(requestParserResult)) return;
      throw new GraphQLError(
        'A request is one operation, not a list. Put several root fields into one document: they share what they read.',
        { extensions: { code: 'BAD_REQUEST', http: { status: 400 } } },
      );
    },
  }),
});
