import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ago, HOUR, MINUTE, scrapes } from '../support/fleet/clock.ts';
import { jointly, type NodeSeries } from '../support/fleet/counting.ts';
import { stockList } from '../support/fleet/dcgm-lists.ts';
import { dcgm } from '../support/fleet/dcgm.ts';
import { type ToldFlag, wholeReport } from '../support/fleet/flag-questions.ts';
import { allocatableGpus, nodeInfo } from '../support/fleet/kube-state-metrics.ts';
import { askCluster, askNode, lastHour, span, type WindowInput } from '../support/fleet/questions.ts';
import { except, type Series, stepped } from '../support/fleet/series.ts';
import { amdGpu, at, climbing, host, lasting, nvidia, phase, scrapeAt } from '../support/fleet/situations.ts';
import { startWorld, type World } from '../support/fleet/world.ts';

const everyCheck = ['THERMAL', 'POWER', 'UTILIZATION', 'COMM', 'HOST', 'MEMORY'];
const temp = 'DCGM_FI_DEV_GPU_TEMP';
const power = 'DCGM_FI_DEV_POWER_VIOLATION';
const replay = 'DCGM_FI_DEV_PCIE_REPLAY_COUNTER';
const dbe = 'DCGM_FI_DEV_ECC_DBE_VOL_TOTAL';
const masks = 'DCGM_FI_DEV_CLOCKS_EVENT_REASONS';
const xid = 'DCGM_FI_DEV_XID_ERRORS';
const long = { from: ago(4 * HOUR) };
const times = scrapes({ phase, ...long });

/** A GPU and its host, both calm and complete, for four hours. */
const whole = (made: Parameters<typeof nvidia>[0] = {}): NodeSeries =>
  jointly(nvidia({ scraping: long, ...made }), host({}, long));
const calm = whole();
const silent = { own: { [xid]: { to: ago(5 * HOUR) } } };

/** From an hour and a half ago nothing of these for an hour, while all else goes on. */
const hole = [[ago(90 * MINUTE), ago(30 * MINUTE)]] as const;
const without = (metrics: string[], readings: Record<string, null> = {}): NodeSeries =>
  whole({ readings, own: Object.fromEntries(metrics.map((metric) => [metric, { ...long, holes: hole }])) });
const links = [replay, 'DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL', 'DCGM_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL'];

const holes: [what: string, series: NodeSeries, named: RegExp][] = [
  ['tensor activity', without(['DCGM_FI_PROF_PIPE_TENSOR_ACTIVE']), /tensor/i],
  [
    'the throttle timers, where nothing else tells of throttling',
    without(['DCGM_FI_DEV_THERMAL_VIOLATION', power], { [masks]: null }),
    /throttle/i,
  ],
  ['memory in use', without(['DCGM_FI_DEV_FB_USED']), /HBM|memory/i],
  ['uncorrectable errors', without([dbe]), /ECC/],
  ['every link counter', without(links), /link/i],
  ['temperature', without([temp]), /temp|\bGPUs?\b[^.;\n]*\b0\b/i],
  ['the host’s pressure', jointly(nvidia({ scraping: long }), host({}, { ...long, holes: hole })), /pressure/i],
  ['everything, for six minutes', whole({ scraping: { ...long, holes: [[at(20), at(26)]] } }), /GPUs?\b[^.;\n]*\b0\b/i],
];
const twoHours = span(ago(2 * HOUR), ago(0));
const holeNode = (nth: number): string => `hole-${nth + 1}`;

