import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type Cost, costIn } from '../support/cost.ts';
import { startWorld, type World } from '../support/fleet/world.ts';
import { busySite, everyS, judgedAmd, judgedNode, judgedSite, largeSite } from '../support/judged-fleet.ts';
import { clusterOf, sizes } from '../support/still-fleet.ts';

const odd = { node: 3, index: 5 };
const fiveOdd = [odd, { node: 9, index: 5 }, { node: 17, index: 5 }, { node: 40, index: 5 }, { node: 64, index: 5 }];

let world: World;
beforeAll(async () => {
  const made = await startWorld([
    ...sizes.map((nodes) => judgedSite(clusterOf(nodes), nodes)),
    judgedSite('one-odd', 64, [odd]),
    judgedSite('five-odd', 64, fiveOdd),
    judgedSite(
      'five-apart',
      64,
      fiveOdd.map(({ node }, at) => ({ node, index: at })),
    ),
    busySite('busy', 8),
    judgedAmd('red-1', 1),
    judgedAmd('red-8', 8),
    largeSite('large', 136),
  ]);
  world = { ...made, gateway: (settings) => made.gateway({ scrapeIntervalS: everyS, ...settings }) };
});
afterAll(() => world?.close());

const ranges = { LAST_1H: 3600, LAST_6H: 6 * 3600, LAST_24H: 24 * 3600 } as const;
type Range = keyof typeof ranges;
const everyRange = Object.keys(ranges) as Range[];

const ask = (cluster: string, selection: string, range: Range = 'LAST_6H'): Promise<Cost> =>
  costIn(world, `{ cluster(name: "${cluster}", window: { range: ${range} }) { ${selection} } }`);
const report = 'checked clean note hiddenFlags flags { kind severity from to node { name } gpu { index } }';
const flags = (kinds?: readonly string[]): string => `flags${kinds ? `(kinds: [${kinds.join()}])` : ''} { ${report} }`;
const ofEveryNode = (selection: string): string => `nodes(first: 1000) { nodes { ${selection} } }`;
const asked = ({ asked: all }: Cost): string => all.map((text) => text.slice(0, 160)).join('\n');

/** The metrics that a document asked for, beside those that the list of nodes came from. */
const metricsOf = ({ asked: all }: Cost): string[] => {
  const named = all.slice(list).flatMap((text) => text.match(/\b(?:DCGM_FI|amd|node|kube)_\w+|\bALERTS\w*/g) ?? []);
  return [...new Set(named)].sort();
};

/** The nodes that exporters tell of, and those that Kubernetes does. */
const list = 2;
const [temp, mask] = ['DCGM_FI_DEV_GPU_TEMP', 'DCGM_FI_DEV_CLOCKS_EVENT_REASONS'];
const pressure = ['cpu', 'io', 'memory'].map((what) => `node_pressure_${what}_waiting_seconds_total`);

/** What each kind asks of a healthy cluster beside the list. */
const nvidia: readonly (readonly [kind: string, requests: number, metrics: readonly string[]])[] = [
  ['THERMAL_THROTTLE', 5, [mask, temp, 'DCGM_FI_DEV_THERMAL_VIOLATION']],
  ['POWER_CAP', 3, [mask, 'DCGM_FI_DEV_POWER_VIOLATION']],
  ['UTILIZATION_COLLAPSE', 3, ['DCGM_FI_PROF_PIPE_TENSOR_ACTIVE', 'kube_pod_info']],
  [
    'COMM_ERRORS',
    12,
    [
      'DCGM_FI_DEV_ECC_DBE_VOL_TOTAL',
      'DCGM_FI_DEV_NVLINK_CRC_DATA_ERROR_COUNT_TOTAL',
      'DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL',
      'DCGM_FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_TOTAL',
      'DCGM_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL',
      'DCGM_FI_DEV_PCIE_REPLAY_COUNTER',
      'DCGM_FI_DEV_XID_ERRORS',
    ],
  ],
  ['HOST_PRESSURE', 6, pressure],
  ['MEMORY_PRESSURE', 3, ['DCGM_FI_DEV_FB_TOTAL', 'DCGM_FI_DEV_FB_USED']],
];
const amd: typeof nvidia = [
  ['THERMAL_THROTTLE', 3, ['ALERTS', 'amd_gpu_junction_temperature']],
  ['POWER_CAP', 0, []],
  ['UTILIZATION_COLLAPSE', 3, ['amd_gpu_prof_tensor_active_percent', 'kube_pod_info']],
  ['COMM_ERRORS', 6, ['amd_gpu_ecc_uncorrect_total', 'amd_pcie_recovery_count', 'amd_pcie_replay_count']],
  ['HOST_PRESSURE', 6, pressure],
  ['MEMORY_PRESSURE', 3, ['amd_gpu_total_vram', 'amd_gpu_used_vram']],
];
const sumOf = (table: typeof nvidia): number => list + table.reduce((sum, [, requests]) => sum + requests, 0);
// Heat and power share the look at the masks.
const whole = sumOf(nvidia) - 1;

