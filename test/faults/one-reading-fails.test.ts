import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { countOf, failing, type FaultyFleet, startFaultyFleet, well } from '../support/faulty-fleet.ts';
import { cutAfter, endAfter, type Fault, hang, html, refuse, status } from '../support/faulty-store.ts';
import { plainCluster } from '../support/faulty-clusters.ts';

const apiError = (errorType: string, error: string) => JSON.stringify({ status: 'error', errorType, error });
const secrets = 'tenant-zeta at 10.99.88.77:10901';

const unavailable = { code: 'METRICS_UNAVAILABLE', status: 503 };
const tooLarge = { code: 'QUERY_TOO_LARGE', status: 422 };
const tooMany = 'query processing would load too many samples into memory in query execution';

const faults: [what: string, fault: Fault, extensions: object, tries: number][] = [
  ['closes the connection without a byte', refuse, unavailable, 2],
  ['never answers', hang, unavailable, 1],
  ['breaks off in mid-body', cutAfter(40), unavailable, 1],
  ['ends early as if whole', endAfter(40), unavailable, 1],
  ['answers with a page of HTML', html, unavailable, 1],
  ['answers 500', status(500, apiError('internal', secrets)), unavailable, 1],
  ['answers 502 with a page', status(502, `<html>${secrets}</html>`), unavailable, 1],
  ['answers 503', status(503, secrets), unavailable, 1],
  ['answers 503 for its own timeout', status(503, apiError('timeout', 'query timed out')), unavailable, 1],
  ['redirects for good', status(301, '', { location: 'http://127.0.0.1:9/' }), unavailable, 1],
  ['redirects to a login', status(302, '', { location: 'http://127.0.0.1:9/login' }), unavailable, 1],
  ['answers 401', status(401, secrets), unavailable, 1],
  ['answers 404', status(404, secrets), unavailable, 1],
  ['answers 413', status(413, secrets), unavailable, 1],
  ['answers 431', status(431, secrets), unavailable, 1],
  ['refuses the query', status(400, apiError('bad_data', `parse error ${secrets}`)), unavailable, 1],
  ['cannot execute the query', status(422, apiError('execution', `duplicate series ${secrets}`)), unavailable, 1],
  ['answers an error under 200', status(200, apiError('internal', secrets)), unavailable, 1],
  ['names a limit under 422', status(422, apiError('execution', tooMany)), tooLarge, 1],
  ['names a limit under 503', status(503, apiError('internal', `${tooMany} ${secrets}`)), tooLarge, 1],
  ['names a limit under 429', status(429, `err-mimir-max-chunks-per-query ${secrets}`), tooLarge, 1],
  [
    'is asked too often',
    status(429, secrets, { 'retry-after': '7' }),
    { code: 'THROTTLED', status: 429, retryAfterS: 7 },
    1,
  ],
];

const temperature = /_over_time\(DCGM_FI_DEV_GPU_TEMP\{cluster="aurora"/;
const gpus = 'nodes { nodes { name gpus { index tempC { max } powerW { max } } } }';
const document = `{
  aurora: cluster(name: "aurora", window: { range: LAST_1H }) { name ${gpus} }
  borealis: cluster(name: "borealis", window: { range: LAST_1H }) { ${gpus} }
}`;
const answerOf = (tempC: number | null) => ({
  nodes: ['n1', 'n2'].map((name) => ({
    name,
    gpus: [0, 1].map((index) => ({ index, tempC: tempC === null ? null : { max: tempC }, powerW: { max: 500 } })),
  })),
});
const places = [0, 1].flatMap((node) => [0, 1].map((gpu) => ['aurora', 'nodes', 'nodes', node, 'gpus', gpu, 'tempC']));

let fleet: FaultyFleet;
beforeAll(async () => {
  fleet = await startFaultyFleet([
    { name: 'aurora', series: plainCluster(61) },
    { name: 'borealis', series: plainCluster(72) },
  ]);
});
afterAll(() => fleet?.close());

describe.each(faults)('a store that %s for one reading', (_what, fault, extensions, tries) => {
  const gatewayFor = async () => {
    const gateway = await fleet.gateway({ timeoutS: fault === hang ? 3 : 20 });
    await gateway.query(document);
    return gateway;
  };

  test('fails that reading of each GPU, at its path, with what the contract says; all else is answered', async () => {
    const gateway = await gatewayFor();
    failing(fleet.north, temperature, fault);
    const { data, errors, status: http, text } = await gateway.query(document);
    expect(data).toEqual({ aurora: { name: 'aurora', nodes: answerOf(null) }, borealis: { nodes: answerOf(72) } });
    expect(errors!.map(({ path }) => path).sort()).toEqual(places);
    expect(errors!.map((error) => error.extensions)).toEqual(places.map(() => extensions));
    expect(http, 'something was answered').toBe(200);
    expect(text).not.toMatch(/127\.0\.0\.1|10\.99\.88|tenant-zeta|DCGM|over_time|samples into|\.ts:|\bat \w+ \(/);
  });

  test('is asked as often as it should be, and again by the next operation, which is answered', async () => {
    const gateway = await gatewayFor();
    failing(fleet.north, temperature, fault);
    const before = countOf(fleet.north, temperature);
    await gateway.query(document);
    // The greatest value, and the guard.
    expect(countOf(fleet.north, temperature) - before).toBe(2 * tries);
    well(fleet.north);
    const { data, errors } = await gateway.query(document);
    expect(errors).toBeUndefined();
    expect(data.aurora.nodes).toEqual(answerOf(61));
  });
});

test('only what asks the client to wait says for how long, in a header', async () => {
  const gateway = await fleet.gateway();
  failing(fleet.north, temperature, status(429, '', { 'retry-after': '7' }));
  expect((await gateway.query(document)).headers.get('retry-after')).toBe('7');
  failing(fleet.north, temperature, status(503, '', { 'retry-after': '7' }));
  expect((await gateway.query(document)).headers.get('retry-after')).toBeNull();
});

test('a connection that is lost once is no failure: the same is asked on another', async () => {
  const gateway = await fleet.gateway();
  await gateway.query(document);
  const seen = new Set<string>();
  const from = fleet.north.requests.length;
  failing(fleet.north, temperature, async (response, answer) => {
    const request = fleet.north.requests.at(-1)!;
    const query = request.parameters.get('query')!;
    if (seen.has(query)) {
      const { body } = await answer();
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    } else {
      seen.add(query);
      response.socket?.destroy();
    }
  });
  const { data, errors } = await gateway.query(document);
  expect(errors).toBeUndefined();
  expect(data.aurora.nodes).toEqual(answerOf(61));
  const tried = fleet.north.requests.slice(from).filter(({ parameters }) => seen.has(parameters.get('query') ?? ''));
  expect([tried.length, new Set(tried.map(({ connection }) => connection)).size]).toEqual([4, 4]);
});
