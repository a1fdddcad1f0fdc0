import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Child, startChild } from './child.ts';
import { scrapeS } from './fleet.ts';

export interface GatewayProcess extends Child {
  /** Of the GraphQL endpoint. */
  readonly url: string;
}

/** A cluster by its name, or by what its series carry. */
export type BenchCluster = string | { readonly name: string; readonly match: Readonly<Record<string, string>> };

/** The gateway as it is served, over one store. With `GPUQL_BENCH_PROFILE=folder` its CPU profile is written there. */
export async function startGatewayProcess(
  storeUrl: string,
  clusters: readonly BenchCluster[],
): Promise<GatewayProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'gpuql-bench-'));
  const config = join(folder, 'gpuql.yaml');
  writeFileSync(config, configFor(storeUrl, clusters));
  const profile = process.env['GPUQL_BENCH_PROFILE'];
  const program = fileURLToPath(new URL('../../src/gpuql.ts', import.meta.url));
  try {
    const { child, match } = await startChild(
      [program, 'serve', '--config', config, '--port', '0'],
      /answers at (\S+)/,
      {
        nodeFlags: profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : [],
      },
    );
    return { ...child, url: match[1]! };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** JSON is YAML too. */
export const configFor = (url: string, clusters: readonly BenchCluster[]): string =>
  JSON.stringify({
    islands: [{ name: 'here', prometheus: { url, writeUrl: `${url}/api/v1/write` } }],
    organizations: [
      {
        name: 'bench',
        clusters: clusters.map((cluster) => ({
          ...(typeof cluster === 'string' ? { name: cluster } : cluster),
          island: 'here',
          vendor: 'nvidia',
          model: 'H100',
        })),
      },
    ],
    scrapeIntervalS: scrapeS,
    // What is measured is the gateway at work, not at its limits.
    limits: {
      requestsPerMinute: 10_000_000,
      concurrency: 100_000,
      subscriptions: 100_000,
      cost: 1e15,
      fields: 100_000_000,
    },
  });