const busy: Series[] = [
  ...whole({
    readings: {
      [temp]: except(62, 86, lasting(20, 6)),
      [dbe]: stepped(0, [scrapeAt(30), 1]),
      [replay]: stepped(4, [scrapeAt(50), 5]),
    },
  })('b1'),
  ...whole({ readings: { [replay]: stepped(4, [scrapeAt(20), 5]) } })('b2'),
  ...calm('b3'),
];
const clipped: Series[] = [
  ...jointly(
    whole({ readings: { [temp]: except(62, 86, lasting(-20, 30)) } }),
    nvidia({ scraping: long, readings: { [power]: stepped(0, [scrapeAt(59.5), 1e9]) }, gpu: { index: 5 } }),
  )('c1'),
  ...calm('c2'),
];
/** The same node seen through windows that slide over what happened. */
const lastingHeat: Series[] = [
  ...jointly(
    whole({
      readings: { [temp]: except(62, 86, lasting(10, 20), lasting(45, 6)), [replay]: stepped(4, [scrapeAt(15), 5]) },
    }),
    nvidia({ scraping: long, readings: { [temp]: except(62, 86, lasting(10, 20)) }, gpu: { index: 1 } }),
  )('k1'),
];

const noXid = (node: string): Series[] => whole(silent)(node);

let world: World;
beforeAll(async () => {
  world = await startWorld([
    { name: 'healthy', series: [...calm('n1'), ...calm('n2')] },
    {
      name: 'red',
      vendor: 'amd',
      series: ['m1', 'm2'].flatMap((node) => jointly(amdGpu({ scraping: long }), host({}, long))(node)),
    },
    {
      name: 'stock',
      series: [...dcgm({ node: 'n1', pod: 'train-0' }, times, stockList('n1')), ...host({}, long)('n1')],
    },
    { name: 'dead-node', series: [...calm('n1'), nodeInfo('n2', '10.5.0.2', times)] },
    {
      name: 'dead-gpus',
      series: [
        ...calm('n1'),
        ...nvidia({ gpu: { index: 1 } })('n1'),
        nodeInfo('n1', '10.5.0.1', times),
        allocatableGpus('n1', times, 3),
      ],
    },
    {
      name: 'gone-gpu',
      series: [
        ...calm('n1'),
        ...nvidia({ scraping: { from: ago(9 * HOUR), to: ago(3 * HOUR) }, gpu: { index: 7 } })('n1'),
      ],
    },
    { name: 'holes', series: holes.flatMap(([, build], nth) => build(holeNode(nth))) },
    { name: 'busy', series: busy },
    { name: 'clipped', series: clipped },
    { name: 'keys', series: lastingHeat },
    { name: 'no-xid', series: noXid('n1') },
    { name: 'promised-xid', series: noXid('n1'), exported: ['xid'] },
    {
      name: 'capped',
      series: [
        ...whole({ readings: { [power]: climbing(0, 1e9, [ago(4 * HOUR), ago(0)]) } })('p1'),
        ...whole({ readings: { [power]: climbing(0, 15e9, lasting(20, 9.5)) } })('p2'),
      ],
    },
    { name: 'no-pods', series: whole({ gpu: { pod: undefined } })('n1') },
  ]);
});
afterAll(() => world?.close());

const ofCluster = async (cluster: string, window: WindowInput = lastHour, filter = '') =>
  (await askCluster(await world.gateway(), cluster, `flags${filter} { ${wholeReport} }`, window)).flags;
const ofNode = async (cluster: string, node: string, window: WindowInput = lastHour, filter = '') =>
  (await askNode(await world.gateway(), cluster, node, `flags${filter} { ${wholeReport} }`, window)).flags;

describe('a healthy NVIDIA fleet', () => {
  test.each(['the cluster', 'n1', 'n2'])('%s is clean', async (target) => {
    const report = target === 'the cluster' ? await ofCluster('healthy') : await ofNode('healthy', target);
    expect(report).toMatchObject({ checked: everyCheck, unavailable: [], clean: true, hiddenFlags: 0, flags: [] });
    // Nothing was silent, so there is no more to say than which counter these GPUs do not have.
    expect(report.note).toMatch(
      /^Checked THERMAL, [A-Z, ]* of \d nodes? with \d GPUs?: no flag fired\. Not there: linkRecovery, though others of the family are\.$/,
    );
  });

  test('is clean over a window of the past too', async () => {
    expect(await ofCluster('healthy', span(ago(3 * HOUR), ago(2 * HOUR)))).toMatchObject({ clean: true, flags: [] });
  });

  test('its report repeats the window and the coverage', async () => {
    const lists = 'coverage { present missing }';
    const selection = `window { start end stepS points } ${lists} flags { ${wholeReport} } node(name: "n1") { ${lists} flags { ${wholeReport} } }`;
    const cluster = await askCluster(await world.gateway(), 'healthy', selection);
    expect(cluster.flags.window).toEqual(cluster.window);
    expect(cluster.flags.coverage).toEqual(cluster.coverage);
    expect(cluster.node.flags.window).toEqual(cluster.window);
    expect(cluster.node.flags.coverage).toEqual(cluster.node.coverage);
    expect(cluster.coverage.present).toContain('GPU_TEMP');
  });
});

