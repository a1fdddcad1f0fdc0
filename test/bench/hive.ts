import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../src/embedded/free-port.ts';
import { run } from '../../src/embedded/run.ts';
import { type Child, startChild } from './child.ts';
import type { Sent } from './client.ts';
import { hiveFolder } from './hive-install.ts';

const text = { type: 'string' };
const labels = ['Hostname', 'gpu', 'UUID', 'modelName'];

/** What `/api/v1/query_range` answers. A sample is a pair of a number and a text, which GraphQL can only show as text. */
const rangeAnswer = {
  type: 'object',
  properties: {
    status: text,
    data: {
      type: 'object',
      properties: {
        resultType: text,
        result: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              metric: { type: 'object', properties: Object.fromEntries(labels.map((label) => [label, text])) },
              values: { type: 'array', items: { type: 'array', items: text } },
            },
          },
        },
      },
    },
  },
};

const meshConfig = (storeUrl: string): string => `
import { defineConfig } from '@graphql-mesh/compose-cli';
import { loadJSONSchemaSubgraph } from '@omnigraph/json-schema';

const one = { type: 'string' };
export const composeConfig = defineConfig({
  subgraphs: [
    {
      sourceHandler: loadJSONSchemaSubgraph('Prometheus', {
        endpoint: ${JSON.stringify(storeUrl)},
        operations: [
          {
            type: 'Query',
            field: 'queryRange',
            method: 'GET',
            path: '/api/v1/query_range?query={args.query}&start={args.start}&end={args.end}&step={args.step}',
            argTypeMap: { query: one, start: one, end: one, step: one },
            responseSchema: './range.schema.json',
          },
        ],
      }),
    },
  ],
});
`;

/** A generic GraphQL wrapper over the store's HTTP API, served as its makers serve it. */
export async function startHive(storeUrl: string): Promise<Child & { readonly url: string }> {
  const cwd = await hiveFolder();
  await writeFile(join(cwd, 'range.schema.json'), JSON.stringify(rangeAnswer));
  await writeFile(join(cwd, 'mesh.config.ts'), meshConfig(storeUrl));
  const program = (name: string): string => join(cwd, 'node_modules/.bin', name);
  await run(process.execPath, [program('mesh-compose'), '-o', 'supergraph.graphql'], { cwd, timeoutMs: 60_000 });
  const port = await freePort();
  const args = ['supergraph', 'supergraph.graphql', '--host', '127.0.0.1', '--port', String(port), '--fork', '1'];
  const { child } = await startChild([program('hive-gateway'), ...args], /[Ss]erving|[Ll]istening|ready/, {
    cwd,
    env: { NODE_ENV: 'production' },
  });
  return { ...child, url: `http://127.0.0.1:${port}` };
}

/** A range query through it: the client still writes PromQL. */
export const throughHive = (
  query: string,
  { start, end, stepS }: { start: number; end: number; stepS: number },
): Sent => ({
  path: '/graphql',
  type: 'application/json',
  body: JSON.stringify({
    query: `query ($query: String!, $start: String!, $end: String!, $step: String!) {
      queryRange(query: $query, start: $start, end: $end, step: $step) { data { result { metric { Hostname gpu } values } } }
    }`,
    variables: { query, start: `${start + stepS}`, end: `${end}`, step: `${stepS}` },
  }),
});
