import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { generate } from '@graphql-codegen/cli';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { schema } from './src/schema/index.ts';

/**
 * The one generator: src/schema → schema.graphql, the contract for clients, and from that the typed operations of the
 * MCP tools and of the tests. `--check` writes nothing and fails where the files are not what the code says.
 */
const target = new URL('schema.graphql', import.meta.url);
const printed = `${printSchema(lexicographicSortSchema(schema))}\n`;
const isCheck = process.argv.includes('--check');

const typed = (folder: string, documents: string) => ({
  [folder]: {
    documents,
    preset: 'client' as const,
    presetConfig: { fragmentMasking: false },
    config: {
      documentMode: 'string',
      enumsAsTypes: true,
      useTypeImports: true,
      scalars: {
        DateTime: 'string',
        Samples: 'readonly (number | null)[]',
        LabelSet: 'Readonly<Record<string, string>>',
        Count: 'number',
        RunEvent: 'unknown',
        JSON: 'unknown',
      },
    },
  },
});

const operations = await generate(
  {
    schema: printed,
    generates: {
      ...typed('src/mcp/generated/', 'src/mcp/documents/*.graphql'),
      ...typed('test/generated/', 'test/operations/*.graphql'),
    },
    silent: true,
    errorsOnly: true,
  },
  false,
);

const files = [
  { filename: target.pathname, content: printed },
  ...(operations as { filename: string; content: string }[]),
];
const stale: string[] = [];
for (const { filename, content } of files) {
  // The preset writes its imports without an ending; Node wants one.
  const text = content.replace(/((?:from |import\()['"]\.\/[\w-]+)(['"])/g, '$1.ts$2');
  const held = await readFile(filename, 'utf8').catch(() => '');
  if (held === text) continue;
  stale.push(filename.replace(`${process.cwd()}/`, ''));
  if (isCheck) continue;
  await mkdir(dirname(filename), { recursive: true });
  await writeFile(filename, text);
}
if (isCheck && stale.length > 0) {
  console.error(`Not what the code says: ${stale.join(', ')}. Run npm run schema and review the difference.`);
  process.exitCode = 1;
}
