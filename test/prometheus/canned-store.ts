import { onTestFinished } from 'vitest';
import { createStore, type Store, type StoreLogLine, type StoreOptions } from '../../src/prometheus/store.ts';
import type { Ask, Question } from '../../src/reads/ask.ts';
import type { ScopedQuery } from '../../src/scope/scope.ts';
import { startFaultyStore, status, type FaultyStore } from '../support/faulty-store.ts';

/** Query text outside scope/, which is free to be so only where no real store listens. */
export const query = (text: string): ScopedQuery => text as ScopedQuery;

export const temperature: Question = { kind: 'instant', query: query('temp'), time: 1_758_456_000.123 };
export const temperatures: Question = {
  kind: 'range',
  query: query('temp'),
  start: 1_758_456_000,
  end: 1_758_459_600,
  step: 30,
};

export const success = (data: unknown, around: Record<string, unknown> = {}): string =>
  JSON.stringify({ status: 'success', data, ...around });

export const oneSample = success({
  resultType: 'vector',
  result: [{ metric: { gpu: '0' }, value: [1_758_456_000.123, '45.5'] }],
});

/** A range answer of about `kilobytes`: past 64 kB it is read by the scanner. */
export const manySamples = (kilobytes: number): string =>
  success({
    resultType: 'matrix',
    result: Array.from({ length: kilobytes * 2 }, (_, i) => ({
      metric: { gpu: String(i), note: ']]}' },
      values: Array.from({ length: 20 }, (_, k) => [1_758_456_000 + 30 * k, `${i}.${k}`]),
    })),
  });

/** A store over HTTP that gives every question the same answer, unless it is told to fail. */
export async function cannedStore(body: string): Promise<FaultyStore> {
  const behind = await startFaultyStore('http://127.0.0.1:9');
  behind.always(() => status(200, body));
  const store = await startFaultyStore(behind.url);
  onTestFinished(async () => {
    await store.close();
    await behind.close();
  });
  return store;
}

export function clientOf(
  url: string,
  options: Partial<StoreOptions> = {},
): Store & { readonly ask: Ask; readonly log: readonly StoreLogLine[] } {
  const log: StoreLogLine[] = [];
  const store = createStore({ url, timeoutS: 20, concurrency: 4, log: (line) => log.push(line), ...options });
  onTestFinished(() => store.close());
  return { ...store, ask: store.askFor('acme'), log };
}
