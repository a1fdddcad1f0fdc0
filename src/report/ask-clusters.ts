import { z } from 'zod';
import { CannotReport } from './cannot-report.ts';
import { endpointOf } from './destination.ts';
import { beginningOf, shownOf } from './others-words.ts';
import type { GatewayTarget } from './target.ts';

/** Training does not wait longer to begin. */
const askWithinMs = 5_000;
const mostListed = 20;

interface Cluster {
  readonly name: string;
  readonly island: string;
}

const answer = z.object({
  data: z.object({ clusters: z.array(z.object({ name: z.string(), island: z.string() })).nullable() }).nullish(),
  errors: z
    .array(z.object({ message: z.string(), extensions: z.looseObject({ code: z.string().optional() }).optional() }))
    .optional(),
});

/**
 * Which cluster a run is reported for: the one that is named, or the organization's only one.
 *
 * @throws CannotReport: no cluster is told, there is none of that name, several are possible, or the token is not known
 */
export async function clusterFor(
  target: GatewayTarget,
  { say, fetch: ask = fetch }: { readonly say: (line: string) => void; readonly fetch?: typeof fetch },
): Promise<{ cluster: string; island?: string }> {
  const { cluster, island } = target;
  const found = await clustersOf(target, ask);
  if (typeof found === 'string') {
    if (cluster === undefined)
      throw new CannotReport(
        `GPUQL_CLUSTER is not set, and the gateway does not tell which clusters there are: ${found} Set GPUQL_CLUSTER, or start when the gateway answers.`,
      );
    say(
      `The gateway does not tell now whether it has the cluster ${cluster}: ${found} The run starts all the same, and its numbers are sent as soon as they are taken.`,
    );
    return { cluster, ...(island !== undefined && { island }) };
  }
  const fitting = found.filter((it) => (cluster ?? it.name) === it.name && (island ?? it.island) === it.island);
  if (fitting.length === 1) return { cluster: fitting[0]!.name, island: fitting[0]!.island };
  throw new CannotReport(`${whyNot(target, fitting)} ${listed(fitting.length > 0 ? fitting : found)}`);
}

function whyNot({ cluster, island }: GatewayTarget, fitting: readonly Cluster[]): string {
  const where = island === undefined ? '' : ` on the island ${JSON.stringify(island)}`;
  if (fitting.length === 0)
    return cluster === undefined
      ? `There is no cluster${where} for a run of yours.`
      : `There is no cluster ${JSON.stringify(cluster)}${where}; set GPUQL_CLUSTER to one of yours.`;
  return cluster === undefined
    ? 'GPUQL_CLUSTER is not set, and there are several clusters; set it to one of them.'
    : `There are several clusters ${JSON.stringify(cluster)}; set GPUQL_ISLAND to the island of one of them.`;
}

function listed(clusters: readonly Cluster[]): string {
  if (clusters.length === 0) return 'The token in GPUQL_TOKEN sees none.';
  const shown = clusters.slice(0, mostListed).map(({ name, island }) => `${name} (island ${island})`);
  return `There are: ${shown.join(', ')}${clusters.length > mostListed ? ', and more' : ''}.`;
}

/** The clusters, or why they are not known now. */
async function clustersOf(target: GatewayTarget, ask: typeof fetch): Promise<readonly Cluster[] | string> {
  const { address, headers, secrets } = endpointOf(target);
  try {
    const response = await ask(address, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', accept: 'application/json' },
      body: '{"query":"{ clusters { name island } }"}',
      redirect: 'manual',
      signal: AbortSignal.timeout(askWithinMs),
    });
    const read = answer.safeParse(jsonOf(await beginningOf(response.body)));
    if (read.data?.data?.clusters) return read.data.data.clusters;
    const error = read.data?.errors?.[0];
    if (error?.extensions?.code === 'UNAUTHENTICATED' || response.status === 401)
      throw new CannotReport('The gateway does not know who asks: set GPUQL_TOKEN to a token that it knows.');
    return error ? `it answers "${shownOf(error.message, secrets)}"` : `it answers HTTP ${response.status}.`;
  } catch (error) {
    if (error instanceof CannotReport) throw error;
    return (error as Error).name === 'TimeoutError'
      ? `it did not answer within ${askWithinMs / 1000} s.`
      : 'it cannot be reached.';
  }
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
