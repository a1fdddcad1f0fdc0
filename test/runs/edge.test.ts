import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { reportDocument } from '../../src/runs/report-document.ts';
import { configOver, report, type RunWorld, startRuns } from '../support/runs.ts';
import { startGateway } from '../support/gateway.ts';
import { overHttp } from '../support/mcp.ts';

let world: RunWorld;
const now = Date.now();
beforeAll(async () => {
  world = await startRuns({ now: () => now / 1000 });
});
afterAll(() => world.close());

const event = { kind: 'metric', ts_ms: now - 1000, step: 1, name: 'train/loss', value: 1 };
const variables = (run: string) => ({ cluster: 'aurora', run, events: [event] });
const writeUrl = () => `${world.store.url}/api/v1/write`;

test('it is not done by GET', async () => {
  const query = new URLSearchParams({ query: reportDocument, variables: JSON.stringify(variables('by-get')) });
  const answer = await world.gateway.app.fetch(`http://gpuql/graphql?${query}`);
  expect(answer.status).toBe(405);
  expect(await world.raw('by-get')).toEqual([]);
});

test('it is not done for a page of another site', async () => {
  for (const headers of [
    { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    { origin: 'https://evil.example' },
    { 'content-type': 'text/plain', 'sec-fetch-site': 'cross-site' },
  ]) {
    const { status } = await world.gateway.query(reportDocument, variables('other-site'), headers as never);
    expect(status).toBe(403);
  }
  expect(await world.raw('other-site')).toEqual([]);
});

test('an estimate writes nothing', async () => {
  const { data, extensions } = await world.report(variables('estimated'), { 'x-gpuql-cost': 'estimate' });
  expect([data, extensions.cost.requests, extensions.cost.estimated]).toEqual([null, 0, 2]);
  expect(await world.raw('estimated')).toEqual([]);
});

test('the cost of a report is what it asked and wrote', async () => {
  const before = [world.gateway.requests().length, world.gateway.writes()];
  const { extensions } = await world.report(variables('cost'), { 'x-gpuql-cost': '1' });
  const sent = [world.gateway.requests().length - before[0]!, world.gateway.writes() - before[1]!];
  expect(sent).toEqual([1, 1]);
  expect(extensions.cost).toMatchObject({
    requests: 2,
    parts: [
      { what: 'run: held', cluster: 'aurora', from: 'store', requests: 1 },
      { what: 'run: write', cluster: 'aurora', from: 'store', requests: 1 },
    ],
  });
  expect(JSON.stringify(extensions.cost)).not.toMatch(/127\.0\.0\.1/);
});

test('several reports of one document go one after the other, and one that fails stops no other', async () => {
  const one = (alias: string, cluster: string, value: number) =>
    `${alias}: reportRun(cluster: "${cluster}", run: "several", events: [{ kind: "metric", ts_ms: ${event.ts_ms}, name: "x", value: ${value} }]) { written repeated conflicting }`;
  const { data, errors } = await world.gateway.query(
    `mutation { ${one('a', 'aurora', 1)} ${one('b', 'zeta', 2)} ${one('c', 'aurora', 2)} ${one('d', 'aurora', 1)} }`,
  );
  expect(data).toEqual({
    a: { written: 1, repeated: 0, conflicting: 0 },
    b: null,
    c: { written: 0, repeated: 0, conflicting: 1 },
    d: { written: 0, repeated: 1, conflicting: 0 },
  });
  expect(errors).toMatchObject([{ path: ['b'], extensions: { code: 'NOT_FOUND' } }]);
});

test('literals say what variables do, and NaN is a finding', async () => {
  const text = (value: string, name: string) =>
    `{ kind: "metric", ts_ms: ${event.ts_ms}, name: "${name}", value: ${value} }`;
  const { data } = await world.gateway.query(
    `mutation { reportRun(cluster: "aurora", run: "literals", events: [${text('NaN', 'a')}, ${text('Infinity', 'b')}, ${text('null', 'c')}, ${text('-2.5e-3', 'd')}]) { written rejected { reason } } }`,
  );
  expect(data.reportRun).toEqual({ written: 4, rejected: [] });
  const findings = (await world.raw('literals')).map(({ labels }) => labels['finding']).filter(Boolean);
  expect(findings.sort()).toEqual(['+Inf', 'NaN', 'null']);
});

test('limits, rate and the log are those of any document', async () => {
  const config = configOver(world.store.url, writeUrl(), { limits: { requestsPerMinute: 2, rootFields: 1 } });
  const gateway = await startGateway({ config, now: () => now / 1000 });
  onTestFinished(() => gateway.close());
  const codes = async (document: string) =>
    (await gateway.query(document, variables('limits'))).errors?.[0]?.extensions.code;
  const twice = `mutation { a: reportRun(cluster: "aurora", run: "x") { written } b: reportRun(cluster: "aurora", run: "x") { written } }`;
  expect([await codes(twice), await codes(reportDocument), await codes(reportDocument)]).toEqual([
    'QUERY_TOO_LARGE',
    undefined,
    'THROTTLED',
  ]);
  expect(gateway.log.map(({ event: what, status }) => [what, status])).toEqual([
    ['answer', 422],
    ['answer', 200],
    ['answer', 429],
  ]);
  const many = { ...variables('limits'), events: Array.from({ length: 1001 }, () => ({ a: 1, b: 1, c: 1, d: 1 })) };
  const large = await report(world.gateway, many);
  expect(large.errors![0]!.extensions.code).toBe('QUERY_TOO_LARGE');
});

test('the tools of agents write nothing', async () => {
  const mcp = await overHttp({ config: configOver(world.store.url, writeUrl()), now: now / 1000 });
  onTestFinished(() => mcp.close());
  const document = `mutation { reportRun(cluster: "aurora", run: "by-agent", events: [{ kind: "metric", ts_ms: ${event.ts_ms}, name: "x", value: 1 }]) { written } }`;
  for (const query of [document, `query A { clusters { name } } ${document.replace('mutation', 'mutation B')}`]) {
    const { isError, answer } = await mcp.call('graphql', {
      query,
      operation_name: query === document ? undefined : 'B',
    });
    expect([isError, answer.code]).toEqual([true, 'bad-request']);
  }
  expect(await world.raw('by-agent')).toEqual([]);
});

test('where only trusted documents are answered, the forwarder’s own is, by its hash and by its text', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gpuql-trusted-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const manifest = join(folder, 'manifest.json');
  const own = '{ clusters { name } }';
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  writeFileSync(manifest, JSON.stringify({ [hash(own)]: own }));
  const trustedDocuments = { manifest, only: true };
  const gateway = await startGateway({
    config: configOver(world.store.url, writeUrl(), { trustedDocuments }),
    now: () => now / 1000,
  });
  onTestFinished(() => gateway.close());
  const send = async (body: object) => {
    const answer = await gateway.app.fetch('http://gpuql/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ variables: variables('trusted'), ...body }),
    });
    return [answer.status, ((await answer.json()) as { data?: { reportRun?: { written: number } } }).data?.reportRun];
  };
  const named = { documentId: `sha256:${hash(reportDocument)}` };
  expect(await send(named)).toEqual([200, expect.objectContaining({ written: 1 })]);
  expect(await send({ query: reportDocument })).toEqual([200, expect.objectContaining({ repeated: 1 })]);
  expect(await send({ query: reportDocument.replace('note', '') })).toEqual([403, undefined]);
});
