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
])('a store that shows %s', async (_what, shown, clusters) => {
  expect(await finding(storeOf(shown))()).toEqual(clusters);
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
