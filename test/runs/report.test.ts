import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunWorld, startRuns } from '../support/runs.ts';

let world: RunWorld;
const now = Date.now();
beforeAll(async () => {
  world = await startRuns();
});
afterAll(() => world.close());

test('an event is written, and repeated when sent again', async () => {
  const events = [
    { kind: 'metric', ts_ms: now - 5000, step: 1, name: 'train/loss', value: 2.31, metadata: { split: 'train' } },
    { kind: 'metric', ts_ms: now - 4000, step: 2, name: 'train/loss', value: 0.1 + 0.2, metadata: { split: 'train' } },
    { kind: 'metric', ts_ms: now - 4000, step: 2, name: 'train/loss', value: NaN },
    { kind: 'annotation', ts_ms: now - 3000, step: 2, name: 'checkpoint' },
  ];
  const first = await world.report({ events, status: { at: now - 3000, state: { step: 3, a: [] } } });
  console.log(JSON.stringify(first));
  const again = await world.report({ events, status: { at: now - 3000, state: { step: 3, a: [] } } });
  console.log(JSON.stringify(again));
  console.log(JSON.stringify(await world.raw(), null, 1));
  expect(first.data.reportRun.written).toBe(4);
  expect(again.data.reportRun.repeated).toBe(4);
});
