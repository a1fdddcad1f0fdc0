import { gatewayOver } from '../../src/commands/gateway.ts';
import { type Config, readConfig } from '../../src/config.ts';
import { createStore } from '../../src/prometheus/store.ts';
import { createWriter } from '../../src/prometheus/writer.ts';
import type { Sleep } from '../../src/live/polls.ts';
import type { Ask, Question } from '../../src/reads/ask.ts';
import type { ClusterView } from '../../src/reads/view.ts';
import { readingNames } from '../../src/readings/catalogue.ts';
import { type App, createApp } from '../../src/server/app.ts';
import type { WindowRequest } from '../../src/window/window.ts';

/** What a document answers is as the document asks; each test says what it expects. */
type Json = ReturnType<typeof JSON.parse>;

export interface Reply {
  readonly data: Json;
  readonly errors?: readonly {
    readonly message: string;
    readonly path?: readonly (string | number)[];
    readonly extensions: Json;
  }[];
  readonly extensions?: Json;
  readonly status: number;
}

/** A gateway as it is served, without a socket, and the questions that it has put to its stores. */
export interface Gateway {
  query(document: string, variables?: object, headers?: Record<string, string>): Promise<Reply>;
  /** What the reads of one operation are given. */
  view(cluster: string, window: WindowRequest): Promise<ClusterView>;
  requests(): readonly (Question & { readonly island: string })[];
  /** Requests to write, to all stores. */
  writes(): number;
  /** Samples that the stores have sent. */
  samples(): number;
  /** Bytes of the answers' bodies, as they came. */
  bytes(): number;
  readonly log: Record<string, unknown>[];
  /** The edge itself. */
  readonly app: App;
  /** As when the process is told to end. */
  end(): void;
  close(): Promise<void>;
}

export async function startGateway(options: {
  readonly config: string | Config;
  readonly now?: () => number;
  readonly env?: Record<string, string>;
  /** How the time between two evaluations of a subscription passes. */
  readonly sleep?: Sleep;
  /** Stands before the way to each store. */
  readonly before?: (ask: Ask) => Ask;
  readonly pingMs?: number;
}): Promise<Gateway> {
  const config =
    typeof options.config === 'string' ? readConfig(options.config, options.env ?? {}, readingNames) : options.config;
  const log: Record<string, unknown>[] = [];
  const asked: (Question & { island: string })[] = [];
  const stores = new Map([...config.stores].map(([island, settings]) => [island, createStore(settings)]));
  const writers = new Map(
    [...config.stores].flatMap(([island, { writeUrl: url, ...settings }]) =>
      url === undefined ? [] : [[island, createWriter({ ...settings, url })]],
    ),
  );
  // What is under way already is not sent again, so it is not counted again.
  const underWay = new Set<string>();
  const askFor =
    (organization: string) =>
    (island: string): Ask =>
    async (question, signal, spent) => {
      const key = JSON.stringify([organization, island, question]);
      const store = stores.get(island)!.askFor(organization);
      const ask = options.before?.(store) ?? store;
      if (underWay.has(key)) return ask(question, signal, spent);
      underWay.add(key);
      asked.push({ ...question, island });
      return ask(question, signal, spent).finally(() => underWay.delete(key));
    };
  const graph = gatewayOver({
    config,
    askFor,
    writeFor: (organization) => (island) => writers.get(island)?.writeFor(organization),
    now: options.now ?? (() => Date.now() / 1000),
    log: (line) => log.push(line),
    ...(options.sleep && { sleep: options.sleep }),
  });
  const app = createApp({
    ...graph,
    ready: async () => (await Promise.all([...stores.values()].map((store) => store.ready()))).every(Boolean),
    log: (line) => log.push(line),
    ...(options.pingMs !== undefined && { pingMs: options.pingMs }),
  });
  return {
    log,
    app,
    end: () => graph.end?.(),
    async view(cluster, window) {
      const operation = await graph.operation(new Request('http://gpuql/graphql'));
      return operation.cluster(await operation.find(cluster, null), window).view;
    },
    requests: () => asked,
    writes: () => [...writers.values()].reduce((sum, { counts }) => sum + counts.requests, 0),
    samples: () => [...stores.values()].reduce((sum, { counts }) => sum + counts.samples, 0),
    bytes: () => [...stores.values()].reduce((sum, { counts }) => sum + counts.responseBytes, 0),
    async query(query, variables = {}, headers = {}) {
      const response = await app.fetch('http://gpuql/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ query, variables }),
      });
      return { ...((await response.json()) as Omit<Reply, 'status'>), status: response.status };
    },
    close: async () => void (await Promise.all([...stores.values(), ...writers.values()].map((one) => one.close()))),
  };
}
