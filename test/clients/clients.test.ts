import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, expectTypeOf, test } from 'vitest';
import { type Answer, ask, nullAt, passes, type TypedText } from '../../docs/examples/fetch/ask.ts';
import { history } from '../../src/demo/history.ts';
import { type EmbeddedStore, startStore } from '../../src/embedded/store.ts';
import {
  ClustersDocument,
  FreeQueryDocument,
  NodeReadingsDocument,
  SlowRunFlagsDocument,
  SlowRunShapeDocument,
  type WindowRange,
} from '../generated/graphql.ts';
import { type ClientGateway, clientGateway } from '../support/client-gateway.ts';

// The clients of docs/clients.md that need nothing installed, over the demo's own history.
const t0 = 1_780_315_200;
let store: EmbeddedStore;
let gateway: ClientGateway;

beforeAll(async () => {
  store = await startStore();
  await store.load(history(t0, 7));
  gateway = await clientGateway(store.url, { now: () => t0 });
});
afterAll(async () => {
  await gateway?.close();
  await store?.close();
});
beforeEach(() => {
  gateway.refuseNext(0);
  gateway.leaveOut(undefined);
});

const node = { cluster: 'aurora-prod', node: 'aurora-prod-n2', window: { range: 'LAST_6H' as const } };

test('fetch, with a document that carries its types', async () => {
  const { data, errors, partial } = await ask(gateway, NodeReadingsDocument, node);
  expect([errors, partial]).toEqual([[], []]);
  const hot = data?.cluster?.node?.gpus?.filter(({ peakTempC }) => (peakTempC ?? 0) >= 83);
  expect(hot?.map(({ index, peakTempC }) => [index, peakTempC])).toEqual([[3, 91]]);
  expectTypeOf(hot![0]!.tempC!.values).toEqualTypeOf<readonly (number | null)[] | null>();
  expectTypeOf(hot![0]!.errors.eccDbe).toEqualTypeOf<number | null>();
  expectTypeOf(data!.cluster!.window.end).toEqualTypeOf<string>();
  expectTypeOf<WindowRange>().toEqualTypeOf<'LAST_1H' | 'LAST_6H' | 'LAST_24H' | 'LAST_7D'>();
  // @ts-expect-error: the values of an enum are types.
  await ask(gateway, NodeReadingsDocument, { ...node, window: { range: 'LAST_5H' } });
});

test('labels are an object of text, counts are numbers', async () => {
  const query = 'count by (cluster, gpu) (DCGM_FI_DEV_GPU_TEMP{gpu="3"})';
  const { data, errors } = await ask(gateway, FreeQueryDocument, { query });
  expect(errors).toEqual([]);
  const [series] = data!.metricsQuery!.series;
  expectTypeOf(series!.labels).toEqualTypeOf<Readonly<Record<string, string>>>();
  expect(series).toEqual({ labels: { cluster: 'aurora-prod', gpu: '3' }, value: 4, values: null });
  const { limits } = data!.organization!;
  expectTypeOf(limits.cost).toEqualTypeOf<number>();
  expect(limits.cost).toBeGreaterThan(2 ** 31);
});

test('the code of a refusal is what a client acts on', async () => {
  const codes = ({ data, errors }: Answer<unknown>) => [
    data,
    errors.map(({ extensions }) => extensions.code),
    errors.some(passes),
  ];
  const nowhere = { ...node, cluster: 'nowhere' };
  expect(codes(await ask({ url: gateway.url }, ClustersDocument, {}))).toEqual([null, ['UNAUTHENTICATED'], false]);
  expect(codes(await ask(gateway, NodeReadingsDocument, nowhere))).toEqual([{ cluster: null }, ['NOT_FOUND'], false]);
});

test('a client that is throttled waits, and gets its answer', async () => {
  gateway.refuseNext(1);
  const [before, began] = [gateway.asked(), performance.now()];
  const { data, errors } = await ask(gateway, ClustersDocument, {});
  expect([data?.clusters?.length, errors]).toEqual([2, []]);
  expect(gateway.asked() - before).toBe(2);
  expect(performance.now() - began).toBeGreaterThan(990);
});

test('a client that goes on being throttled is told so', async () => {
  gateway.refuseNext(9);
  const { data, errors } = await ask(gateway, ClustersDocument, {});
  expect(data).toBeNull();
  expect(errors.map(({ extensions }) => extensions)).toEqual([{ code: 'THROTTLED', status: 429, retryAfterS: 1 }]);
  expect(passes(errors[0]!)).toBe(true);
});

test('what a store left out is told', async () => {
  gateway.leaveOut('aurora-prod');
  expect(await ask(gateway, ClustersDocument, {})).toMatchObject({ errors: [], partial: ['aurora-prod'] });
});

