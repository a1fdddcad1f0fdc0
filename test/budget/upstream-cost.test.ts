import { isObjectType, parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { usualLimits } from '../../src/domain/limits.ts';
import { schema } from '../../src/schema/index.ts';
import { Gateway, Operation } from '../../src/schema/operation.ts';
import { ownPrices, upstreamWork } from '../../src/schema/upstream-work.ts';
import { sizeOf } from '../../src/server/document-size.ts';
import { checkSize } from '../../src/server/too-large.ts';
import { everyClusterField, everyFlagField, everyGpuField, everyHostField } from '../support/every-field.ts';
import { NOW } from '../support/fleet/clock.ts';

const config = readConfig(
  JSON.stringify({
    islands: [{ name: 'north', prometheus: { url: 'http://127.0.0.1:9' } }],
    organizations: [
      { name: 'acme', clusters: ['a', 'b', 'c'].map((name) => ({ name, island: 'north', vendor: 'nvidia' })) },
    ],
  }),
  {},
);
const [organization] = config.organizations;

/** What a document costs an organization whose cluster `a` is known to have so many nodes; nobody may be asked. */
function costOf(text: string, nodes?: number, variableValues: Record<string, unknown> = {}): number {
  const askFor = () => () => () => Promise.reject(new Error('Somebody asked.'));
  const gateway = new Gateway({ site: config.site, islands: config.islands, askFor, now: () => NOW });
  const operation = new Operation(gateway, { organization: organization!, isOperator: false });
  const size = { nodes: nodes ?? 0, gpus: (nodes ?? 0) * 8 };
  if (nodes !== undefined) gateway.sizes.learn('acme', organization!.clusters[0]!, size, { at: NOW, isNow: true });
  const measured = sizeOf({ schema, document: parse(text), variableValues }, upstreamWork.weights);
  checkSize(measured, usualLimits);
  return upstreamWork.costOf(operation, measured.places);
}
const over = (window: string, inner: string): string => `{ cluster(name: "a", window: { ${window} }) { ${inner} } }`;
const readings = `nodes(first: 1000) { nodes { name gpus { ${everyGpuField} } ${everyHostField} } }`;

describe('the default lets through', () => {
  test('every field of 64 nodes, every flag included, over seven days at 96 points', () => {
    expect(costOf(over('range: LAST_7D, points: 96', everyClusterField(64)), 64)).toBeLessThan(usualLimits.cost / 5);
  });
  test.each(['LAST_1H', 'LAST_6H', 'LAST_24H', 'LAST_7D'])('all readings of 1,000 nodes over %s', (range) => {
    expect(costOf(over(`range: ${range}, points: 96`, readings), 1000)).toBeLessThan(usualLimits.cost / 2);
  });
  test('flags of 1,000 nodes over a day, and once over seven', () => {
    expect(costOf(over('range: LAST_24H', everyFlagField), 1000)).toBeLessThan(usualLimits.cost / 5);
    expect(costOf(over('range: LAST_7D', everyFlagField), 1000)).toBeLessThan(usualLimits.cost);
  });
});

test('a subscription costs what one evaluation does', () => {
  const live = (text: string) => costOf(`subscription { ${text} }`, 1000);
  const shown = 'flag { kind summary gpu { tempC { values } } }';
  const report = over('range: LAST_6H', `flags { flags { kind summary gpu { tempC { values } } } }`);
  expect(live(`flagChanges(cluster: "a") { change ${shown} }`)).toBe(costOf(report, 1000));
  expect(live('flagChanges(cluster: "a", kinds: [HOST_PRESSURE]) { change key }')).toBe(
    costOf(over('range: LAST_6H', 'flags(kinds: [HOST_PRESSURE]) { clean }'), 1000),
  );
  const inner = 'gpus { tempC { values } powerW { mean } }';
  const minutes = `start: "2026-06-01T11:50:00Z", points: 10`;
  expect(live(`readings(cluster: "a", minutes: 10) { nodes { ${inner} } }`)).toBe(
    costOf(over(minutes, `nodes(first: 1000) { nodes { ${inner} } }`), 1000),
  );
  expect(live(`readings(cluster: "a", minutes: 10, nodes: ["n1", "n2"]) { nodes { ${inner} } }`)).toBe(
    costOf(over(minutes, `nodes(names: ["n1", "n2"]) { nodes { ${inner} } }`), 1000),
  );
});

/** Windows of seven days, a day apart. */
const apart = (count: number): string =>
  Array.from({ length: count }, (_, at) => {
    const day = (of: number) => `2026-05-${String(of + at).padStart(2, '0')}T00:00:00Z`;
    return `w${at}: cluster(name: "a", window: { start: "${day(2)}", end: "${day(9)}" }) { ${everyFlagField} }`;
  }).join(' ');

test('it refuses flags of twenty windows of seven days, of 1,000 nodes and of a cluster that is not known', () => {
  expect(costOf(`{ ${apart(20)} }`, 1000)).toBeGreaterThan(10 * usualLimits.cost);
  expect(costOf(`{ ${apart(20)} }`)).toBeGreaterThan(usualLimits.cost);
  expect(costOf(`{ ${apart(20)} }`, 8)).toBeLessThan(usualLimits.cost);
});

describe('what loaders share costs once', () => {
  const max = 'nodes(first: 1000) { nodes { gpus { tempC { max } } } }';
  const once = costOf(over('points: 48', max), 64);
  test.each([
    ['under two aliases', over('points: 48', `a: ${max} b: ${max}`)],
    [
      'under two root fields',
      `{ a: cluster(name: "a") { ${max} } b: cluster(name: "a", window: { range: LAST_6H }) { ${max} } }`,
    ],
    [
      'by a fragment',
      `{ cluster(name: "a") { ...f ...f x: nodes(first: 1000) { nodes { gpus { tempC { max } } } } } } fragment f on Cluster { ${max} }`,
    ],
    ['round in a circle', over('points: 48', `node(name: "n") { cluster { ${max} } } ${max}`)],
    ['as peakTempC', over('points: 48', max.replace('tempC { max }', 'peakTempC tempC { max }'))],
    [
      'under the same window in other words',
      `{ cluster(name: "a", window: { start: "2026-06-01T06:00:00Z" }) { ${max} } }`,
    ],
    ['with a part that is left out', over('points: 48', max.replace('max', 'max mean @include(if: false)'))],
  ])('%s', (_how, text) => {
    expect(once).toBeGreaterThan(64 * 8);
    expect(costOf(text, 64)).toBe(once);
  });

  test('another window, another reading, another part costs more', () => {
    for (const text of [
      `{ a: cluster(name: "a") { ${max} } b: cluster(name: "a", window: { range: LAST_1H }) { ${max} } }`,
      over('points: 48', `${max} p: ${max.replace('tempC', 'powerW')}`),
      over('points: 48', `${max} p: ${max.replace('max', 'last')}`),
    ]) {
      expect(costOf(text, 64)).toBeGreaterThan(1.4 * once);
    }
  });
});

describe('a document costs what it is asked of', () => {
  const perGpu = (selection: string) => costOf(over('range: LAST_24H', selection), 64);
  test('one node less than a page, a page less than all, and a page never more than there are', () => {
    const one = perGpu('node(name: "n1") { gpus { tempC { values } } }');
    const page = perGpu('nodes(first: 10) { nodes { gpus { tempC { values } } } }');
    const all = perGpu('nodes(first: 64) { nodes { gpus { tempC { values } } } }');
    expect(page - one).toBeCloseTo(9 * 8 * 2 * 48, 5);
    expect(all - one).toBeCloseTo(63 * 8 * 2 * 48, 5);
    expect(perGpu('nodes(first: 1000) { nodes { gpus { tempC { values } } } }')).toBe(all);
    expect(
      perGpu('nodes(first: 1000, names: ["n1", "n2", "n2"]) { nodes { gpus { tempC { values } } } }') - one,
    ).toBeCloseTo(8 * 2 * 48, 5);
    expect(perGpu('nodes(first: 0) { nodes { gpus { tempC { values } } } }')).toBeLessThan(one);
  });

  test('kinds narrow what flags cost, and minSeverity does not', () => {
    const [all, heat, pressure, none] = [
      '',
      '(kinds: [THERMAL_THROTTLE])',
      '(kinds: [HOST_PRESSURE])',
      '(kinds: [])',
    ].map((args) => perGpu(`flags${args} { clean }`));
    expect(heat! / all!).toBeCloseTo(5 / 26.75, 1);
    expect(pressure!).toBeLessThan(heat! / 5);
    expect(none!).toBeLessThan(pressure!);
    expect(perGpu('flags(minSeverity: HIGH) { clean }')).toBe(all);
    expect(perGpu('a: flags(kinds: [POWER_CAP]) { clean } b: flags(kinds: [THERMAL_THROTTLE]) { clean }')).toBe(
      perGpu('flags(kinds: [THERMAL_THROTTLE, POWER_CAP]) { clean }'),
    );
  });

  test('flags of every node cost what flags of the cluster do', () => {
    expect(perGpu('nodes(first: 64) { nodes { flags { clean } } }')).toBe(perGpu('flags { clean }'));
  });

  test('a workload is a few nodes, but never more than there are', () => {
    const workload = (nodes: number) =>
      costOf(over('range: LAST_24H', 'workload(kind: JOB, name: "t") { nodes { gpus { tempC { values } } } }'), nodes);
    const without = (nodes: number) =>
      costOf(over('range: LAST_24H', 'workload(kind: JOB, name: "t") { placement { pod } }'), nodes);
    expect(workload(64) - without(64)).toBeCloseTo(8 * 8 * 2 * 48, 5);
    expect(workload(2) - without(2)).toBeCloseTo(2 * 8 * 2 * 48, 5);
  });

  test('all clusters cost what each of them does', () => {
    const inner = 'nodes { nodes { gpus { tempC { values } } } }';
    const [a, b] = ['a', 'b'].map((name) => costOf(`{ cluster(name: "${name}") { ${inner} } }`, 8));
    // Two are not known, and taken for a hundred nodes each.
    expect(costOf(`{ clusters { ${inner} } }`, 8)).toBe(a! + 2 * b!);
    expect(costOf(`{ organization { clusters { ${inner} } } }`, 8)).toBe(a! + 2 * b!);
  });

  test('variables tell as literals do', () => {
    const text =
      'query ($c: String!, $w: WindowInput, $n: Int) { cluster(name: $c, window: $w) { nodes(first: $n) { nodes { gpus { tempC { values } } } } } }';
    expect(costOf(text, 64, { c: 'a', w: { range: 'LAST_24H' }, n: 7 })).toBe(
      perGpu('nodes(first: 7) { nodes { gpus { tempC { values } } } }'),
    );
  });

  test.each([
    ['a window that cannot be', over('points: 1000', everyFlagField)],
    ['a cluster that is not there', `{ cluster(name: "zeta") { ${everyFlagField} } }`],
    ['an island that has none of that name', `{ cluster(name: "a", island: "south") { ${everyFlagField} } }`],
    [
      'what is known without a store',
      '{ clusters { name gpuVendor island window { end } } organization { name limits { cost } } }',
    ],
  ])('%s costs nothing', (_what, text) => {
    expect(costOf(text, 64)).toBe(0);
  });
});

describe('a free query', () => {
  const instant = (query: string) =>
    costOf(`{ metricsQuery(query: ${JSON.stringify(query)}, instant: true) { note } }`, 8);
  // Of the three clusters two are not known.
  const gpus = 8 * 8 + 2 * 800;
  test.each([
    // Ten samples of five minutes, and one evaluation.
    ['temp', 11],
    ['a + b', 22],
    ['rate(a[1h])', 120 + 1],
    ['max_over_time(rate(a[5m])[1h:1m])', 130 + 60],
    ['max_over_time(rate(a[5m])[1h:])', 130 + 60],
    ['count by (__name__) ({__name__=~"DCGM.*"})', 50 * 11],
    ['{__name__="temp"}', 11],
    ['rate(a[', 0],
    ['max_over_time(a[1y:1s])', 0],
  ])('%s costs what its selectors reach', (query, cost) => {
    expect(instant(query)).toBe(cost * gpus);
  });

  test('costs as many instants as there are, and the samples between', () => {
    const over = 'window: { range: LAST_6H, points: 48 }';
    expect(costOf(`{ metricsQuery(query: "temp", ${over}) { note } }`, 8)).toBe((730 + 49) * gpus);
    const week = `{ metricsQuery(query: "max_over_time(rate(a[1h])[7d:30s])", ${over}) { note } }`;
    expect(costOf(week, 8)).toBe((21_000 + 49 * 20_160) * gpus);
    expect([costOf(week, 8), costOf(week, 1000)].map((cost) => cost > usualLimits.cost)).toEqual([false, true]);
  });
});

test('a field that reads something else can tell its own price', () => {
  const weights = { ...upstreamWork.weights, 'Query.organization': { isPlace: true } as const };
  ownPrices['Query.organization'] = (_args, { organization: { name } }) => (name === 'acme' ? 77 : 0);
  try {
    const gateway = new Gateway({
      site: config.site,
      islands: config.islands,
      askFor: () => () => () => Promise.reject(new Error('asked')),
    });
    const { places } = sizeOf({ schema, document: parse('{ organization { name } }') }, weights);
    expect(
      upstreamWork.costOf(new Operation(gateway, { organization: organization!, isOperator: false }), places),
    ).toBe(77);
  } finally {
    delete ownPrices['Query.organization'];
  }
});

/** Fields that no store is asked for: they tell of what was read for those above, or of nothing that a store has. */
const free = [
  /^(Clipped|ClockEvent|Coverage|EpisodeBounds|HealthEpisode|Limits|NodeConnection|NodeEdge|PageInfo|Placement|Reference)\./,
  /^(MetricsQueryResult|QuerySeries|Series|Window|WorkloadConnection|WorkloadEdge)\./,
  /^(RunAnnotation|RunConnection|RunEdge|RunFinding|RunMetric|RunPause|RunResume|RunStatus|Slowdown)\./,
  /^Run\.(name|cluster)$/,
  /^Query\.organization$/,
  /^Organization\.(name|limits)$/,
  /^Cluster\.(name|island|gpuVendor|window)$/,
  /^Node\.(name|cluster|gpuCount|gpus|gpu|host)$/,
  /^Gpu\.(index|uuid|model|sharing|node|throttle|errors)$/,
  /^Host\.(pressure|nic|northSouth)$/,
  /^Workload\.(cluster|kind|namespace|name)$/,
  /^(FlagChange|Readings)\./,
  /^FlagReport\.(window|checked|clean|hiddenFlags|unavailable|flags)$/,
  /^Flag\.(?!episode$|summary$)/,
  /^(RunReport|RunSkipped|RunRejected)\./,
  /^Evidence\.(?!referenceP95C$)/,
];

test('every field of the schema has a weight, or is known to need none', () => {
  const all = Object.values(schema.getTypeMap())
    .filter((type) => isObjectType(type) && !type.name.startsWith('__'))
    .flatMap((type) =>
      isObjectType(type) ? Object.keys(type.getFields()).map((field) => `${type.name}.${field}`) : [],
    );
  const weighed = new Set(Object.keys(upstreamWork.weights));
  expect(all.filter((field) => weighed.has(field) === free.some((pattern) => pattern.test(field)))).toEqual([]);
  expect([...weighed].filter((field) => !all.includes(field))).toEqual([]);
});
