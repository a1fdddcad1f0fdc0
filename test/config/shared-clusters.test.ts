import { expect, test } from 'vitest';
import { sharedClusterFaults } from '../../src/config/shared-clusters.ts';

const faultsOf = (one: object, other: object, islands = ['north', 'north']) =>
  sharedClusterFaults(
    {},
    [one, other].map((match, i) => ({ clusters: [{ name: `c${i}`, island: islands[i], match }] })),
  );

test.each([
  [{ cluster: { op: '=~', value: 'a|b' } }, { cluster: 'c' }],
  [{ cluster: { op: '=~', value: 'a' } }, { cluster: 'ab' }],
  [{ cluster: { op: '!=', value: 'a' } }, { cluster: 'a' }],
  [{ env: 'prod' }, { env: 'dev', cluster: 'a' }],
  // Whether these overlap only the store knows.
  [{ env: 'prod' }, { cluster: 'a' }],
])('%j and %j are no fault', (one, other) => {
  expect(faultsOf(one, other)).toEqual([]);
  expect(faultsOf(other, one)).toEqual([]);
});

test('whichever of the two comes first', () => {
  const [wide, narrow] = [{ cluster: { op: '=~', value: 'a|b' } }, { cluster: 'a', env: 'prod' }];
  expect([faultsOf(wide, narrow).length, faultsOf(narrow, wide).length]).toEqual([1, 1]);
  expect(faultsOf(wide, narrow, ['north', 'south'])).toEqual([]);
});

test.each([
  ['by a pattern', { cluster: { op: '=~', value: 'pool|own' } }, ['pool']],
  ['by what it is not', { cluster: { op: '!=', value: 'other' } }, [{ cluster: 'pool', model: 'H100' }]],
  ['by what it is told apart by', { site: 'lab', cluster: 'x' }, [{ cluster: 'pool', match: { site: 'lab' } }]],
])('the lent pool is nobody’s cluster: %s', (_how, match, sharedPool) => {
  const faults = (island: string) =>
    sharedClusterFaults({ islands: [{ name: 'north', sharedPool }] }, [{ clusters: [{ name: 'c', island, match }] }]);
  expect(faults('north')).toEqual([
    {
      path: ['organizations', 0, 'clusters', 0, 'match'],
      message: "means series of its island's sharedPool beside others; what is lent is readable in no other way",
    },
  ]);
  expect(faults('south')).toEqual([]);
});

test('a cluster that its organization lends is no fault', () => {
  const root = { islands: [{ name: 'north', sharedPool: ['a', { cluster: 'b', match: { site: 'lab' } }] }] };
  const clusters = [
    { name: 'a', island: 'north' },
    { name: 'b', island: 'north', match: { site: 'lab' } },
  ];
  expect(sharedClusterFaults(root, [{ clusters }])).toEqual([]);
});
