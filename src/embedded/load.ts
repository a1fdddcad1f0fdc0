import { Pool } from 'undici';

import { EmbeddedStoreError } from './failure.ts';
import { lastLines } from './run.ts';
import { writeRequest, type LoadedSeries } from './remote-write.ts';

/** Samples in one request, about: fewer and the requests cost more than the samples, more and nothing is gained. */
const batchSamples = 20_000;
/** Requests under way: the store reads some while we write the next. More than four gains nothing. */
const writers = 4;

/**
 * Writes series by remote write. A series goes in one request, so its samples arrive in order.
 *
 * @throws EmbeddedStoreError with the store's words when it refuses
 */
export async function loadSeries(url: string, series: Iterable<LoadedSeries>): Promise<void> {
  const pool = new Pool(url, { connections: writers });
  const queue = batches(series);
  const write = async (): Promise<void> => {
    // One queue for all: a writer that fails ends it for the others too.
    for (const batch of queue) await send(pool, writeRequest(batch));
  };
  try {
    const results = await Promise.allSettled(Array.from({ length: writers }, write));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  } finally {
    await pool.close();
  }
}

function* batches(series: Iterable<LoadedSeries>): Generator<LoadedSeries[]> {
  let batch: LoadedSeries[] = [];
  let samples = 0;
  for (const one of series) {
    batch.push(one);
    samples += one.times.length;
    if (samples < batchSamples) continue;
    yield batch;
    batch = [];
    samples = 0;
  }
  if (batch.length > 0) yield batch;
}

async function send(pool: Pool, body: Buffer): Promise<void> {
  const answer = await pool.request({
    method: 'POST',
    path: '/api/v1/write',
    body,
    headers: {
      'content-type': 'application/x-protobuf',
      'content-encoding': 'snappy',
      'x-prometheus-remote-write-version': '0.1.0',
    },
  });
  const words = await answer.body.text();
  if (answer.statusCode < 300) return;
  throw new EmbeddedStoreError(`the store refused samples (${answer.statusCode}): ${lastLines(words)}`);
}
