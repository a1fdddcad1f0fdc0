import { usePersistedOperations } from '@graphql-yoga/plugin-persisted-operations';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import type { Deps } from './deps.ts';

/**
 * Takes the hash of a document in place of its text. What it stands for then goes the way of any other document: limits,
 * validation, cost.
 *
 * It comes after who asks is known: nobody else can try out which hashes there are.
 */
export const useTrustedDocuments = ({ documents, only }: NonNullable<Deps<object>['trusted']>): Plugin =>
  usePersistedOperations({
    allowArbitraryOperations: !only,
    extractPersistedOperationId: (params, request) => hashIn(params, request),
    getPersistedOperation: (hash) => documents.get(hash) ?? null,
    customErrors: {
      persistedQueryOnly: refused(onlyTrusted, 403),
      keyNotFound: refused(only ? noHash : noDocument, 400),
      notFound: refused(unknown, 400),
    },
  });

/** Takes a text that may be sent for its hash. It comes before the others are refused. */
export const useTrustedTexts = ({ hashes }: NonNullable<Deps<object>['trusted']>): Plugin => ({
  onParams({ params: { query, ...params }, setParams }) {
    const hash = hashes?.get(String(query));
    if (hash !== undefined) setParams({ ...params, documentId: hash } as GraphQLParams);
  },
});

/** As GraphQL over HTTP has it, then as Apollo's clients do. */
function hashIn(params: GraphQLParams & { readonly documentId?: unknown }, request: Request): string | null {
  const inAddress = request.method === 'GET' ? new URL(request.url).searchParams.get('documentId') : undefined;
  const id = params.documentId ?? inAddress;
  if (typeof id === 'string') return id.replace(/^sha256:/, '');
  const { sha256Hash } = (params.extensions?.['persistedQuery'] ?? {}) as { readonly sha256Hash?: unknown };
  return typeof sha256Hash === 'string' ? sha256Hash : null;
}

const form = 'documentId, "sha256:" and the SHA-256 of its text in hex';
const onlyTrusted = `This gateway answers the documents of its manifest alone. Leave out query and send ${form}; a new document has to be added to the manifest (trustedDocuments) first.`;
const noHash = `Say which document of the manifest to answer: send ${form}.`;
const noDocument = `Send a document as query, or name one of the manifest with ${form}.`;
const unknown =
  'No document of the manifest has that hash. Give the gateway the manifest that this client was built with (trustedDocuments), and start it anew.';

const refused = (message: string, status: number) => ({
  message,
  extensions: { code: 'BAD_REQUEST', http: { status } },
});
