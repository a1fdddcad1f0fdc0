import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { type EmbeddedStore, startStore } from '../../src/embedded/store.ts';
import { askedIn } from '../support/faulty-fleet.ts';
import { type Fault, type FaultyStore, hang, startFaultyStore, status, warnings } from '../support/faulty-store.ts';
import { NOW } from '../support/fleet/clock.ts';
import { labelled } from '../support/fleet/series.ts';
import { host, nvidia } from '../support/fleet/situations.ts';
import { type McpClient, overHttp } from '../support/mcp.ts';

const secrets = 'tenant-zeta at 10.99.88.77:10901';
let store: EmbeddedStore;
let faulty: FaultyStore;
let mcp: McpClient;
beforeAll(async () => {
  store = await startStore();
  await store.load([
    ...labelled({ cluster: 'aurora' }, nvidia({ gpu: { index: 2 } })('n1')),
    ...labelled({ cluster: 'aurora' }, nvidia({ gpu: { index: 5 } })('n1')),
    ...labelled({ cluster: 'aurora' }, host()('n1')),
  ]);
  faulty = await startFaultyStore(store.url);
});
afterAll(async () => {
  await faulty?.close();
  await store?.close();
});
const config = (): string =>
  JSON.stringify({
    islands: [{ name: 'north', prometheus: { url: faulty.url } }],
    organizations: [{ name: 'acme', clusters: [{ name: 'aurora', island: 'north', vendor: 'nvidia', model: 'H100' }] }],
  });
beforeEach(async () => {
  faulty.always(() => undefined);
  mcp = await overHttp({ config: config(), now: NOW });
  return () => mcp.close();
});
const failing = (pattern: RegExp, fault: Fault): void =>
  faulty.always((request) => (pattern.test(askedIn(request)) ? fault : undefined));
const node = { cluster: 'aurora', action: 'node', node: 'n1', range: '1h', points: 4 };

test('what failed is null, named, and never looks like no reading; the rest is there', async () => {
  failing(/_over_time\(DCGM_FI_DEV_GPU_UTIL\{/, status(503, secrets));
  const { answer, structured, text } = await mcp.call('metrics_read', node);
  expect(answer.gpus['2'].util_pct).toBeNull();
  expect(answer.gpus['5'].temp_c.max).toBeGreaterThan(50);
  expect(answer.failed.map(({ at, code }: { at: string; code: string }) => [at, code]).sort()).toEqual([
    ['gpus.2.util_pct', 'metrics-unavailable'],
    ['gpus.5.util_pct', 'metrics-unavailable'],
  ]);
  expect(answer.note).toMatch(/failed and is null for that reason.*see failed/);
  expect(structured).toEqual(answer);
  expect(text).not.toContain('zeta');
});

test('a whole answer has no word of failures', async () => {
  const { answer } = await mcp.call('metrics_read', node);
  expect(answer).not.toHaveProperty('failed');
  expect(answer.gpus['2'].util_pct.values).toHaveLength(4);
  expect(answer.note).not.toMatch(/failed|Not all/);
});

test('a report that could not be made is refused: there is no clean without it', async () => {
  failing(/DCGM_FI_DEV_XID_ERRORS/, status(503, secrets));
  const { isError, answer } = await mcp.call('metrics_read', { ...node, action: 'flags' });
  expect([isError, answer.code]).toEqual([true, 'metrics-unavailable']);
});

test('what the store left something out of says so, and is not clean', async () => {
  failing(/./, warnings([secrets]));
  const { answer, text } = await mcp.call('metrics_read', { ...node, action: 'flags' });
  expect(answer.clean).toBe(false);
  expect(answer.note).toMatch(/Not all of it may be here/);
  expect(text).not.toContain('zeta');
});

test.each(['legacy', 'auto'] as const)('a client that leaves ends what was asked for it (%s)', async (era) => {
  const leaving = await overHttp({ config: config(), now: NOW, era });
  faulty.always(() => hang);
  const before = faulty.requests.length;
  const asked = leaving.call('metrics_read', { ...node, action: 'flags' });
  asked.catch(() => {});
  while (faulty.requests.length === before) await sleep(20);
  await leaving.client.close();
  const ended = faulty.requests.slice(before).map(({ abandoned }) => abandoned);
  expect(await Promise.race([Promise.all(ended), sleep(5000)])).toEqual(ended.map(() => true));
  await leaving.close();
});
