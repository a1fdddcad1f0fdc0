import { readFileSync } from 'node:fs';
import { parse, stringify } from 'yaml';
import { expect, test } from 'vitest';
import { readingNames } from '../src/readings/catalogue.ts';
import { configForStore, listenOn, readConfig } from '../src/config.ts';

const whole = {
  islands: [
    { name: 'north', prometheus: { url: 'http://127.0.0.1:9090' }, sharedPool: ['pool-north'] },
    { name: 'south', prometheus: { url: 'http://127.0.0.1:9091' } },
  ],
  organizations: [
    {
      name: 'acme',
      tokens: ['${ACME_TOKEN}'],
      clusters: [
        { name: 'aurora', island: 'north', vendor: 'amd', model: 'MI355X' },
        { name: 'borealis', island: 'south', vendor: 'NVIDIA' },
      ],
    },
    { name: 'zeta', tokens: ['zeta-token'], clusters: [{ name: 'aurora', island: 'south', vendor: 'nvidia' }] },
  ],
};
const env = { ACME_TOKEN: 'acme-secret', EMPTY: ' ' };
const known = ['tempC', 'powerW'];

/** The whole configuration with one place of it changed; `undefined` takes the place away. */
function changed(path: string, value: unknown): string {
  const document: unknown = structuredClone(whole);
  const keys = path.split('.');
  const last = keys.pop()!;
  let place = document as Record<string, unknown>;
  for (const key of keys) place = (place[key] ??= {}) as Record<string, unknown>;
  if (value === undefined) delete place[last];
  else place[last] = value;
  return stringify(document);
}

function faultsOf(yaml: string, environment: Record<string, string> = env): string[] {
  try {
    readConfig(yaml, environment, known);
    return [];
  } catch (error) {
    const lines = (error as Error).message.replace(/^gpuql\.yaml is wrong:\n/, '').split('\n');
    return lines.map((line) => line.trim());
  }
}

const cluster = 'organizations.0.clusters.0';
const prometheus = 'islands.0.prometheus';
const tempC = 'readings.tempC.nvidia';

