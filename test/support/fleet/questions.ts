import type { Gateway } from '../gateway.ts';
import { iso } from './clock.ts';

export const wholeSeries = '{ t0 stepS values mean min max last lastAt }';

/** A window as the schema takes it. */
export interface WindowInput {
  readonly range?: 'LAST_1H' | 'LAST_6H' | 'LAST_24H' | 'LAST_7D' | null;
  readonly start?: string;
  readonly end?: string;
  readonly points?: number | null;
}

export const lastHour: WindowInput = { range: 'LAST_1H' };

/** From one instant to another, in epoch seconds. */
export const span = (start: number, end: number, points?: number): WindowInput => ({
  start: iso(start),
  end: iso(end),
  ...(points === undefined ? {} : { points }),
});

/** What a document answers, where it must answer without an error. */
const answered = async (gateway: Gateway, document: string, variables: object) => {
  const { data, errors = [] } = await gateway.query(document, variables);
  if (errors.length > 0) throw new Error(`${errors.map((error) => JSON.stringify(error)).join('\n')}\n${document}`);
  return data;
};

export const askCluster = async (gateway: Gateway, cluster: string, selection: string, window = lastHour) => {
  const document = `query ($cluster: String!, $window: WindowInput) {
    cluster(name: $cluster, window: $window) { ${selection} }
  }`;
  return (await answered(gateway, document, { cluster, window })).cluster;
};

export const askNode = async (
  gateway: Gateway,
  cluster: string,
  node: string,
  selection: string,
  window = lastHour,
) => {
  const document = `query ($cluster: String!, $node: String!, $window: WindowInput) {
    cluster(name: $cluster, window: $window) { node(name: $node) { ${selection} } }
  }`;
  return (await answered(gateway, document, { cluster, node, window })).cluster.node;
};

/** One GPU's answer; `index` 0 where left out. */
export const askGpu = async (
  gateway: Gateway,
  cluster: string,
  node: string,
  selection: string,
  window = lastHour,
  index = 0,
) => (await askNode(gateway, cluster, node, `gpu(index: ${index}) { ${selection} }`, window)).gpu;
