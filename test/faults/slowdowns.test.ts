import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { failing, type FaultyFleet, startFaultyFleet } from '../support/faulty-fleet.ts';
import { isPartial, status, warnings } from '../support/faulty-store.ts';
import { runSeries } from '../support/run-samples.ts';
import { calm, hotNode, job, pods, training } from '../support/slow-runs.ts';

const evidence = ['flags', 'cleanNodes', 'unsureNodes', 'checked', 'families', 'summary', 'note'];
const document = `{ cluster(name: "aurora", window: { range: LAST_1H }) { name run(name: "train") { name
  slowdowns { minutes steps pauses { kind } flags { kind } cleanNodes { name } unsureNodes { name } checked families summary note } } } }`;

let fleet: FaultyFleet;
beforeAll(async () => {
  fleet = await startFaultyFleet([
    {
      name: 'aurora',
      series: [
        ...hotNode('n1'),
        ...calm('n2'),
        ...pods('train', ['n1', 'n2']),
        ...runSeries('train', training([[20, 35]]), job('train')),
      ],
    },
  ]);
});
afterAll(() => fleet?.close());

const ask = async () => (await fleet.gateway()).query(document);

test('while all is well, everything is answered', async () => {
  const { data, errors } = await ask();
  expect([data.cluster.run.slowdowns, errors]).toMatchObject([
    [{ minutes: 15, steps: 36, pauses: [], flags: [{ kind: 'THERMAL_THROTTLE' }], cleanNodes: [{ name: 'n2' }] }],
    undefined,
  ]);
});

const unanswered = { code: 'METRICS_UNAVAILABLE', status: 503 };

describe('where the store does not answer', () => {
  test.each([
    ['one reading of a check', /DCGM_FI_DEV_ECC_DBE/],
    ['the pods', /timestamp\(/],
    ['the list of nodes', /series \{cluster="aurora"/],
    ['what the run was reported for', /query gpuql_run_event/],
  ])('for %s, the numbers stay, and each field beside them is an error', async (_what, request) => {
    failing(fleet.north, request, status(500));
    const { data, errors } = await ask();
    const nothing = Object.fromEntries(evidence.map((field) => [field, null]));
    expect(data.cluster.run.slowdowns).toEqual([{ minutes: 15, steps: 36, pauses: [], ...nothing }]);
    expect(errors!.map(({ path }) => path!.at(-1)).sort()).toEqual([...evidence].sort());
    expect(errors!.map(({ extensions }) => extensions)).toEqual(evidence.map(() => unanswered));
  });

  test.each([
    ['the step times', /runtime\/step_seconds/],
    ['evaluations', /runtime\/eval_seconds/],
    ['checkpoints', /annotation="checkpoint"/],
    ['how the run ended', /gpuql_run_annotation\{cluster="aurora",run=~"train"\}/],
  ])('for %s, there is an error at the stretches', async (_what, request) => {
    failing(fleet.north, request, status(500));
    const { data, errors } = await ask();
    expect(data.cluster.run).toEqual({ name: 'train', slowdowns: null });
    expect(errors).toMatchObject([{ path: ['cluster', 'run', 'slowdowns'], extensions: unanswered }]);
  });
});

test.each([
  ['warnings', warnings(['a store is away'])],
  ['isPartial', isPartial],
])('where the store answers in part (%s), no node is called clean', async (_sign, fault) => {
  failing(fleet.north, /DCGM_FI_DEV_GPU_TEMP/, fault);
  const { data, errors } = await ask();
  const [found] = data.cluster.run.slowdowns;
  expect(errors).toBeUndefined();
  expect(found).toMatchObject({ cleanNodes: [], unsureNodes: [{ name: 'n2' }] });
  expect(found.summary).toMatch(/GPU 0 on n1 .*; the store left something out of its answers; overlap is not cause\.$/);
  expect(found.summary).not.toMatch(/clean/);
  expect(found.note).toMatch(/left something out/);
});
