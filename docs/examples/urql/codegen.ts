import type { CodegenConfig } from '@graphql-codegen/cli';

const config: CodegenConfig = {
  // Of a gateway that you reach: { 'http://…/graphql': { headers: { Authorization: 'Bearer …' } } }
  schema: '../../schema.graphql',
  documents: ['urql/documents.ts'],
  importExtension: '.ts',
  generates: {
    'urql/generated/': {
      preset: 'client',
      presetConfig: {
        fragmentMasking: false,
        // Writes persisted-documents.json, the manifest of a gateway that answers trusted documents.
        persistedDocuments: { hashAlgorithm: 'sha256' },
      },
      config: {
        enumsAsTypes: true,
        useTypeImports: true,
        scalars: {
          DateTime: 'string',
          Count: 'number',
          Samples: 'readonly (number | null)[]',
          LabelSet: 'Readonly<Record<string, string>>',
        },
      },
    },
  },
};
export default config;
