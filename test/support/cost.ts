import type { Question } from '../../src/reads/ask.ts';
import type { World } from './fleet/world.ts';
import type { Gateway, Reply } from './gateway.ts';

/** What one document made the gateway ask its stores. */
export interface Cost {
  readonly requests: number;
  /** Requests for label sets: the list of nodes and GPUs. */
  readonly lists: number;
  readonly samples: number;
  readonly bytes: number;
  readonly questions: readonly Question[];
  /** The text of each question, in the order of asking. */
  readonly asked: readonly string[];
  readonly data: Reply['data'];
}

export const textOf = (question: Question): string => ('query' in question ? question.query : question.match.join(' '));

/** Asks a document that must answer without an error, and counts. */
export async function costOf(gateway: Gateway, document: string, variables: object = {}): Promise<Cost> {
  const before = { asked: gateway.requests().length, samples: gateway.samples(), bytes: gateway.bytes() };
  const { data, errors = [] } = await gateway.query(document, variables);
  if (errors.length > 0) throw new Error(`${JSON.stringify(errors.slice(0, 3))}\n${document}`);
  const questions = gateway.requests().slice(before.asked);
  return {
    requests: questions.length,
    lists: questions.filter(({ kind }) => kind === 'series').length,
    samples: gateway.samples() - before.samples,
    bytes: gateway.bytes() - before.bytes,
    questions,
    asked: questions.map(textOf),
    data,
  };
}

/**
 * The cost of a document to a gateway that answers nothing else, but knows which metrics the document's clusters have:
 * that is found out once for many operations.
 */
export async function costIn(world: World, document: string, variables?: object): Promise<Cost> {
  const gateway = await world.gateway();
  const clusters = new Set([...document.matchAll(/cluster\(name: "([^"]+)"/g)].map(([, name]) => name!));
  // Of a window that nothing else asks for: the list of nodes is kept by the window.
  const apart = 'window: { start: "2026-06-01T00:00:00Z", end: "2026-06-01T00:10:00Z" }';
  for (const name of clusters) await costOf(gateway, `{ cluster(name: "${name}", ${apart}) { nodes { totalCount } } }`);
  if (/clusters/.test(document)) await costOf(gateway, `{ clusters(${apart}) { nodes { totalCount } } }`);
  return costOf(gateway, document, variables);
}

/** A document about all nodes of one cluster; `gpu` is selected of each GPU. */
export const ofEveryGpu = (cluster: string, gpu: string, range = 'LAST_6H'): string =>
  `{ cluster(name: "${cluster}", window: { range: ${range} }) { nodes(first: 1000) { nodes { gpus { ${gpu} } } } } }`;

/** What a document answered of each GPU, over all nodes of its one cluster. */
export const gpusIn = ({ data }: Cost): Reply['data'][] =>
  data.cluster.nodes.nodes.flatMap(({ gpus }: Reply['data']) => gpus);