describe('a healthy AMD fleet', () => {
  test.each(['the cluster', 'm1'])('%s is clean, and says what its maker lacks', async (target) => {
    const report = target === 'the cluster' ? await ofCluster('red') : await ofNode('red', target);
    expect(report).toMatchObject({
      checked: ['THERMAL', 'UTILIZATION', 'COMM', 'HOST', 'MEMORY'],
      unavailable: ['THROTTLE_VIOLATIONS', 'CLOCK_EVENTS', 'XID'],
      clean: true,
      flags: [],
    });
    for (const family of [/throttle/i, /clock event/i, /XID/i, /fabric|XGMI/i]) expect(report.note).toMatch(family);
  });
});

test('the exporter’s own list is not enough to be clean: the note says what it leaves out and what turns it on', async () => {
  for (const report of [await ofCluster('stock'), await ofNode('stock', 'n1')]) {
    expect(report).toMatchObject({ checked: everyCheck, unavailable: [], clean: false, flags: [] });
    expect(report.note).toMatch(/throttle/i);
    expect(report.note).toMatch(/ECC/);
    expect(report.note).toMatch(/list/i);
  }
});

describe('silence is never clean, and is named', () => {
  test.each([
    ['a node that Kubernetes knows and nobody hears', 'dead-node', /\bn2\b/],
    ['a GPU that Kubernetes gives out and nobody hears', 'dead-gpus', /\bn1\b/],
    ['a GPU that fell silent three hours ago', 'gone-gpu', /\bn1\b/],
  ])('%s', async (_what, cluster, named) => {
    const report = await ofCluster(cluster);
    expect(report).toMatchObject({ clean: false, flags: [], hiddenFlags: 0 });
    expect(report.note).toMatch(named);
  });

  test('the report of a node names its silent GPU', async () => {
    const report = await ofNode('gone-gpu', 'n1');
    expect(report).toMatchObject({ clean: false, flags: [] });
    expect(report.note).toMatch(/\bGPUs?\b[^.;\n]*\b7\b/i);
  });

  test('beside a dead node a healthy one is clean', async () => {
    expect(await ofNode('dead-node', 'n1')).toMatchObject({ clean: true, flags: [] });
    expect(await ofNode('dead-node', 'n2')).toMatchObject({ clean: false, flags: [] });
  });

  test.each(holes.map(([what, , named], nth) => [what, holeNode(nth), named] as const))(
    'a hole in %s',
    async (_what, node, named) => {
      const report = await ofNode('holes', node, twoHours);
      expect(report.flags).toEqual([]);
      expect(report.clean).toBe(false);
      expect(report.note).toMatch(named);
    },
  );

  test('holes of single nodes keep their cluster from being clean', async () => {
    expect(await ofCluster('holes', twoHours)).toMatchObject({ clean: false, flags: [] });
  });

  test('a window that begins before the first sample is not clean, however calm the rest', async () => {
    const report = await ofCluster('healthy', { range: 'LAST_6H' });
    expect(report).toMatchObject({ clean: false, flags: [] });
    for (const node of ['n1', 'n2']) expect(report.note).toMatch(new RegExp(String.raw`\b${node}\b`));
  });
});

describe('faults that nobody has seen yet', () => {
  test('are no clean bill without a word that they would be seen', async () => {
    const report = await ofCluster('no-xid');
    expect(report).toMatchObject({ checked: everyCheck, clean: false, flags: [] });
    expect(report.note).toMatch(/XID/i);
  });

  test('are one where the configuration gives its word', async () => {
    expect(await ofCluster('promised-xid')).toMatchObject({ checked: everyCheck, clean: true, flags: [] });
  });
});