describe.each(everyRange)('a report of a healthy cluster over %s', (range) => {
  test.each(sizes)(`costs ${whole} requests for %i nodes`, async (nodes) => {
    const cost = await ask(clusterOf(nodes), flags(), range);
    expect(cost.data.cluster.flags).toMatchObject({ clean: true, flags: [] });
    expect([cost.requests, cost.lists], `asked:\n${asked(cost)}`).toEqual([whole, 1]);
  });

  test.each(sizes)('costs the same where each of %i nodes is asked for its own', async (nodes) => {
    const [one, each] = [
      await ask(clusterOf(nodes), flags(), range),
      await ask(clusterOf(nodes), ofEveryNode(flags()), range),
    ];
    expect(each.data.cluster.nodes.nodes.map((node: Cost['data']) => node.flags.clean)).toEqual(
      Array(nodes).fill(true),
    );
    expect([each.asked.toSorted(), each.samples], `asked:\n${asked(each)}`).toEqual([
      one.asked.toSorted(),
      one.samples,
    ]);
  });

  test.each(['red-1', 'red-8'])(`costs ${sumOf(amd)} requests of AMD GPUs: %s`, async (cluster) => {
    const cost = await ask(cluster, flags(), range);
    expect(cost.data.cluster.flags).toMatchObject({ clean: true, flags: [] });
    expect([cost.requests, cost.lists], `asked:\n${asked(cost)}`).toEqual([sumOf(amd), 1]);
  });
});

describe.each([
  ['NVIDIA', 'of-8', nvidia],
  ['AMD', 'red-8', amd],
] as const)('of %s GPUs', (_maker, cluster, table) => {
  test.each(table)('%s alone costs the list and %i requests, all for its own metrics', async (kind, requests, own) => {
    for (const range of everyRange) {
      const cost = await ask(cluster, flags([kind]), range);
      expect(cost.requests, `over ${range} asked:\n${asked(cost)}`).toBe(list + requests);
      expect(metricsOf(cost)).toEqual([...own].sort());
    }
  });
});

test.each([
  [['THERMAL_THROTTLE'], ['HOST_PRESSURE'], ['THERMAL_THROTTLE', 'HOST_PRESSURE']],
  [
    ['THERMAL_THROTTLE', 'COMM_ERRORS'],
    ['COMM_ERRORS', 'MEMORY_PRESSURE'],
    ['THERMAL_THROTTLE', 'COMM_ERRORS', 'MEMORY_PRESSURE'],
  ],
  [undefined, ['POWER_CAP'], undefined],
])('two aliases of kinds %j and %j cost what their union does', async (a, b, union) => {
  const [both, once] = [await ask('of-8', `a: ${flags(a)} b: ${flags(b)}`), await ask('of-8', flags(union))];
  expect([both.asked.toSorted(), both.samples], `asked:\n${asked(both)}`).toEqual([
    once.asked.toSorted(),
    once.samples,
  ]);
});

