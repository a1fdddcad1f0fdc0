import { expect, test, vi } from 'vitest';
import { foundClusters } from '../../src/commands/found-clusters.ts';
import { configForStore } from '../../src/config.ts';
import { Refusal } from '../../src/errors.ts';
import type { Ask } from '../../src/reads/ask.ts';

const { site } = configForStore('http://127.0.0.1:1');
const isNvidia = (match: readonly string[]): boolean => match.some((selector) => selector.includes('DCGM'));

interface Shown {
  nvidia?: readonly string[];
  amd?: readonly string[];
  /** Makers whose series have no cluster label. */
  unlabelled?: readonly ('nvidia' | 'amd')[];
}

/** A store that shows GPUs in these clusters. */
const storeOf = ({ nvidia = [], amd = [], unlabelled = [] }: Shown) =>
  vi.fn<Ask>(async (question) => {
    if (question.kind !== 'labelValues') throw new Error('only names are asked for');
    const maker = isNvidia(question.match) ? 'nvidia' : 'amd';
    const values = question.label === 'cluster' ? { nvidia, amd }[maker] : unlabelled.filter((name) => name === maker);
    const none = new Float64Array();
    return {
      rows: values.map((value) => ({ labels: { [question.label]: value }, times: none, values: none })),
      partial: false,
    };
  });

let clock = 1_000_000_000;
const log = vi.fn<(line: Record<string, unknown>) => void>();
const finding = (ask: Ask) => foundClusters({ ask, island: 'default', site, now: () => clock, log });

const named = (name: string, vendor: string, value = name) =>
  expect.objectContaining({ name, vendor, island: 'default', matchers: [{ label: 'cluster', op: '=', value }] });

test.each<[string, Shown, unknown[]]>([
  ['nothing', {}, []],
  ['clusters of both makers', { nvidia: ['b'], amd: ['a'] }, [named('a', 'AMD'), named('b', 'NVIDIA')]],
  [
    'GPUs without a cluster label',
    { unlabelled: ['amd'] },
    [expect.objectContaining({ name: 'default', vendor: 'AMD', matchers: [] })],
  ],
  [
    'some with and some without',
    { nvidia: ['b'], unlabelled: ['nvidia'] },
    [named('b', 'NVIDIA'), named('default', 'NVIDIA', '')],
  ],
  [
    'some without, beside a cluster named default',
    { nvidia: ['default', 'default-2'], unlabelled: ['nvidia'] },
    [named('default', 'NVIDIA'), named('default-2', 'NVIDIA'), named('default-3', 'NVIDIA', '')],
  ],
  [
    'some without, beside a cluster named default of the other maker',
    { nvidia: ['default'], unlabelled: ['amd'] },
    [named('default', 'NVIDIA'), named('default-2', 'AMD', '')],
  ],
])('a store that shows %s', async (_what, shown, clusters) => {
  log.mockClear();
  expect(await finding(storeOf(shown))()).toEqual(clusters);
  expect(log).not.toHaveBeenCalled();
});

test('a cluster whose name nobody can ask for is left out, and the log says so', async () => {
  log.mockClear();
  const long = 'x'.repeat(122);
  const ask = storeOf({ nvidia: ['arn:aws:eks/a', 'b'], amd: [long] });
  expect(await finding(ask)()).toEqual([named('b', 'NVIDIA')]);
  const left = expect.stringContaining('left out');
  expect(log.mock.calls).toEqual([
    [{ level: 'warn', event: left, cluster: 'arn:aws:eks/a' }],
    [{ level: 'warn', event: left, cluster: long }],
  ]);
});

test('a cluster that is left out is not part of the one without a label', async () => {
  const ask = storeOf({ nvidia: ['a b'], unlabelled: ['nvidia'] });
  expect(await finding(ask)()).toEqual([named('default', 'NVIDIA', '')]);
});

test('a cluster with GPUs of both makers is one cluster, and the log says so', async () => {
  expect(await finding(storeOf({ nvidia: ['a'], amd: ['a'] }))()).toEqual([named('a', 'NVIDIA')]);
  expect(log).toHaveBeenCalledWith(expect.objectContaining({ level: 'warn', cluster: 'a' }));
});

test('it looks again after half a minute, not before', async () => {
  const ask = storeOf({ nvidia: ['a'] });
  const find = finding(ask);
  await find();
  const once = ask.mock.calls.length;
  clock += 29;
  await find();
  expect(ask).toHaveBeenCalledTimes(once);
  clock += 1;
  await find();
  expect(ask).toHaveBeenCalledTimes(2 * once);
});

test('a store that does not answer is no empty fleet, and is asked again at once', async () => {
  const ask = storeOf({ nvidia: ['a'] });
  ask.mockRejectedValueOnce(new Refusal('METRICS_UNAVAILABLE', 'The store did not answer.'));
  const find = finding(ask);
  await expect(find()).rejects.toMatchObject({ code: 'METRICS_UNAVAILABLE' });
  expect(await find()).toEqual([named('a', 'NVIDIA')]);
});