test('where no pods are known the note says that idleness could not be judged, and the rest can be clean', async () => {
  const report = await ofNode('no-pods', 'n1');
  expect(report).toMatchObject({ clean: true, flags: [] });
  expect(report.note).toMatch(/pod/i);
});

const kindsOf = (report: { flags: ToldFlag[] }): string[] =>
  report.flags.map(({ kind, severity }) => `${kind} ${severity}`);

describe('minSeverity only hides', () => {
  test('what is hidden is counted, and is not clean', async () => {
    const all = await ofNode('busy', 'b1');
    expect(kindsOf(all)).toEqual(['COMM_ERRORS HIGH', 'THERMAL_THROTTLE WARN', 'COMM_ERRORS WARN']);
    expect(all).toMatchObject({ clean: false, hiddenFlags: 0 });
    const high = await ofNode('busy', 'b1', lastHour, '(minSeverity: HIGH)');
    expect(kindsOf(high)).toEqual(['COMM_ERRORS HIGH']);
    expect(high).toMatchObject({ clean: false, hiddenFlags: 2, checked: all.checked });
  });

  test('a report whose every flag is hidden is not clean', async () => {
    expect(await ofNode('busy', 'b2', lastHour, '(minSeverity: HIGH)')).toMatchObject({
      clean: false,
      hiddenFlags: 1,
      flags: [],
    });
  });

  test('over a cluster alike; null is the default', async () => {
    expect(await ofCluster('busy', lastHour, '(minSeverity: HIGH)')).toMatchObject({ hiddenFlags: 3, clean: false });
    const all = await ofCluster('busy', lastHour, '(minSeverity: null, kinds: null)');
    expect(all.flags).toHaveLength(4);
    expect(all).toMatchObject({ hiddenFlags: 0, checked: everyCheck });
  });
});

describe('kinds narrows what is checked', () => {
  test.each([
    ['[THERMAL_THROTTLE]', ['THERMAL'], ['THERMAL_THROTTLE WARN']],
    ['[COMM_ERRORS]', ['COMM'], ['COMM_ERRORS HIGH', 'COMM_ERRORS WARN']],
    [
      '[COMM_ERRORS, THERMAL_THROTTLE]',
      ['THERMAL', 'COMM'],
      ['COMM_ERRORS HIGH', 'THERMAL_THROTTLE WARN', 'COMM_ERRORS WARN'],
    ],
  ])('%s', async (kinds, checked, flags) => {
    const report = await ofNode('busy', 'b1', lastHour, `(kinds: ${kinds})`);
    expect(kindsOf(report)).toEqual(flags);
    expect(report).toMatchObject({ checked, clean: false, hiddenFlags: 0 });
  });

  test('what is not checked keeps nothing from being clean', async () => {
    const filter = '(kinds: [MEMORY_PRESSURE, HOST_PRESSURE])';
    const checked = ['HOST', 'MEMORY'];
    for (const report of [await ofNode('busy', 'b1', lastHour, filter), await ofCluster('stock', lastHour, filter)]) {
      expect(report).toMatchObject({ checked, clean: true, flags: [], hiddenFlags: 0 });
    }
    expect(await ofNode('holes', holeNode(0), twoHours, filter)).toMatchObject({ checked, clean: true });
  });

  test('a power cap is not checked on AMD, even when it is asked for', async () => {
    expect(await ofCluster('red', lastHour, '(kinds: [POWER_CAP, MEMORY_PRESSURE])')).toMatchObject({
      checked: ['MEMORY'],
      clean: true,
      flags: [],
    });
  });

  test('fewer checks take fewer requests', async () => {
    const cost = async (filter: string): Promise<number> => {
      const gateway = await world.gateway();
      await askNode(gateway, 'busy', 'b1', `flags${filter} { clean flags { kind } }`);
      return gateway.requests().length;
    };
    expect(await cost('(kinds: [MEMORY_PRESSURE])')).toBeLessThan(await cost(''));
  });
});