test('what tells of flags costs nothing where there are none', async () => {
  const telling = 'clean flags { key summary minutes episode { from to } evidence { referenceP95C peakTempC } }';
  const [plain, told] = [await ask('of-8', 'flags { clean }'), await ask('of-8', `flags { ${telling} }`)];
  expect([told.asked.toSorted(), told.samples], `asked:\n${asked(told)}`).toEqual([
    plain.asked.toSorted(),
    plain.samples,
  ]);
});

describe('a faulty GPU among 512', () => {
  const isRaw = (text: string): boolean => /^\w+\{[^}]*\}\[\d+ms\]$/.test(text);

  test.each([
    ['LAST_1H', 17],
    ['LAST_6H', 17],
    // When the pods ran is asked a day at a time, and the edges reach beyond it.
    ['LAST_24H', 18],
  ] as const)('over %s is read alone in the second look, in %i requests', async (range, requests) => {
    const [healthy, faulty] = [await ask(clusterOf(64), flags(), range), await ask('one-odd', flags(), range)];
    const kinds = faulty.data.cluster.flags.flags.map(({ kind, node, gpu }: Cost['data']) => [
      kind,
      node.name,
      gpu.index,
    ]);
    expect(kinds).toHaveLength(5);
    expect(kinds).toEqual(kinds.map(([kind]: string[]) => [kind, judgedNode(odd.node), odd.index]));
    expect(faulty.requests, `asked:\n${asked(faulty)}`).toBe(whole + requests);
    const raw = faulty.asked.filter(isRaw);
    expect(raw.length, `asked:\n${asked(faulty)}`).toBeGreaterThan(10);
    const its = new RegExp(`Hostname=~"${judgedNode(odd.node)}".*gpu=~"${odd.index}"`);
    expect(raw.filter((text) => !its.test(text))).toEqual([]);
    // What ran there is asked of all pods: when each was seen first and last, and what it asked for.
    const pods = 64 * 12;
    const samplesOfOne = ranges[range] / everyS;
    expect(faulty.samples - healthy.samples).toBeLessThan(16 * samplesOfOne + pods);
  });

  test.each(['LAST_1H', 'LAST_6H'] as const)(
    'over %s costs as many requests as five on different nodes do',
    async (range) => {
      const [one, five, apart] = await Promise.all(
        ['one-odd', 'five-odd', 'five-apart'].map((cluster) => ask(cluster, flags(), range)),
      );
      expect(new Set(five!.data.cluster.flags.flags.map(({ node }: Cost['data']) => node.name)).size).toBe(5);
      expect(five!.requests, `asked:\n${asked(five!)}`).toBe(one!.requests);
      expect(apart!.requests, `asked:\n${asked(apart!)}`).toBe(one!.requests);
      const ofAllPods = 64 * 12;
      expect(five!.samples).toBeLessThan(5 * one!.samples);
      expect(apart!.samples - five!.samples, 'devices are named, not nodes and indexes apart').toBeLessThan(ofAllPods);
    },
  );

  test('its readings that a document walks to cost the report and the readings, each once', async () => {
    const readings = ofEveryNode('gpus { tempC { values } }');
    const walk = `flags { clean flags { gpu { tempC { values } } } }`;
    const [plain, read, both, names] = [
      await ask('one-odd', 'flags { clean flags { gpu { index } } }'),
      await ask('one-odd', readings),
      await ask('one-odd', `${walk} ${readings}`),
      await ask('one-odd', 'nodes { totalCount }'),
    ];
    expect(both.requests, `asked:\n${asked(both)}`).toBe(plain.requests + read.requests - names.requests);
    expect(both.samples).toBe(plain.samples + read.samples - names.samples);
    const its = both.data.cluster.nodes.nodes[odd.node - 1].gpus[odd.index];
    expect(both.data.cluster.flags.flags[0].gpu).toEqual(its);
  });

  test('walked to beside another GPU, both are read in one request', async () => {
    const other = `node(name: "${judgedNode(1)}") { gpu(index: 0) { tempC { values } } }`;
    const plain = await ask('one-odd', 'flags { clean flags { gpu { index } } }', 'LAST_1H');
    const walked = await ask('one-odd', `flags { clean flags { gpu { tempC { values } } } } ${other}`, 'LAST_1H');
    expect(walked.requests - plain.requests, `asked:\n${asked(walked)}`).toBe(1);
    expect(walked.samples - plain.samples).toBe((2 * ranges.LAST_1H) / everyS);
  });

  test('walked to alone, they are read of it alone', async () => {
    const plain = await ask('one-odd', 'flags { clean flags { gpu { index } } }', 'LAST_1H');
    const walked = await ask('one-odd', 'flags { clean flags { gpu { tempC { values } } } }', 'LAST_1H');
    expect(walked.requests - plain.requests, `asked:\n${asked(walked)}`).toBe(1);
    expect(walked.samples - plain.samples).toBe(ranges.LAST_1H / everyS);
  });
});