test('null without an error is no reading; with one, nobody knows', async () => {
  const amd = { cluster: 'borealis-train', node: 'borealis-train-n1' };
  const read = await ask(gateway, NodeReadingsDocument, amd);
  expect(read.data?.cluster?.node?.gpus?.[2]?.throttle.thermalS).toBeNull();
  expect(nullAt(read, 'cluster', 'node', 'gpus', 2, 'throttle', 'thermalS')).toBe('none');
  const gone = await ask(gateway, NodeReadingsDocument, { ...node, node: 'nowhere' });
  expect(gone.data?.cluster?.node).toBeNull();
  expect(nullAt(gone, 'cluster', 'node')).toBe('failed');
  expect(nullAt(gone, 'cluster', 'reference')).toBe('none');
});

test('a document is asked for by its hash alone, where the gateway has the manifest', async () => {
  const text = SlowRunFlagsDocument.toString();
  const hash = `sha256:${createHash('sha256').update(text).digest('hex')}`;
  const manifest = join(mkdtempSync(join(tmpdir(), 'gpuql-')), 'persisted-documents.json');
  writeFileSync(manifest, JSON.stringify({ [hash]: text }));
  const strict = await clientGateway(store.url, {
    now: () => t0,
    settings: { trustedDocuments: { manifest, only: true } },
  });
  try {
    const known: typeof SlowRunFlagsDocument = Object.assign(SlowRunFlagsDocument, { __meta__: { hash } });
    const job = { cluster: 'aurora-prod', job: 'train-llm' };
    const { data, errors } = await ask({ ...strict, trusted: true }, known, job);
    expect(errors).toEqual([]);
    expect(data?.cluster?.workload?.flags?.flags.map(({ gpu }) => gpu?.index)).toContain(3);
    const other: TypedText<unknown, object> = SlowRunShapeDocument as never;
    expect((await ask(strict, other, {})).errors[0]?.extensions).toEqual({ code: 'BAD_REQUEST', status: 403 });
  } finally {
    await strict.close();
  }
});

test('the page about clients names every example, and nothing that is not there', () => {
  const page = readFileSync(new URL('../../docs/clients.md', import.meta.url), 'utf8');
  const linked = [...page.matchAll(/\]\(((?:\.\.|examples)[^)#]*)\)/g)].map(([, path]) => path!);
  expect(linked.filter((path) => !existsSync(new URL(`../../docs/${path}`, import.meta.url)))).toEqual([]);
  const folders = readdirSync(new URL('../../docs/examples', import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
    .map(({ name }) => name);
  expect(folders.length).toBeGreaterThan(5);
  expect(folders.filter((name) => !linked.some((path) => path.includes(`examples/${name}/`)))).toEqual([]);
});

const example = (path: string): string => fileURLToPath(new URL(`../../docs/examples/${path}`, import.meta.url));
const there = (program: string): boolean => {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
/** Runs a script as a user would. */
async function run(program: string, args: string[], token: string | undefined = gateway.token) {
  const { GPUQL_TOKEN: _, ...environment } = process.env;
  const env = { ...environment, GPUQL_URL: gateway.url, ...(token !== '' && { GPUQL_TOKEN: token }) };
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    execFile(program, args, { env }, (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }));
  });
}

test.runIf(there('python3'))('Python, with its own library alone', async () => {
  const script = example('python/slow_run.py');
  gateway.refuseNext(1);
  gateway.leaveOut('aurora-prod');
  const told = await run('python3', [script]);
  expect(told).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^The store of aurora-prod left something out/),
  });
  expect(told.stdout).toMatch(/^HIGH: GPU 3 on aurora-prod-n2 held at or above 83 °C .*\[1\d\d\d(\.\d+)? s\]$/m);
  expect(await run('python3', [script], '')).toMatchObject({ code: 1, stderr: expect.stringMatching(/^UNAUTH/) });
  expect(await run('python3', [script, 'nothing'])).toMatchObject({ code: 1, stderr: expect.stringMatching(/^NOT_/) });
});

test.runIf(there('curl'))('curl, which waits by itself', async () => {
  gateway.refuseNext(1);
  const { code, stdout } = await run('sh', [example('curl/hot_node.sh')]);
  expect(code).toBe(0);
  // The refusal is printed before the answer: curl shows what it got.
  const { data } = JSON.parse(
    stdout
      .split('\n')
      .at(-1)!
      .replace(/^.*?(?=\{"data")/, ''),
  );
  expect(data.cluster.node.gpus[3]).toMatchObject({ index: 3, peakTempC: 91 });
  const refused = await run('sh', [example('curl/hot_node.sh')], '');
  expect(refused).toMatchObject({ code: 22, stdout: expect.stringContaining('UNAUTHENTICATED') });
});
