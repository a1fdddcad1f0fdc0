import { afterAll, beforeAll, expect, test } from 'vitest';

import { fullAmd } from '../support/fleet/amd.ts';
import { scrapes } from '../support/fleet/clock.ts';
import { allocatableGpus, nodeInfo } from '../support/fleet/kube-state-metrics.ts';
import { askCluster } from '../support/fleet/questions.ts';
import { startWorld, type World } from '../support/fleet/world.ts';

const times = scrapes();
let world: World;
beforeAll(async () => {
  world = await startWorld([
    {
      name: 'red-as-green',
      vendor: 'nvidia',
      series: [
        ...fullAmd({ node: 'm1' }, times),
        nodeInfo('m1', '10.0.0.1', times),
        allocatableGpus('m1', times, 8, 'amd_com_gpu'),
      ],
    },
  ]);
});
afterAll(() => world?.close());

test('a cluster whose maker is configured wrongly does not look like dead hardware', async () => {
  const { note } = await askCluster(await world.gateway(), 'red-as-green', 'note');
  expect(note).toMatch(/no NVIDIA readings .* wrong maker/);
  expect(note).not.toMatch(/None of its GPUs/);
});