describe.each(everyRange)('where the pods change every two hours, over %s', (range) => {
  test('a healthy cluster is clean, and not one sample of a GPU is read', async () => {
    const cost = await ask('busy', flags(), range);
    expect(cost.data.cluster.flags).toMatchObject({ clean: true, flags: [] });
    expect(cost.asked.filter((text) => /^DCGM\w+\{[^}]*\}\[\d+ms\]$/.test(text))).toEqual([]);
  });
});

describe('of one target', () => {
  test('a node of 64 costs the requests of the cluster, and a node’s samples', async () => {
    const cost = await ask(clusterOf(64), `node(name: "${judgedNode(7)}") { ${flags()} }`);
    const names = await ask(clusterOf(64), 'nodes { totalCount }');
    expect(cost.data.cluster.node.flags.clean).toBe(true);
    expect(cost.requests, `asked:\n${asked(cost)}`).toBe(whole);
    // Where pods are known is asked of the whole cluster: a row a node.
    expect(cost.samples - names.samples).toBeLessThanOrEqual(20 + 64);
  });

  test.each(sizes)('a workload on %i nodes costs the report and three requests for where it ran', async (nodes) => {
    const workload = (selection: string) => `workload(kind: JOB, name: "train") { ${selection} }`;
    const [placed, judged] = [
      await ask(clusterOf(nodes), workload('placement { node { name } }')),
      await ask(clusterOf(nodes), workload(flags())),
    ];
    expect(judged.data.cluster.workload.flags.clean).toBe(true);
    expect(placed.requests, `asked:\n${asked(placed)}`).toBe(list + 3);
    expect(judged.requests, `asked:\n${asked(judged)}`).toBe(whole + 3);
  });
});

describe('what a report moves of each healthy node over a day', () => {
  /** Growth of a document from 8 to 64 nodes, by node. */
  const growth = async (selection: string): Promise<{ samples: number; bytes: number }> => {
    const [few, many] = [await ask('of-8', selection, 'LAST_24H'), await ask('of-64', selection, 'LAST_24H')];
    return { samples: (many.samples - few.samples) / 56, bytes: (many.bytes - few.bytes) / 56 };
  };

  test('is a few samples', async () => {
    expect((await growth(flags())).samples).toBeLessThanOrEqual(20);
  });

  test('is less than 1.6 KB beside the list of nodes, so that 1,000 nodes are less than 2 MiB', async () => {
    const [all, names] = [await growth(flags()), await growth('nodes { totalCount }')];
    const large = await ask('large', 'nodes { totalCount }', 'LAST_24H');
    const own = all.bytes - names.bytes;
    const said = `${Math.round(own)} B a node without the list, ${Math.round(all.bytes)} B with it (${Math.round(large.bytes / 136)} B of the list in a large cluster)`;
    expect(own, `${said}`).toBeLessThan(1600);
    expect(own, `${said}`).toBeGreaterThan(0);
    expect(all.bytes, `${said}`).toBeLessThan(120_000);
    expect(large.bytes / 136, `${said}`).toBeLessThan(12_000);
  });
});
