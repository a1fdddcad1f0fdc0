import { ResourceNotFoundError, ResourceTemplate, type McpServer } from '@modelcontextprotocol/server';
import type { SchemaPieces } from './schema-pieces.ts';

const [indexUri, mimeType] = ['gpuql://schema', 'application/graphql'];
const uriOf = (type: string): string => `${indexUri}/${type}`;

/** The schema as resources: an index, and each type by its name. */
export function registerSchema(server: McpServer, pieces: SchemaPieces): void {
  server.registerResource(
    'schema',
    indexUri,
    {
      title: 'GraphQL schema, index',
      description: 'Every type of the schema, with what it is. Begin with Query.',
      mimeType: 'text/plain',
    },
    () => ({ contents: [{ uri: indexUri, mimeType: 'text/plain', text: pieces.index }] }),
  );
  const template = new ResourceTemplate(`${indexUri}/{type}`, {
    list: () => ({ resources: pieces.names.map((name) => ({ name: `schema ${name}`, uri: uriOf(name), mimeType })) }),
    complete: { type: (begun) => pieces.names.filter((name) => name.toLowerCase().startsWith(begun.toLowerCase())) },
  });
  server.registerResource(
    'schema-type',
    template,
    {
      title: 'GraphQL schema, one type',
      description: 'One type in schema language, with what each field means.',
      mimeType,
    },
    ({ href }, { type }) => {
      const text = typeof type === 'string' ? pieces.type(type) : undefined;
      if (text === undefined) throw new ResourceNotFoundError(href);
      return { contents: [{ uri: href, mimeType, text }] };
    },
  );
}
