import assert from 'node:assert/strict';
import { Client, fetchExchange, makeOperation, mapExchange, type TypedDocumentNode } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { patientFetch } from '../patient-fetch.ts';
import { HotGpus } from './documents.ts';

const { GPUQL_URL: url = 'http://127.0.0.1:4000/graphql', GPUQL_TOKEN: token, GPUQL_TRUSTED: trusted } = process.env;

/** Sends a document's hash in place of its text, for a gateway that answers trusted documents. */
const byHash = mapExchange({
  onOperation(operation) {
    const { __meta__ } = operation.query as TypedDocumentNode & { __meta__?: { hash: string } };
    if (__meta__ === undefined) return operation;
    const query = { kind: 'Document', definitions: [], documentId: __meta__.hash };
    return makeOperation(operation.kind, { ...operation, query: query as never }, operation.context);
  },
});

// Nothing here has an `id`: the same GPU under another window has other numbers, and must not be merged with this one. So
// no type has a key, and what is cached is cached under its field and the window that it was asked with.
const unkeyed = ['Cluster', 'Window', 'Reference', 'Node', 'Gpu', 'Throttle', 'GpuErrors'];
const byPlace = cacheExchange({ keys: Object.fromEntries(unkeyed.map((type) => [type, () => null])) });

const client = new Client({
  url,
  preferGetMethod: false,
  fetch: patientFetch(),
  fetchOptions: { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } },
  exchanges: trusted === undefined ? [byPlace, fetchExchange] : [byHash, fetchExchange],
});

const place = { cluster: 'aurora-prod', node: 'aurora-prod-n2' };
const whole = { ...place, window: { range: 'LAST_6H' } } as const;
const { data, error, extensions } = await client.query(HotGpus, whole);
for (const { message, extensions } of error?.graphQLErrors ?? []) {
  // The code is what a program acts on; docs/errors.md has them all.
  console.error(`${String(extensions['code'])}: ${message}`);
}
if (error || !data) process.exit(1);
for (const cluster of (extensions?.['warnings'] as string[] | undefined) ?? []) {
  console.error(`The store of ${cluster} left something out.`);
}

const gpus = data.cluster?.node?.gpus ?? [];
const hot = gpus.filter(({ peakTempC }) => peakTempC !== null && peakTempC >= 83);
for (const { index, peakTempC, throttle } of hot) {
  // Null is no reading, and no zero.
  const held = throttle.thermalS === null ? 'no reading of throttling' : `${throttle.thermalS} s throttled by heat`;
  console.log(`GPU ${index} reached ${peakTempC} °C: ${held}`);
}

if (trusted === undefined) {
  // The same GPUs over another window, of the same uuid, beside those that are cached: neither changes the other.
  const { start, end } = data.cluster!.window;
  const middle = new Date((Date.parse(start) + Date.parse(end)) / 2).toISOString();
  const early = { ...place, window: { start, end: middle } };
  const before = await client.query(HotGpus, early);
  const again = await client.query(HotGpus, whole, { requestPolicy: 'cache-only' });
  assert.deepEqual(again.data, data);
  const peaks = (answer: typeof data | undefined) => answer?.cluster?.node?.gpus?.map(({ peakTempC }) => peakTempC);
  assert.notDeepEqual(peaks(before.data), peaks(again.data));
  console.log('Two windows of one GPU are two answers in the cache.');
}