test.each<[string, string, unknown, RegExp]>([
  ['no island', 'islands', undefined, /^islands: is missing; give a list$/],
  ['an empty list of islands', 'islands', [], /^islands: must name at least one island$/],
  ['a misspelt section', 'lables', {}, /^the file: "lables" is no setting here; did you mean "labels"\?$/],
  ['a misspelt key', `${prometheus}.timeout`, 3, /^islands\[0\]\.prometheus: "timeout" .* "timeoutS"\?$/],
  ['a key in another spelling', `${prometheus}.ingest_lag_s`, 3, /did you mean "ingestLagS"\?$/],
  ['a key like no other', 'colour', 'red', /"colour" is no setting here; there is: listen, http, auth, islands,/],
  ['a URL of another kind', `${prometheus}.url`, 'ftp://x', /^islands\[0\]\.prometheus\.url: must be a URL like http/],
  ['credentials in a URL', `${prometheus}.url`, 'http://u:p@x', /must hold no credentials; put them into headers$/],
  ['a URL with a query', `${prometheus}.url`, 'http://x/?a=b', /no \? and no #$/],
  ['text for a number', `${prometheus}.timeoutS`, '20', /timeoutS: must be a number$/],
  ['a number out of range', `${prometheus}.timeoutS`, 0, /timeoutS: must be at least 1$/],
  ['a broken number', 'listen.port', 40.5, /^listen\.port: must be a whole number$/],
  ['a header of another language', `${prometheus}.headers`, { 'a b': 'x' }, /headers\["a b"\]: .* a header name$/],
  ['a header with a NUL', `${prometheus}.headers`, { Auth: 'a\0b' }, /headers\.Auth: must be one line of characters/],
  ['a header with a line break', `${prometheus}.headers`, { Auth: 'a\nb' }, /headers\.Auth: must be one line/],
  ['a header beyond Latin 1', `${prometheus}.headers`, { Auth: '東' }, /headers\.Auth: .* HTTP can carry$/],
  ...['Connection', 'transfer-encoding', 'Content-Length', 'HOST', 'accept-encoding'].map(
    (name): [string, string, unknown, RegExp] => [
      `the connection’s own header ${name}`,
      `${prometheus}.headers`,
      { [name]: '1' },
      /headers\.[\w-]+: is a key that the connection itself must set; leave it out$/,
    ],
  ),
  [
    'a cluster of two organizations',
    'organizations.1.clusters.0',
    { name: 'aurora', island: 'north', vendor: 'amd' },
    /^organizations\[1\]\.clusters\[0\]\.name: means the same series as a cluster of organizations\[0\]/,
  ],
  [
    'a cluster of two organizations under another name',
    'organizations.1.clusters.0',
    { name: 'zenith', island: 'north', vendor: 'amd', match: { cluster: { op: '=', value: 'aurora' } } },
    /^organizations\[1\]\.clusters\[0\]\.match: means the same series/,
  ],
  ...[
    { cluster: { op: '=~', value: 'zen.*|auro.a' } },
    { cluster: { op: '!=', value: 'zenith' } },
    { cluster: { op: '!~', value: 'zen.*' } },
    { cluster: 'aurora', rack: '7' },
  ].map((match): [string, string, unknown, RegExp] => [
    `a cluster of two organizations, as ${JSON.stringify(match)}`,
    'organizations.1.clusters.0',
    { name: 'zenith', island: 'north', vendor: 'amd', match },
    /^organizations\[1\]\.clusters\[0\]\.match: means the same series/,
  ]),
  ['readings that are all 0', `${tempC}.sources`, [{ metric: 'a', scale: 0 }], /sources\[0\]\.scale: must not be 0/],
  ['a cluster that nobody can ask for', `${cluster}.name`, 'a b', /clusters\[0\]\.name: must be letters, digits/],
  [
    'an island that nobody has',
    `${cluster}.island`,
    'nrth',
    /^organizations\[0\]\.clusters\[0\]\.island: no island is named "nrth"; did you mean "north"\?$/,
  ],
  ['two islands of one name', 'islands.2', whole.islands[0], /^islands\[2\]\.name: a second island is named "north"/],
  ['two organizations of one name', 'organizations.1.name', 'acme', /^organizations\[1\]\.name: a second organization/],
  [
    'a cluster twice',
    'organizations.0.clusters.1',
    { name: 'aurora', island: 'north', vendor: 'amd' },
    /clusters\[1\]\.name: the cluster aurora on north is named twice/,
  ],
  ['an organization without clusters', 'organizations.1.clusters', [], /clusters: must name at least one cluster$/],
  ['a maker that is none', `${cluster}.vendor`, 'intel', /vendor: must be one of NVIDIA, AMD$/],
  ['a maker left out', `${cluster}.vendor`, undefined, /vendor: is missing; give one of NVIDIA, AMD$/],
  [
    'an operator that is none',
    `${cluster}.match`,
    { env: { op: '~', value: 'x' } },
    /match\.env\.op: must be one of =, !=, =~, !~$/,
  ],
  [
    'a matcher that does not compile',
    `${cluster}.match`,
    { env: { op: '=~', value: '(' } },
    /match\.env\.value: must be a regular expression/,
  ],
  ['a matcher beyond RE2', `${cluster}.match`, { env: { op: '!~', value: '(?!x)y' } }, /no lookaround/],
  ['a label name that is none', `${cluster}.match`, { 'a-b': 'x' }, /match\.a-b: .* a label name/],
  [
    'a store shared by a cluster that takes all',
    `${cluster}.match`,
    {},
    /match: is empty, which means the whole store/,
  ],
  [
    'a pool that takes all',
    'islands.0.sharedPool.0',
    { cluster: 'x', match: {} },
    /sharedPool\[0\]\.match: must tell the pool apart/,
  ],
  ['a family that is none', `${cluster}.exported`, ['xdi'], /exported\[0\]: must be one of GPU_TEMP,/],
  [
    'a variable that is not set',
    'organizations.0.tokens.0',
    '${NOPE}',
    /^organizations\[0\]\.tokens\[0\]: the environment variable NOPE is not set/,
  ],
  ['a variable that is empty', 'organizations.0.tokens.0', '${EMPTY}', /the environment variable EMPTY is empty/],
  ['a variable with an impossible name', 'organizations.0.tokens.0', '${a-b}', /names no environment variable/],
  [
    'a variable in a header',
    `${prometheus}.headers`,
    { Authorization: 'Bearer ${NOPE}' },
    /headers\.Authorization: the environment variable NOPE/,
  ],
  ['a token with a blank', 'organizations.1.tokens.0', 'a b', /tokens\[0\]\.token: must be a bearer token/],
  [
    'a token that two have',
    'organizations.1.tokens.0',
    'acme-secret',
    /^organizations\[1\]\.tokens\[0\]: is used a second time/,
  ],
  [
    'an organization that nobody can be',
    'organizations.1.tokens',
    [],
    /^organizations\[1\]\.tokens: is empty, so nobody/,
  ],
  ['no labels', 'labels.node', [], /^labels\.node: must name at least 1$/],
  ['labels of an exporter that is none', 'labels.dgcm', { node: 'x' }, /did you mean "dcgm"\?$/],
  ['no interval', 'scrapeIntervalS', 0, /^scrapeIntervalS\.default: must be at least 1$/],
  ['a model that does not compile', 'models', { '(': 'x' }, /^models\["\("\]: .* a regular expression/],
  [
    'a reading that is none',
    'readings.tmpC',
    { nvidia: { plausible: [0, 1] } },
    /^readings\.tmpC: there is no reading "tmpC"; did you mean "tempC"\?$/,
  ],
  ['an override of nothing', tempC, {}, /^readings\.tempC\.nvidia: must give sources or plausible$/],
  ['a maker of readings that is none', 'readings.tempC.intel', {}, /readings\.tempC: "intel" is no setting here/],
  [
    'a metric name that is none',
    `${tempC}.sources`,
    [{ metric: 'a b' }],
    /sources\[0\]\.metric: must be a metric name/,
  ],
  ['a range upside down', `${tempC}.plausible`, [9, 1], /plausible: must be \[least, most\]/],
  ['half a range', `${tempC}.plausible`, [9], /plausible: must name at least 2$/],
  ['a check that is none', 'alerts', [{ match: 'x', check: 'heat' }], /^alerts\[0\]\.check: must be one of THERMAL,/],
  ['a share of time beyond all of it', 'flags', { minThrottledPct: 101 }, /^flags.minThrottledPct: must be .*100/],
  [
    'a misspelt rule',
    'flags',
    { minThrottlePct: 5 },
    /^flags: "minThrottlePct" is no setting here; did you mean "minThrottledPct"/,
  ],
  ['devices that do not compile', 'virtualDevices', '[', /^virtualDevices: must be a regular expression/],
])('%s is the one fault', (_case, path, value, message) => {
  expect(faultsOf(changed(path, value))).toEqual([expect.stringMatching(message)]);
});

test('every fault is named at once, of shape, of agreement and of the environment', () => {
  const document = parse(changed(`${cluster}.island`, 'nrth')) as Record<string, unknown>;
  const faults = faultsOf(stringify({ ...document, colour: 'red', scrapeIntervalS: 'often' }), {});
  expect(faults.map((fault) => fault.split(':')[0]).sort()).toEqual([
    'organizations[0].clusters[0].island',
    'organizations[0].tokens[0]',
    'scrapeIntervalS',
    'the file',
  ]);
});

test.each([
  ['text that is not YAML', 'islands: [', /^the file: line 1, column \d+ is not YAML/],
  ['a key given twice', 'labels: {}\nlabels: {}', /^the file: line 2, column 1 is not YAML \(duplicate key\)$/],
  ['a list', '- islands', /^the file: must be a section with keys$/],
  ['nothing', '', /^islands: is missing/],
  ['an anchor that holds itself', 'islands: &a [*a]', /^the file: has an anchor \(&name\) that holds itself/],
  ['an anchor that holds itself further down', 'labels: &a { dcgm: { node: [*a] } }', /^the file: has an anchor/],
  [
    'a document without a floor',
    `islands: ${'['.repeat(100)}${']'.repeat(100)}`,
    /^the file: is nested deeper than 64/,
  ],
])('%s says where it goes wrong', (_case, yaml, message) => {
  expect(faultsOf(yaml)[0]).toMatch(message);
});

test('of very many faults the first 20 are listed', () => {
  const document = { ...whole, alerts: Array.from({ length: 33 }, () => ({ match: 'x', check: 'heat' })) };
  const faults = faultsOf(stringify(document));
  expect(faults).toHaveLength(21);
  expect(faults[19]).toMatch(/^alerts\[19\]/);
  expect(faults[20]).toBe('and 13 more');
});

test.each([
  'tokens: [tok-secret',
  'islands: {"tok-secret"',
  'tokens: "tok-secret" x',
  '&a [*tok-secret]',
  'tokens: tok-secret: x',
])('the message about broken YAML never quotes it: %s', (yaml) => {
  expect(faultsOf(yaml).join('\n')).not.toContain('tok-secret');
});

test.each<[string, unknown]>([
  ['organizations.1.tokens', 'tok-secret'],
  ['organizations.1.tokens', ['tok-secret ']],
  ['organizations.0.tokens', ['tok-secret', 'tok-secret']],
  [`${prometheus}.headers`, { Authorization: ['tok-secret'] }],
  [`${prometheus}.url`, 'http://:tok-secret@x'],
])('no fault at %s repeats a secret', (path, value) => {
  const faults = faultsOf(changed(path, value));
  expect(faults).not.toEqual([]);
  expect(faults.join('\n')).not.toContain('tok-secret');
});

const open = (host: string, organizations = [{ ...whole.organizations[0], tokens: undefined }]): string =>
  stringify({ ...whole, listen: { host }, organizations });

test.each([
  ['127.0.0.1', []],
  ['localhost', []],
  ['::1', []],
  ['0.0.0.0', [expect.stringMatching(/^listen\.host: is reachable from other machines/)]],
  ['10.0.0.7', [expect.stringMatching(/^listen\.host: /)]],
])('without tokens the gateway may listen on %s: %j', (host, faults) => {
  expect(faultsOf(open(host))).toEqual(faults);
});

test('the command line cannot open what the configuration may not', () => {
  const config = readConfig(open('127.0.0.1'), env);
  expect(listenOn(config, { port: 0 }).listen).toEqual({ host: '127.0.0.1', port: 0 });
  expect(() => listenOn(config, { host: '0.0.0.0' })).toThrow('is reachable from other machines');
  const guarded = readConfig(stringify(whole), env);
  expect(listenOn(guarded, { host: '0.0.0.0' }).listen).toEqual({ host: '0.0.0.0', port: 4000 });
});

test('several organizations cannot do without tokens', () => {
  const organizations = whole.organizations.map((organization) => ({ ...organization, tokens: undefined }));
  expect(faultsOf(open('127.0.0.1', organizations))).toEqual([expect.stringMatching(/^organizations: have no tokens/)]);
});

test('what is left out has its default', () => {
  const { listen, stores, islands, organizations, site, discover } = readConfig(stringify(whole), env, known);
  expect(listen).toEqual({ host: '127.0.0.1', port: 4000 });
  expect(stores.get('north')).toEqual({ url: 'http://127.0.0.1:9090', headers: {}, timeoutS: 20, concurrency: 8 });
  expect(islands[0]).toEqual({
    name: 'north',
    ingestLagS: 0,
    exclusive: false,
    sharedPool: [{ matchers: [{ label: 'cluster', op: '=', value: 'pool-north' }], model: null }],
  });
  expect(organizations[0]).toMatchObject({ name: 'acme', tokens: [{ text: 'acme-secret', isOperator: false }] });
  expect(organizations[0]!.clusters[1]).toEqual({
    name: 'borealis',
    island: 'south',
    vendor: 'NVIDIA',
    model: null,
    matchers: [{ label: 'cluster', op: '=', value: 'borealis' }],
    exported: [],
  });
  expect(site.exporters.dcgm).toEqual({
    nodeLabels: ['Hostname', 'hostname', 'exported_hostname', 'node', 'kubernetes_node', 'instance'],
    scrapeIntervalS: 30,
  });
  expect(discover).toBe(false);
});

test.each<[string, string, unknown, (config: ReturnType<typeof readConfig>) => unknown, unknown]>([
  [
    'a cluster label',
    'labels.cluster',
    'k8s',
    ({ organizations }) => organizations[0]!.clusters[0]!.matchers,
    [{ label: 'k8s', op: '=', value: 'aurora' }],
  ],
  [
    'matchers in both forms',
    `${cluster}.match`,
    { env: 'prod', site: { op: '!=', value: '' } },
    ({ organizations }) => organizations[0]!.clusters[0]!.matchers,
    [
      { label: 'env', op: '=', value: 'prod' },
      { label: 'site', op: '!=', value: '' },
    ],
  ],
  [
    'families in any case',
    `${cluster}.exported`,
    ['xid', 'Ecc'],
    ({ organizations }) => organizations[0]!.clusters[0]!.exported,
    ['XID', 'ECC'],
  ],
  [
    'a pool of one model',
    'islands.0.sharedPool.0',
    { cluster: 'pool', model: 'H100' },
    ({ islands }) => islands[0]!.sharedPool,
    [{ matchers: [{ label: 'cluster', op: '=', value: 'pool' }], model: 'H100' }],
  ],
  ['an interval for all', 'scrapeIntervalS', 15, ({ site }) => site.exporters.alerts.scrapeIntervalS, 15],
  [
    'an interval for one',
    'scrapeIntervalS',
    { dcgm: 10 },
    ({ site }) => [site.exporters.dcgm, site.exporters.amd].map(({ scrapeIntervalS }) => scrapeIntervalS),
    [10, 30],
  ],
  [
    'node labels for all',
    'labels.node',
    'host',
    ({ site }) => [site.exporters.dcgm.nodeLabels, site.exporters.alerts.nodeLabels],
    [['host'], ['host']],
  ],
  [
    'node labels for all but kube-state-metrics',
    'labels.node',
    ['host'],
    ({ site }) => site.exporters.kubeStateMetrics.nodeLabels,
    ['exported_node', 'node'],
  ],
  [
    'node labels for one',
    'labels',
    { node: 'host', dcgm: { node: ['Hostname', 'x'] } },
    ({ site }) => site.exporters.dcgm.nodeLabels,
    ['Hostname', 'x'],
  ],
  [
    'a reading of another metric',
    `${tempC}`,
    { sources: [{ metric: 'board_temp', match: { chip: '0' }, scale: 0.001 }], plausible: [1, 130] },
    ({ site }) => site.readings['tempC'],
    {
      NVIDIA: {
        sources: [{ metric: 'board_temp', match: [{ label: 'chip', op: '=', value: '0' }], scale: 0.001, rank: 0 }],
        plausible: [1, 130],
      },
    },
  ],
  [
    'a store below a path',
    `${prometheus}.url`,
    'http://x/prom/',
    ({ stores }) => stores.get('north')!.url,
    'http://x/prom',
  ],
  [
    'a variable in a header',
    `${prometheus}.headers`,
    { Authorization: 'Bearer ${ACME_TOKEN}' },
    ({ stores }) => stores.get('north')!.headers,
    { Authorization: 'Bearer acme-secret' },
  ],
])('%s', (_case, path, value, read, expected) => {
  expect(read(readConfig(changed(path, value), env, known))).toEqual(expected);
});

test('models and alerts match the whole text, the first that does wins', () => {
  const yaml = stringify({
    ...whole,
    models: { 'NVIDIA H100.*': 'H100', '(?i)nvidia b200': 'B200' },
    alerts: [
      { match: 'GPUFan.*', check: 'none' },
      { match: 'GPU.*', check: 'thermal' },
    ],
  });
  const { site } = readConfig(yaml, env, known);
  const nameOf = (label: string) => site.models.find(({ pattern }) => pattern.test(label))?.name;
  expect(['NVIDIA H100 80GB HBM3', 'NVIDIA B200', 'NVIDIA B200 SXM', 'x NVIDIA H100'].map(nameOf)).toEqual([
    'H100',
    'B200',
    undefined,
    undefined,
  ]);
  const checkOf = (alert: string) => site.alerts.find(({ pattern }) => pattern.test(alert))?.check;
  expect(['GPUFanStopped', 'GPUHot', 'NodeDown'].map(checkOf)).toEqual([null, 'THERMAL', undefined]);
});

test.each([
  ['lo', true],
  ['veth12ab', true],
  ['cali0', true],
  ['br-1f', true],
  ['bonding_masters', true],
  ['eth0', false],
  ['bond0', false],
  ['ens1f0np0', false],
  ['ib0', false],
  ['long0', false],
])('%s is a virtual device by default: %s', (device, is) => {
  const { virtualDevices } = readConfig(stringify(whole), env).site;
  expect(new RegExp(`^(?:${virtualDevices})$`).test(device)).toBe(is);
});

test('a store alone makes one organization whose clusters are found', () => {
  const config = configForStore('http://127.0.0.1:9090/');
  expect(config.discover).toBe(true);
  expect(config.organizations).toEqual([{ name: 'default', clusters: [], tokens: [] }]);
  expect(config.islands).toEqual([{ name: 'default', ingestLagS: 0, exclusive: true, sharedPool: [] }]);
  expect(config.stores.get('default')?.url).toBe('http://127.0.0.1:9090');
  expect(() => configForStore('nowhere')).toThrow('--prometheus: must be a URL like');
});

test('every example in docs/configuration.md is right, and every section has one', () => {
  const page = readFileSync(new URL('../docs/configuration.md', import.meta.url), 'utf8');
  const examples = [...page.matchAll(/```yaml\n(.*?)```/gs)].map(([, yaml]) => parse(yaml!) as Record<string, unknown>);
  expect(examples.length).toBeGreaterThan(8);
  const seen = new Set(examples.flatMap(Object.keys));
  for (const example of examples) {
    const token = { ACME_TOKEN: 'a', ZETA_TOKEN: 'z', STORE_TOKEN: 's', OPERATOR_TOKEN: 'o' };
    expect(() => readConfig(stringify({ ...examples[0], ...example }), token, readingNames)).not.toThrow();
  }
  const sections = [
    'listen',
    'http',
    'auth',
    'islands',
    'organizations',
    'labels',
    'scrapeIntervalS',
    'models',
    'readings',
    'alerts',
    'flags',
    'virtualDevices',
  ];
  expect(sections.filter((section) => !seen.has(section))).toEqual([]);
});
