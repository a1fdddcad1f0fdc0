import type { Graph } from './ask.ts';
import { answered, failuresOf } from './failures.ts';
import { WhoAmIDocument } from './generated/graphql.ts';
import { lower } from './names.ts';
import { snake } from './refusal.ts';
import { fitted } from './tokens.ts';

/** Who asks: the organization, its clusters, what it may ask. */
export async function whoAmI(graph: Graph): Promise<object> {
  const answer = await graph(WhoAmIDocument, {});
  const { name, clusters, limits } = answered(answer.data?.organization, answer, 'organization');
  const failures = failuresOf(answer);
  const all = answered(clusters, answer, 'clusters');
  return fitted(all.length, (count) => ({
    organization: name,
    clusters: all.slice(0, count).map(({ name, island, gpuVendor, gpuModel }) => ({
      name,
      island,
      gpu_vendor: lower(gpuVendor),
      gpu_model: gpuModel,
    })),
    limits: Object.fromEntries(Object.entries(limits).map(([key, value]) => [snake(key), value])),
    ...(failures.length > 0 && { failed: failures }),
    ...(count < all.length && {
      omitted: `${all.length - count} of ${all.length} clusters; the tool graphql lists all.`,
    }),
  }));
}
