import { expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { naturally, NodeNames } from '../../src/identity/node-names.ts';

const { site } = readConfig(
  JSON.stringify({
    islands: [{ name: 'north', prometheus: { url: 'http://127.0.0.1:9090' } }],
    organizations: [{ name: 'acme', clusters: [{ name: 'a', island: 'north', vendor: 'nvidia' }] }],
  }),
  {},
);
const gpu = (metric: string, labels: Record<string, string>) => ({ __name__: metric, ...labels });
const spelled = (names: NodeNames, metric: string) =>
  Object.fromEntries([...names.spellings('dcgm', ['n1'], metric)].map(([label, raws]) => [label, [...raws]]));

test.each([
  ['a name', 'n1', 'n1'],
  ['a name with a port', 'n1:9400', 'n1'],
  ['an address that Kubernetes knows', '10.0.0.1:9400', 'n1'],
  ['an address that nobody knows', '10.0.0.9:9400', '10.0.0.9'],
  ['an IPv6 address', '[fd00::1]:9400', 'n2'],
  ['a longer name of a node that Kubernetes knows', 'n1.example.org', 'n1'],
])('%s is read as its node', (_what, Hostname, node) => {
  const kube = [
    { node: 'n1', internal_ip: '10.0.0.1' },
    { node: 'n2', internal_ip: 'fd00::1' },
  ];
  const series = gpu('DCGM_FI_DEV_GPU_TEMP', { Hostname, gpu: '0' });
  expect(new NodeNames(site, kube, [['dcgm', [series]]]).nodeOf(series, 'dcgm')).toBe(node);
});

test('a node is asked for as the metric spells it', () => {
  const names = new NodeNames(
    site,
    [],
    [
      [
        'dcgm',
        [
          gpu('DCGM_FI_DEV_GPU_TEMP', { Hostname: 'n1', gpu: '0' }),
          gpu('DCGM_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL', { hostname: 'n1', gpu: '0' }),
        ],
      ],
    ],
  );
  expect(spelled(names, 'DCGM_FI_DEV_GPU_TEMP')).toEqual({ Hostname: ['n1'] });
  expect(spelled(names, 'DCGM_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL')).toEqual({ hostname: ['n1'] });
});

test('of a metric that was not listed either case of the host label is asked for', () => {
  const names = new NodeNames(site, [], [['dcgm', [gpu('DCGM_FI_DEV_GPU_TEMP', { Hostname: 'n1', gpu: '0' })]]]);
  expect(spelled(names, 'DCGM_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL')).toEqual({ Hostname: ['n1'], hostname: ['n1'] });
});

test('names are in the order people count, and no two are alike', () => {
  const names = ['n10', 'n2', 'n01', 'n1'];
  expect(names.toSorted(naturally)).toEqual(['n01', 'n1', 'n2', 'n10']);
  expect(naturally('n01', 'n1')).not.toBe(0);
});
