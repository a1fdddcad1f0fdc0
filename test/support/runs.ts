import { type Engine, type EmbeddedStore, startStore } from '../../src/embedded/store.ts';
import { reportDocument } from '../../src/runs/report-document.ts';
import { type Gateway, type Reply, startGateway } from './gateway.ts';

/** What a store really holds of its runs, asked without the gateway. */
export interface RawSeries {
  readonly labels: Readonly<Record<string, string>>;
  readonly samples: readonly (readonly [tsMs: number, value: number])[];
}

export interface RunWorld {
  readonly store: EmbeddedStore;
  readonly gateway: Gateway;
  report(variables: object, headers?: Record<string, string>): Promise<Reply>;
  /** All that the store holds of a run, or of all of them, in order of labels. */
  raw(run?: string): Promise<RawSeries[]>;
  close(): Promise<void>;
}

export const engine = process.env['GPUQL_ENGINE'] as Engine | undefined;
export const isVictoriaMetrics = engine?.startsWith('victoria-metrics') ?? false;

export const configOver = (url: string, writeUrl?: string, more: object = {}): string =>
  JSON.stringify({
    islands: [
      { name: 'north', prometheus: { url, ...(writeUrl !== undefined && { writeUrl }) }, sharedPool: ['pool'] },
    ],
    organizations: [{ name: 'acme', clusters: [{ name: 'aurora', island: 'north', vendor: 'nvidia' }] }],
    ...more,
  });

/** Sends one report, as the forwarder does. */
export const report = (gateway: Gateway, variables: object, headers?: Record<string, string>): Promise<Reply> =>
  gateway.query(reportDocument, { cluster: 'aurora', run: 'r1', ...variables }, headers);

export async function startRuns(
  options: { config?: (url: string) => string; store?: object; now?: () => number } = {},
): Promise<RunWorld> {
  const store = await startStore({ ...(engine !== undefined && { engine }), ...options.store });
  const config = (options.config ?? ((url) => configOver(url, `${url}/api/v1/write`)))(store.url);
  const gateway = await startGateway({ config, ...(options.now && { now: options.now }) });
  return {
    store,
    gateway,
    report: (variables, headers) => report(gateway, variables, headers),
    raw: (run) => rawOf(store.url, run),
    async close() {
      await gateway.close();
      await store.close();
    },
  };
}

/** Everything that is written shows at once in Prometheus, and in VictoriaMetrics when it is told to. */
export async function rawOf(url: string, run?: string): Promise<RawSeries[]> {
  if (isVictoriaMetrics) await fetch(`${url}/internal/force_flush`);
  const only = run === undefined ? '' : `,run=${JSON.stringify(run)}`;
  const query = `{__name__=~"gpuql_run_.*"${only}}[400d]`;
  const time = String(Date.now() / 1000 + 86_400);
  const answer = await fetch(`${url}/api/v1/query`, {
    method: 'POST',
    body: new URLSearchParams({ query, time, nocache: '1' }),
  });
  const { data } = (await answer.json()) as {
    data: { result: { metric: Record<string, string>; values: [number, string][] }[] };
  };
  return data.result
    .map(({ metric, values }) => ({
      labels: metric,
      samples: values.map(([time, value]) => [Math.round(time * 1000), Number(value)] as const),
    }))
    .sort((a, b) => (JSON.stringify(a.labels) < JSON.stringify(b.labels) ? -1 : 1));
}
