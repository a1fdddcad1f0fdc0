import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { countOf, askedIn, failing, type FaultyFleet, startFaultyFleet, well } from '../support/faulty-fleet.ts';
import { calmCluster, flaggedCluster, recordedAmd } from '../support/faulty-clusters.ts';
import { cutAfter, type Fault, hang, isPartial, status, warnings } from '../support/faulty-store.ts';
import type { Served } from '../support/served-gateway.ts';

const kindOf = {
  THERMAL: 'THERMAL_THROTTLE',
  POWER: 'POWER_CAP',
  UTILIZATION: 'UTILIZATION_COLLAPSE',
  COMM: 'COMM_ERRORS',
  HOST: 'HOST_PRESSURE',
  MEMORY: 'MEMORY_PRESSURE',
} as const;
type Check = keyof typeof kindOf;
const everyCheck = Object.keys(kindOf) as Check[];

/** What goes wrong, how it is recognised, and the checks that rest on it. */
type Part = [what: string, request: RegExp, checks: Check[]];

/** What is asked of every cluster. */
const firstLook: Part[] = [
  ['whether temperatures came', /query count by .*last_over_time\(DCGM_FI_DEV_GPU_TEMP/, ['THERMAL']],
  ['whether the thermal timer came', /query count by .*THERMAL_VIOLATION/, ['THERMAL']],
  ['which GPUs were hot', /query max by .*DCGM_FI_DEV_GPU_TEMP.* >= 83/, ['THERMAL']],
  ['which thermal timers rose', /query .*count_values.*THERMAL_VIOLATION/, ['THERMAL']],
  ['which masks told of heat or power', /query max by .*CLOCKS_EVENT_REASONS.* >= 4/, ['THERMAL', 'POWER']],
  ['whether the power timer came', /query count by .*POWER_VIOLATION/, ['POWER']],
  ['which power timers rose', /query .*count_values.*POWER_VIOLATION/, ['POWER']],
  ['whether activity came', /query count by .*TENSOR_ACTIVE/, ['UTILIZATION']],
  ['whose activity fell', /query min by .*TENSOR_ACTIVE/, ['UTILIZATION']],
  ['where pods are known', /query .*group by \(exported_node\)/, ['UTILIZATION']],
  ['whether memory errors came', /query count by .*ECC_DBE/, ['COMM']],
  ['whether link errors came', /query count by .*NVLINK_REPLAY/, ['COMM']],
  ['which memory errors rose', /query .*count_values.*ECC_DBE/, ['COMM']],
  ['which link errors rose', /query .*count_values.*NVLINK_REPLAY/, ['COMM']],
  ['which faults landed', /query max by .*XID/, ['COMM']],
  ['whether pressure came', /query group by .*node_pressure_io/, ['HOST']],
  ['which hosts waited', /query max by .*node_pressure_io/, ['HOST']],
  ['whether memory in use came', /query count by .*FB_USED/, ['MEMORY']],
  ['whether totals came', /query count by .*FB_TOTAL/, ['MEMORY']],
  ['which memory ran full', /query sum by .*FB_USED.*FB_TOTAL/, ['MEMORY']],
];
/** What is asked of those that the first look names. */
const secondLook: Part[] = [
  ['the temperatures of the hot', /query DCGM_FI_DEV_GPU_TEMP\{.*\[4199999ms\]/, ['THERMAL']],
  ['when a thermal timer rose', /query DCGM_FI_DEV_THERMAL_VIOLATION\{/, ['THERMAL']],
  ['when a power timer rose', /query DCGM_FI_DEV_POWER_VIOLATION\{/, ['POWER']],
  ['the masks', /query DCGM_FI_DEV_CLOCKS_EVENT_REASONS\{/, ['THERMAL', 'POWER']],
  ['the heartbeats', /query DCGM_FI_DEV_GPU_TEMP\{.*\[3900001ms\]/, ['THERMAL', 'POWER', 'COMM']],
  ['the activity of the fallen', /query DCGM_FI_PROF_PIPE_TENSOR_ACTIVE\{/, ['UTILIZATION']],
  ['the pods that were there', /query max by \(namespace/, ['UTILIZATION']],
  ['what made the pods', /series kube_pod_owner/, ['UTILIZATION']],
  ['when the pods ran', /query .*label_replace\(min by \(namespace/, ['UTILIZATION']],
  ['when a link error landed', /query DCGM_FI_DEV_PCIE_REPLAY_COUNTER\{/, ['COMM']],
  ['when a fault landed', /query DCGM_FI_DEV_XID_ERRORS\{/, ['COMM']],
  ['which GPU of a node fell silent', /query \(count_over_time.*ECC_DBE/, ['COMM']],
  ['when it was silent', /query DCGM_FI_DEV_ECC_DBE_VOL_TOTAL\{/, ['COMM']],
  ['how long a host waited', /query node_pressure_io_waiting_seconds_total\{/, ['HOST']],
  ['the memory in use of the full', /query DCGM_FI_DEV_FB_USED\{/, ['MEMORY']],
  ['the totals of the full', /query DCGM_FI_DEV_FB_TOTAL\{/, ['MEMORY']],
];
const parts = [...firstLook, ...secondLook];

let fleet: FaultyFleet;
beforeAll(async () => {
  fleet = await startFaultyFleet([
    { name: 'aurora', series: flaggedCluster() },
    { name: 'borealis', series: calmCluster() },
    { name: 'red', vendor: 'amd', series: recordedAmd() },
    { name: 'crux', island: 'south', series: calmCluster() },
  ]);
});
afterAll(() => fleet?.close());

const over = (cluster: string, selection: string): string =>
  `${cluster}: cluster(name: "${cluster}", window: { range: LAST_1H }) { name ${selection} }`;
const flags = (checks: readonly Check[], selection = plain): string =>
  `flags(kinds: [${checks.map((check) => kindOf[check]).join()}]) { ${selection} }`;
const fired = 'checked hiddenFlags flags { kind severity from to node { name } gpu { index } }';
const plain = `clean note ${fired}`;
const others = (checks: readonly Check[]): Check[] => everyCheck.filter((check) => !checks.includes(check));
const ask = async (document: string, timeoutS = 20): Promise<Served> =>
  (await fleet.gateway({ timeoutS })).query(document);
const placesIn = ({ errors = [] }: Served): string[] => errors.map(({ path }) => path!.join('.')).sort();
const unavailable = { code: 'METRICS_UNAVAILABLE', status: 503 };

const siblings = 'nodes { nodes { name gpus { index tempC { max } } } }';
/** Everything that one part can fail, and what it must not. */
const documentFor = (checks: readonly Check[]): string => `{
  ${over(
    'aurora',
    `${siblings} whole: flags { ${fired} } kept: ${flags(others(checks), fired)}
     ${checks.map((check) => `${check}: ${flags([check], fired)}`).join(' ')}
     each: nodes { nodes { name ${flags([checks[0]!], fired)} kept: ${flags(others(checks), fired)} } }`,
  )}
  ${over('crux', `${siblings} flags { ${plain} }`)}
}`;
const lostIn = (checks: readonly Check[]): string[] =>
  ['whole', ...checks, 'each.nodes.0.flags', 'each.nodes.1.flags'].map((place) => `aurora.${place}`).sort();

test('while all is well every kind of flag is told, and the calm clusters are clean', async () => {
  const { data, errors } = await ask(
    `{ ${over('aurora', `flags { ${plain} }`)} ${['borealis', 'crux'].map((name) => over(name, `flags { ${plain} }`)).join(' ')} }`,
  );
  expect(errors).toBeUndefined();
  const kinds = data.aurora.flags.flags.map(({ kind }: Served['data']) => kind);
  expect(new Set(kinds)).toEqual(new Set(Object.values(kindOf)));
  expect([data.borealis.flags, data.crux.flags]).toMatchObject([
    { clean: true, flags: [] },
    { clean: true, flags: [] },
  ]);
});

/** What each document answers while all is well. */
const wholes = new Map<string, Served>();

/** One part of each look for each check: each takes the store's whole time. */
const some = everyCheck.flatMap((check) =>
  [firstLook, secondLook].map((look) => look.find(([, , checks]) => checks[0] === check)!),
);

describe.each<[string, Fault, Part[]]>([
  ['answers 500', status(500), parts],
  ['breaks off in mid-answer', cutAfter(40), parts],
  ['never answers', hang, some],
])('where the store %s', (_how, fault, failed) => {
  test.each(failed)('for %s, just the reports that rest on it are null', async (_what, request, checks) => {
    const document = documentFor(checks);
    const whole = wholes.get(document) ?? (await ask(document));
    wholes.set(document, whole);
    expect(whole.errors).toBeUndefined();
    failing(fleet.north, request, fault);
    const gateway = await fleet.gateway({ timeoutS: fault === hang ? 3 : 20 });
    const answer = await gateway.query(document);
    expect(placesIn(answer)).toEqual(lostIn(checks));
    expect(new Set(answer.errors!.map(({ extensions }) => JSON.stringify(extensions)))).toEqual(
      new Set([JSON.stringify(unavailable)]),
    );
    const { aurora, crux } = whole.data;
    expect(answer.data).toEqual({
      aurora: {
        ...aurora,
        whole: null,
        ...Object.fromEntries(checks.map((check) => [check, null])),
        each: { nodes: aurora.each.nodes.map((node: object) => ({ ...node, flags: null })) },
      },
      crux,
    });
    expect([answer.status, answer.text]).toEqual([200, expect.not.stringMatching(/DCGM|kube_|node_pressure|127\.0/)]);
    well(fleet.north);
    expect(await gateway.query(document).then(({ data, errors }) => ({ data, errors }))).toEqual({ data: whole.data });
  });
});

test.each([
  ['the list of nodes and GPUs', /series \{cluster="aurora",__name__=~"[^"]*GPU_TEMP/],
  ['the looking for names', /label\/__name__\/values \{cluster="aurora"/],
])('where %s fails, no report of the cluster is given, and those of others are', async (_what, request) => {
  failing(fleet.north, request, status(500));
  const report = `flags { ${plain} } a: ${flags(['HOST'])}`;
  const answer = await ask(`{ ${over('aurora', report)} ${over('borealis', report)} }`);
  expect(answer.data.aurora).toEqual({ name: 'aurora', flags: null, a: null });
  expect(placesIn(answer)).toEqual(['aurora.a', 'aurora.flags']);
  expect(answer.errors![0]!.extensions).toEqual(unavailable);
  expect(answer.data.borealis).toMatchObject({ flags: { clean: true }, a: { clean: true } });
});

test.each<[string, RegExp, Check[]]>([
  ['kube-state-metrics, no more than utilization is', /query .*kube_pod|series kube_pod/, ['UTILIZATION']],
  ['the alerting history of NVIDIA GPUs, nothing is', /query .*ALERTS/, []],
])('for want of %s lost', async (_what, request, lost) => {
  failing(fleet.north, request, status(500));
  const each = everyCheck.map((check) => `${check}: ${flags([check])}`).join(' ');
  const answer = await ask(`{ ${over('aurora', `${each} nodes { nodes { healthEpisodes { kind } } }`)} }`);
  const places = placesIn(answer).filter((place) => !place.endsWith('healthEpisodes'));
  expect(places).toEqual(lost.map((check) => `aurora.${check}`));
  for (const check of others(lost)) expect(answer.data.aurora[check].flags.length, `${check}`).toBeGreaterThan(0);
  const calm = await ask(`{ ${over('borealis', flags(others(lost)))} }`);
  expect(calm.data.borealis.flags).toMatchObject({ clean: true, checked: others(lost) });
  expect(countOf(fleet.north, request), 'asked').toBeGreaterThan(0);
});

// What a report says is about what it checked, whatever else a document asks: here memory errors fell silent on n2.
test('a report of some kinds says the same alone as beside a report of all', async () => {
  const selection = flags(['MEMORY'], 'checked clean note');
  const alone = await ask(`{ ${over('aurora', `node(name: "n2") { ${selection} }`)} }`);
  expect(alone.data.aurora.node.flags).toMatchObject({ checked: ['MEMORY'], clean: true });
  const beside = await ask(`{ ${over('aurora', `node(name: "n2") { ${selection} whole: flags { clean } }`)} }`);
  expect(beside.data.aurora.node.flags).toEqual(alone.data.aurora.node.flags);
});

describe.each([
  ['warnings', warnings(['receive series from Addr: 10.99.88.77:10901'])],
  ['isPartial', isPartial],
])('a store that answers a part with %s', (_sign, fault) => {
  const isSaid = /left something out/;

  test.each<[string, RegExp]>([
    ...firstLook.map(([what, request]): [string, RegExp] => [what, request]),
    ['the list of nodes and GPUs', /series \{cluster="borealis",__name__=~"[^"]*GPU_TEMP/],
    ['the nodes of Kubernetes', /query last_over_time\(\{cluster="borealis",__name__=~"kube_node_info/],
    ['the looking for names', /label\/__name__\/values \{cluster="borealis"/],
  ])('%s: the report of a calm cluster is given, says so, is not clean, and is not kept', async (_what, request) => {
    const gateway = await fleet.gateway();
    failing(fleet.north, request, fault);
    const document = `{ ${over('borealis', `flags { ${plain} }`)} ${over('crux', `flags { ${plain} }`)} }`;
    const answer = await gateway.query(document);
    expect([answer.errors, answer.status, answer.extensions?.warnings]).toEqual([undefined, 200, ['borealis']]);
    expect(answer.data.borealis.flags).toMatchObject({ clean: false, flags: [], note: expect.stringMatching(isSaid) });
    expect(answer.data.crux.flags).toMatchObject({ clean: true, note: expect.not.stringMatching(isSaid) });
    expect(answer.text).not.toMatch(/10\.99/);
    const before = countOf(fleet.north, request);
    well(fleet.north);
    const after = await gateway.query(document);
    expect(countOf(fleet.north, request) - before, 'asked again').toBeGreaterThan(0);
    expect([after.errors, after.extensions?.warnings]).toEqual([undefined, undefined]);
    expect(after.data.borealis.flags).toMatchObject({ clean: true, note: expect.not.stringMatching(isSaid) });
  });

  test.each(secondLook)('%s: the flags are told, and that some may be missing', async (_what, request) => {
    const gateway = await fleet.gateway();
    const document = `{ ${over('aurora', `flags { ${plain} }`)} }`;
    failing(fleet.north, request, fault);
    const answer = await gateway.query(document);
    expect([answer.errors, answer.extensions?.warnings]).toEqual([undefined, ['aurora']]);
    expect(answer.data.aurora.flags).toMatchObject({ clean: false, note: expect.stringMatching(isSaid) });
    well(fleet.north);
    const after = await gateway.query(document);
    expect(after.extensions?.warnings).toBeUndefined();
    expect(after.data.aurora.flags.note).not.toMatch(isSaid);
    expect(answer.data.aurora.flags.flags).toEqual(after.data.aurora.flags.flags);
  });
});

describe('where what is told of flags fails', () => {
  const told = (selection: string) => `{ ${over('aurora', `flags { clean flags { kind ${selection} } }`)} }`;
  const count = async (): Promise<number> => (await ask(told(''))).data.aurora.flags.flags.length;
  /** The hour before the window, and what a hold needs beside both. */
  const before = /query DCGM_FI_DEV_GPU_TEMP\{.*\[7799999ms\]/;

  test('the episodes of an NVIDIA cluster are errors at their places, and the flags stay', async () => {
    const flagsInAll = await count();
    failing(fleet.north, /query .*ALERTS/, status(500));
    const answer = await ask(told('episode { from }'));
    expect(placesIn(answer)).toEqual(Array.from({ length: flagsInAll }, (_, at) => `aurora.flags.flags.${at}.episode`));
    expect(answer.errors![0]!.extensions).toEqual(unavailable);
    expect(answer.data.aurora.flags.flags).toHaveLength(flagsInAll);
    expect(answer.data.aurora.flags.flags[0]).toMatchObject({ kind: expect.any(String), episode: null });
  });

  test('the reference is an error where a flag has a temperature to compare, and the flags stay', async () => {
    const whole = await ask(told('evidence { peakTempC referenceP95C }'));
    const compared = whole.data.aurora.flags.flags.flatMap(({ evidence }: Served['data'], at: number) =>
      evidence.peakTempC === null ? [] : [`aurora.flags.flags.${at}.evidence.referenceP95C`],
    );
    expect(compared.length).toBeGreaterThan(0);
    failing(fleet.north, /count_values.*"reading"/, status(500));
    const answer = await ask(told('evidence { peakTempC referenceP95C }'));
    expect(placesIn(answer)).toEqual(compared);
    expect(answer.errors![0]!.extensions).toEqual(unavailable);
    expect(answer.data.aurora.flags.flags).toHaveLength(whole.data.aurora.flags.flags.length);
  });

  // A field that must not be null takes the flag with it, the list of flags, and the whole report.
  test.each([
    ['summary', 'the episodes', /query .*ALERTS/],
    ['summary', 'the reference', /count_values.*"reading"/],
    ['key', 'the look before the window', before],
  ])('a %s that fails for want of %s takes no other flag with it', async (field, _what, request) => {
    const whole = await ask(told(field));
    expect(whole.errors).toBeUndefined();
    failing(fleet.north, request, status(500));
    const seen = countOf(fleet.north, request);
    const answer = await ask(told(field));
    expect(countOf(fleet.north, request) - seen, 'asked').toBeGreaterThan(0);
    expect(answer.data.aurora.flags, 'the report').not.toBeNull();
    expect(answer.data.aurora.flags.flags).toHaveLength(whole.data.aurora.flags.flags.length);
  });

  test('of AMD, where episodes are evidence, the report of heat fails and no other', async () => {
    const document = `{ ${over('red', `whole: flags { ${plain} } heat: ${flags(['THERMAL'])} rest: ${flags(others(['THERMAL']))}`)} }`;
    const whole = await ask(document);
    expect(whole.data.red.heat.flags).toMatchObject([{ kind: 'THERMAL_THROTTLE', gpu: { index: 0 } }]);
    failing(fleet.north, /query .*ALERTS/, status(500));
    const answer = await ask(document);
    expect(placesIn(answer)).toEqual(['red.heat', 'red.whole']);
    expect(answer.data.red).toEqual({ ...whole.data.red, whole: null, heat: null });
  });
});

const tooMany = 'query processing would load too many samples into memory in query execution';
test.each([
  [
    'is asked too often',
    status(429, 'tenant zeta', { 'retry-after': '7' }),
    { code: 'THROTTLED', status: 429, retryAfterS: 7 },
  ],
  [
    'names its limit of samples',
    status(422, JSON.stringify({ status: 'error', errorType: 'execution', error: tooMany })),
    { code: 'QUERY_TOO_LARGE', status: 422 },
  ],
])('a store that %s: the report says so with its code, at its place', async (_what, fault, extensions) => {
  for (const request of [/query count by .*FB_USED/, /query DCGM_FI_DEV_FB_USED\{/]) {
    failing(fleet.north, request, fault);
    const answer = await ask(`{ ${over('aurora', `flags { ${plain} } kept: ${flags(['THERMAL'])}`)} }`);
    expect(placesIn(answer)).toEqual(['aurora.flags']);
    expect(answer.errors![0]!.extensions).toEqual(extensions);
    expect(answer.data.aurora.kept.flags.length).toBeGreaterThan(0);
    expect([answer.status, answer.text]).toEqual([200, expect.not.stringMatching(/zeta|samples into/)]);
  }
});

test.each([
  ['the first look', /query count by .*(FB_USED|TENSOR|ECC_DBE)/, 3],
  ['the second look', /query DCGM_FI_(PROF_PIPE_TENSOR_ACTIVE|DEV_FB_USED|DEV_PCIE_REPLAY_COUNTER)\{/, 3],
])('a client that leaves in mid-report ends every request of %s', async (_which, request, count) => {
  const gateway = await fleet.gateway({ timeoutS: 40 });
  failing(fleet.north, request, hang);
  const from = fleet.north.requests.length;
  const waiting = () => fleet.north.requests.slice(from).filter((one) => request.test(askedIn(one)));
  const client = new AbortController();
  const answer = gateway.query(`{ ${over('aurora', `flags { ${plain} }`)} }`, client.signal);
  answer.catch(() => {});
  await expect.poll(() => waiting().length).toBe(count);
  client.abort();
  await expect(answer).rejects.toThrow('aborted');
  // Long before the gateway would give up by itself.
  const ended = await Promise.all(waiting().map(({ abandoned }) => Promise.race([abandoned, sleep(10_000)])));
  expect(ended).toEqual(Array(count).fill(true));
});
