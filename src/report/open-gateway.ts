import { clusterFor } from './ask-clusters.ts';
import { CannotReport } from './cannot-report.ts';
import { endpointOf, WrongDestination } from './destination.ts';
import type { Sink } from './sink.ts';
import type { GatewayTarget } from './target.ts';
import { type GatewaySettings, ToGateway } from './to-gateway.ts';

/** @throws CannotReport */
export async function openGateway(target: GatewayTarget, settings: GatewaySettings): Promise<Sink> {
  const address = addressOf(target);
  const cluster = await clusterFor(target, settings);
  const place = `${address}, run ${target.run} of cluster ${cluster.cluster}`;
  return new ToGateway(place, { ...target, ...cluster }, settings);
}

/** Without what is secret in it. */
function addressOf(target: GatewayTarget): string {
  try {
    const { origin, pathname } = new URL(endpointOf(target).address);
    return `${origin}${pathname}`;
  } catch (error) {
    if (error instanceof WrongDestination) throw new CannotReport(`GPUQL_URL: ${error.message}`, { cause: error });
    throw error;
  }
}
