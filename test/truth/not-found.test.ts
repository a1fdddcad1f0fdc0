import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { scrapes } from '../support/fleet/clock.ts';
import { dcgm } from '../support/fleet/dcgm.ts';
import { startWorld, type World } from '../support/fleet/world.ts';

const onNodes = (...nodes: string[]) =>
  nodes.flatMap((node) => dcgm({ node, index: 2 }, scrapes(), { DCGM_FI_DEV_GPU_TEMP: 60 }));

let world: World;
beforeAll(async () => {
  world = await startWorld([
    { name: 'many', series: onNodes('n1', 'n2', 'n10') },
    { name: 'dotted', series: onNodes('a.b', 'a-b') },
    // The same names in a cluster of nobody that asks.
    { name: 'theirs', owner: 'others', series: onNodes('n1', 'n99', 'a.b') },
  ]);
});
afterAll(() => world?.close());

describe('what does not exist is NOT_FOUND', () => {
  test.each([
    ['a node', 'many', 'node(name: "n99") { name }', ['cluster', 'node']],
    ['a node that another cluster has', 'many', 'node(name: "a.b") { name }', ['cluster', 'node']],
    ['a node by a pattern', 'dotted', 'node(name: "a..") { name }', ['cluster', 'node']],
    ['a GPU', 'many', 'node(name: "n1") { gpu(index: 0) { index } }', ['cluster', 'node', 'gpu']],
    ['a cluster', 'nowhere', 'gpuModel', ['cluster']],
    ['a cluster of others, in the same words', 'theirs', 'gpuModel', ['cluster']],
  ])('%s', async (_what, cluster, selection, path) => {
    const { errors, data } = await (
      await world.gateway()
    ).query(`{ cluster(name: "${cluster}", window: { range: LAST_1H }) { ${selection} } }`);
    expect(errors).toMatchObject([{ path, extensions: { code: 'NOT_FOUND', status: 404 } }]);
    const at = path.reduce((value: Record<string, unknown> | null | undefined, key) => value?.[key] as never, data);
    expect(at ?? null).toBeNull();
  });

  test('a cluster that is not ours and one that is not are refused in the same words', async () => {
    const gateway = await world.gateway();
    const words = async (name: string): Promise<string> => {
      const { errors } = await gateway.query(`{ cluster(name: "${name}") { gpuModel } }`);
      return errors![0]!.message.replaceAll(name, 'NAME');
    };
    expect(await words('theirs')).toBe(await words('nowhere'));
  });
});

test.each(['', '-n1', '.n1', 'n 1', 'n1/', 'n1"}', 'n'.repeat(122)])('a node named %j is BAD_REQUEST', async (name) => {
  const gateway = await world.gateway();
  const document =
    'query ($name: String!) { cluster(name: "many", window: { range: LAST_1H }) { node(name: $name) { name } } }';
  const { errors } = await gateway.query(document, { name });
  expect(errors).toMatchObject([{ path: ['cluster', 'node'], extensions: { code: 'BAD_REQUEST', status: 422 } }]);
});
