import type { Graph } from './ask.ts';
import { answered, failuresOf } from './failures.ts';
import { WhoAmIDocument } from './generated/graphql.ts';
import { lower } from './names.ts';
import { snake } from './refusal.ts';

/** Who asks: the organization, its clusters, what it may ask. */
export async function whoAmI(graph: Graph): Promise<object> {
  const answer = await graph(WhoAmIDocument, {});
  const { name, clusters, limits } = answered(answer.data?.organization, answer);
  const failures = failuresOf(answer);
  return {
    organization: name,
    clusters: answered(clusters, answer).map(({ name, island, gpuVendor, gpuModel }) => ({
      name,
      island,
      gpu_vendor: lower(gpuVendor),
      gpu_model: gpuModel,
    })),
    limits: Object.fromEntries(Object.entries(limits).map(([key, value]) => [snake(key), value])),
    ...(failures.length > 0 && { failed: failures }),
  };
}
