import { clusterFor } from './ask-clusters.ts';
import { CannotReport } from './cannot-report.ts';
import { endpointOf, WrongDestination } from './destination.ts';
import type { Sink } from './sink.ts';
import type { GatewayTarget, Target } from './target.ts';
import { ToGateway } from './to-gateway.ts';
import { toLines, toNowhere } from './to-lines.ts';
import { openLines, type WriteLine } from './whole-lines.ts';

export interface SinkSettings {
  readonly say: (line: string) => void;
  /** One line of standard output. */
  readonly write: WriteLine;
  readonly fetch?: typeof fetch;
}

/** @throws CannotReport */
export async function openSink(target: Target, settings: SinkSettings): Promise<Sink> {
  switch (target.to) {
    case 'nowhere':
      return toNowhere();
    case 'stdout':
      return toLines('stdout', settings, settings.say);
    case 'file':
      return toLines(target.path, openLines(target.path), settings.say);
    case 'gateway':
      return openGateway(target, settings);
  }
}

async function openGateway(target: GatewayTarget, settings: SinkSettings): Promise<Sink> {
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
