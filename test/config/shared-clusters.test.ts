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