describe('a site where every loaded GPU throttles a little', () => {
  const told = async (settings: object, node: string) =>
    (await askNode(await world.gateway(settings), 'capped', node, `flags { ${wholeReport} }`)).flags;

  test('reads of every increase by default', async () => {
    expect(kindsOf(await told({}, 'p1'))).toEqual(['POWER_CAP WARN']);
    expect(kindsOf(await told({}, 'p2'))).toEqual(['POWER_CAP WARN']);
  });

  test('may pass over it, and the note says so', async () => {
    const settings = { flags: { minThrottledPct: 10 } };
    const little = await told(settings, 'p1');
    expect(little.flags).toEqual([]);
    expect(little.note).toMatch(/throttl/i);
    expect(little.note).toMatch(/\b10 ?%/);
    expect(kindsOf(await told(settings, 'p2'))).toEqual(['POWER_CAP WARN']);
  });
});

describe('the note speaks of what is clipped', () => {
  test('at either end, and of nothing where nothing is', async () => {
    const report = await ofNode('clipped', 'c1');
    const ends = (report.flags as ToldFlag[]).map(({ kind, gpu, clipped }) => [kind, gpu?.index, clipped]);
    expect(ends).toEqual([
      ['THERMAL_THROTTLE', 0, { start: true, end: false }],
      ['POWER_CAP', 5, { start: false, end: true }],
    ]);
    expect(report.note).toMatch(/clipped/i);
    expect(report.note).toMatch(/start/i);
    expect(report.note).toMatch(/end/i);
    expect((await ofNode('clipped', 'c2')).note).not.toMatch(/clipped/i);
    expect((await ofNode('busy', 'b1')).note).not.toMatch(/clipped/i);
  });

  test('in a cluster too', async () => {
    const { note } = await ofCluster('clipped');
    expect(note).toMatch(/clipped/i);
  });
});

describe('a flag’s key', () => {
  const keys = async (window: WindowInput): Promise<Record<string, string>> => {
    const { flags } = await ofNode('keys', 'k1', window);
    return Object.fromEntries(
      (flags as ToldFlag[]).map(({ kind, gpu, to, key }) => [`${kind} GPU ${gpu?.index} ${to}`, key]),
    );
  };
  const named = async (window: WindowInput, kind: string, gpu: number): Promise<string[]> => {
    const { flags } = await ofNode('keys', 'k1', window);
    return (flags as ToldFlag[]).filter((flag) => flag.kind === kind && flag.gpu?.index === gpu).map(({ key }) => key);
  };

  test('is its own: of every GPU, kind and stretch', async () => {
    const all = Object.values(await keys(lastHour));
    expect(all).toHaveLength(4);
    expect(new Set(all).size).toBe(4);
  });

  test('is the same under a later window that overlaps', async () => {
    const first = await keys(span(at(0), at(35)));
    expect(Object.keys(first)).toHaveLength(3);
    expect(await keys(span(at(5), at(40)))).toEqual(first);
    expect(await keys(lastHour)).toMatchObject(first);
  });

  test('is the same when the condition has gone on since', async () => {
    const [early] = await named(span(at(0), at(20)), 'THERMAL_THROTTLE', 1);
    expect(early).toMatch(/./);
    expect(await named(lastHour, 'THERMAL_THROTTLE', 1)).toEqual([early]);
  });

  test('is the same when the window begins in the middle of the condition', async () => {
    const [early] = await named(span(at(0), at(40)), 'THERMAL_THROTTLE', 1);
    expect(early).toMatch(/./);
    expect(await named(span(at(18), at(58)), 'THERMAL_THROTTLE', 1)).toEqual([early]);
  });

  test('is the same from the node and from the cluster', async () => {
    const cluster: ToldFlag[] = (await ofCluster('keys')).flags;
    const node: ToldFlag[] = (await ofNode('keys', 'k1')).flags;
    expect(node).toHaveLength(4);
    expect(cluster).toEqual(node);
  });
});
