import { afterAll, beforeAll, expect, test } from 'vitest';

import { scrapes } from '../support/fleet/clock.ts';
import { dcgm } from '../support/fleet/dcgm.ts';
import { askCluster, lastHour } from '../support/fleet/questions.ts';
import { startWorld, type World } from '../support/fleet/world.ts';

const names = Array.from({ length: 60 }, (_, at) => `n${at + 1}`);

let world: World;
beforeAll(async () => {
  const times = scrapes();
  const series = names.flatMap((node) => dcgm({ node }, times, { DCGM_FI_DEV_GPU_TEMP: 60 }));
  world = await startWorld([{ name: 'pages', series }]);
});
afterAll(() => world?.close());

const page = async (args: string) => {
  const info = 'pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';
  const { nodes } = await askCluster(
    await world.gateway(),
    'pages',
    `nodes${args} { totalCount ${info} nodes { name } edges { cursor node { name } } }`,
  );
  const pageNames: string[] = nodes.nodes.map(({ name }: { name: string }) => name);
  return { ...nodes, names: pageNames };
};

test('a page is 50 nodes where nothing is said, and the total is that of all', async () => {
  const first = await page('');
  expect(first.names).toEqual(names.slice(0, 50));
  expect(first.totalCount).toBe(60);
  expect(first.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
});

test('edges and nodes are the same nodes, and the cursors at the ends are those of the edges', async () => {
  const { edges, names: pageNames, pageInfo } = await page('(first: 7)');
  expect(edges.map(({ node }: { node: { name: string } }) => node.name)).toEqual(pageNames);
  expect(pageInfo).toMatchObject({ startCursor: edges[0].cursor, endCursor: edges.at(-1).cursor });
});

test.each([4, 7, 25, 59, 60, 61])('pages of %i follow one another without a gap or a repeat', async (size) => {
  const seen: string[] = [];
  let after = '';
  for (let more = true; more;) {
    const got = await page(`(first: ${size}${after})`);
    expect(got.totalCount).toBe(60);
    expect(got.pageInfo.hasPreviousPage).toBe(seen.length > 0);
    seen.push(...got.names);
    more = got.pageInfo.hasNextPage;
    after = `, after: ${JSON.stringify(got.pageInfo.endCursor)}`;
  }
  expect(seen).toEqual(names);
});

test('a page of names turns like any other', async () => {
  const first = await page('(names: ["n30", "n4", "n7"], first: 2)');
  expect(first).toMatchObject({ names: ['n4', 'n7'], totalCount: 3, pageInfo: { hasNextPage: true } });
  const rest = await page(`(names: ["n30", "n4", "n7"], first: 2, after: "${first.pageInfo.endCursor}")`);
  expect(rest).toMatchObject({
    names: ['n30'],
    totalCount: 3,
    pageInfo: { hasNextPage: false, hasPreviousPage: true },
  });
});

test('an empty page has no cursors', async () => {
  const none = await page('(names: ["gone"])');
  expect(none).toMatchObject({
    names: [],
    totalCount: 0,
    pageInfo: { hasNextPage: false, startCursor: null, endCursor: null },
  });
});

const cursor = (key: string): string => Buffer.from(`after:${key}`).toString('base64url');
test.each([
  '(first: -1)',
  '(first: 2, after: "no cursor of ours")',
  `(after: "${cursor('n'.repeat(1000))}")`,
  `(names: ${JSON.stringify(Array.from({ length: 1001 }, () => 'n1'))})`,
])('%s is BAD_REQUEST', async (args) => {
  const document = `query ($window: WindowInput) {
    cluster(name: "pages", window: $window) { nodes${args} { nodes { name } } }
  }`;
  const { errors } = await (await world.gateway()).query(document, { window: lastHour });
  expect(errors?.[0]?.extensions?.code).toBe('BAD_REQUEST');
});

test('a list of GPUs to pick is no longer than a machine can have', async () => {
  const document = `query ($window: WindowInput, $indexes: [Int!]) {
    cluster(name: "pages", window: $window) { node(name: "n1") { gpus(indexes: $indexes) { index } } }
  }`;
  const indexes = Array.from({ length: 101 }, (_, index) => index);
  const gateway = await world.gateway();
  const { errors } = await gateway.query(document, { window: lastHour, indexes });
  expect(errors?.[0]).toMatchObject({
    message: expect.stringContaining('indexes has 101 items, and 100 are the most'),
    extensions: { code: 'BAD_REQUEST' },
  });
  const { data } = await gateway.query(document, { window: lastHour, indexes: indexes.slice(1) });
  expect(data.cluster.node.gpus).toEqual([]);
});
