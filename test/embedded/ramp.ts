import { expect } from 'vitest';

import type { EmbeddedStore, LoadedSeries } from '../../src/embedded/store.ts';

export const now = Math.floor(Date.now() / 1000);
export const day = 86_400;

/** A series `ramp` whose values rise by an eighth from 0. */
export const ramp = (labels: Record<string, string>, start: number, step: number, count: number): LoadedSeries => ({
  labels: { __name__: 'ramp', ...labels },
  times: Float64Array.from({ length: count }, (_, i) => start + i * step),
  values: Float64Array.from({ length: count }, (_, i) => i / 8),
});

export interface Found {
  readonly metric: Record<string, string>;
  readonly value?: [number, string];
  readonly values?: [number, string][];
}

/** What the store answers to an instant query. */
export async function query(store: EmbeddedStore, text: string, time: number): Promise<Found[]> {
  const answer = await fetch(`${store.url}/api/v1/query?${new URLSearchParams({ query: text, time: String(time) })}`);
  const body = (await answer.json()) as { status: string; data: { result: Found[] } };
  expect(body).toMatchObject({ status: 'success' });
  return body.data.result;
}
