import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

import { configForStore } from '../../src/config.ts';
import { failing, type FaultyFleet, startFaultyFleet, well } from '../support/faulty-fleet.ts';
import { plainCluster } from '../support/faulty-clusters.ts';
import { html, refuse, status } from '../support/faulty-store.ts';
import { serveGateway } from '../support/served-gateway.ts';

let fleet: FaultyFleet;
beforeAll(async () => {
  fleet = await startFaultyFleet([
    { name: 'aurora', series: plainCluster(61) },
    { name: 'crux', island: 'south', series: plainCluster(72) },
  ]);
});
afterAll(() => fleet?.close());

/** An address at which nobody listens. */
async function nobody(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

const readings = 'nodes { nodes { name gpus { tempC { max } } } }';
const over = (name: string) =>
  `${name}: cluster(name: "${name}", window: { range: LAST_1H }) { name island ${readings} }`;
const gpus = [{ tempC: { max: 72 } }, { tempC: { max: 72 } }];
const answered = { nodes: ['n1', 'n2'].map((name) => ({ name, gpus })) };
const unavailable = { code: 'METRICS_UNAVAILABLE', status: 503 };

test('of two islands one is down: what is known without it, and the other island, are answered', async () => {
  const gateway = await fleet.gateway({ northUrl: await nobody() });
  const answer = await gateway.query(`{ ${over('aurora')} ${over('crux')} organization { name } }`);
  expect(answer.data).toEqual({
    aurora: { name: 'aurora', island: 'north', nodes: null },
    crux: { name: 'crux', island: 'south', nodes: answered },
    organization: { name: 'acme' },
  });
  expect(answer.errors).toEqual([expect.objectContaining({ path: ['aurora', 'nodes'], extensions: unavailable })]);
  expect(answer.status).toBe(200);
  expect(answer.text).not.toMatch(/127\.0\.0\.1|ECONNREFUSED|:\d{4,5}/);
  expect(JSON.stringify(gateway.log.filter(({ level }) => level !== 'debug'))).not.toContain('127.0.0.1');
});

test('in a list of clusters each fails for itself', async () => {
  failing(fleet.north, /./, status(503));
  const answer = await (await fleet.gateway()).query(`{ clusters(window: { range: LAST_1H }) { name ${readings} } }`);
  expect(answer.data.clusters).toEqual([
    { name: 'aurora', nodes: null },
    { name: 'crux', nodes: answered },
  ]);
  expect(answer.errors!.map(({ path }) => path)).toEqual([['clusters', 0, 'nodes']]);
});

test('every field that an island owes is an error, and none of them a null alone', async () => {
  const gateway = await fleet.gateway({ northUrl: await nobody() });
  const fields =
    'a: nodes { totalCount } b: node(name: "n1") { name } coverage { present } reference { tempP95C } note';
  const { data, errors } = await gateway.query(`{ cluster(name: "aurora") { name ${fields} } }`);
  expect(data.cluster).toEqual({ name: 'aurora', a: null, b: null, coverage: null, reference: null, note: null });
  const places = errors!.map(({ path, extensions }) => `${path!.join('.')} ${extensions.status}`);
  expect(places.sort()).toEqual(['a', 'b', 'coverage', 'note', 'reference'].map((field) => `cluster.${field} 503`));
});

describe('the HTTP status', () => {
  test.each([
    [
      'one root field of two is refused',
      '{ a: cluster(name: "nowhere") { name } b: cluster(name: "crux") { name } }',
      200,
    ],
    [
      'every root field is refused',
      '{ a: cluster(name: "nowhere") { name } b: cluster(name: "neither") { name } }',
      404,
    ],
    ['a root field is there and all below it failed', `{ ${over('aurora')} }`, 200],
  ])('where %s', async (_when, document, expected) => {
    const answer = await (await fleet.gateway({ northUrl: await nobody() })).query(document);
    expect(answer.errors!.length).toBeGreaterThan(0);
    expect(answer.status).toBe(expected);
  });
});

describe('a gateway that finds its clusters in the store', () => {
  const start = async (url: string) => {
    const gateway = await serveGateway(configForStore(url));
    onTestFinished(() => gateway.close());
    return gateway;
  };

  test('is refused with 503 while the store is down, and answers when it is back', async () => {
    const gateway = await start(fleet.north.url);
    failing(fleet.north, /./, refuse);
    const down = await gateway.query('{ clusters { name } }');
    expect([down.status, down.errors!.map(({ extensions }) => extensions)]).toEqual([503, [unavailable]]);
    expect(down.text).not.toMatch(/127\.0\.0\.1|socket|ECONN/);
    well(fleet.north);
    const back = await gateway.query('{ clusters { name } }');
    expect([back.status, back.data]).toEqual([200, { clusters: [{ name: 'aurora' }, { name: 'crux' }] }]);
  });

  test('answers what needs no store while it is down, and has the error at the field that does', async () => {
    const gateway = await start(await nobody());
    const answer = await gateway.query('{ __typename organization { name } clusters { name } }');
    expect(answer.data).toEqual({ __typename: 'Query', organization: { name: 'default' }, clusters: null });
    expect(answer.errors!.map(({ path }) => path)).toEqual([['clusters']]);
    expect(answer.status).toBe(200);
  });
});

test.each([
  ['closes every connection', refuse],
  ['answers 503', status(503)],
  ['answers with a page of HTML', html],
])('while one store %s the process is alive and not ready, and ready again after', async (_what, fault) => {
  const gateway = await fleet.gateway();
  expect([await gateway.page('/healthz'), await gateway.page('/readyz')]).toEqual([200, 200]);
  failing(fleet.south, /./, fault);
  expect([await gateway.page('/healthz'), await gateway.page('/readyz')]).toEqual([200, 503]);
  well(fleet.south);
  expect([await gateway.page('/healthz'), await gateway.page('/readyz')]).toEqual([200, 200]);
});
