import { afterAll, beforeAll, expect, test } from 'vitest';
import { ago, MINUTE, scrapes } from '../support/fleet/clock.ts';
import { podSeries } from '../support/fleet/pods.ts';
import { labelled } from '../support/fleet/series.ts';
import { annotation, metric, runSeries, statusSeries, training } from '../support/run-samples.ts';
import { startTenants, type Tenants } from '../support/tenants.ts';

// Cluster, run, job and pod have one name; only a label and the numbers tell whose they are.
const organizations = ['acme', 'zeta'] as const;
type Name = (typeof organizations)[number];
const own = { acme: { seconds: 7, step: 1000 }, zeta: { seconds: 13, step: 5000 } } as const;

const job = { kind: 'JOB', namespace: 'default', name: 'train' } as const;
const runsOf = (name: Name) => {
  const { seconds, step } = own[name];
  const steps = Array.from({ length: 60 }, (_, i) => ({ step: step + i, seconds }));
  const events = [
    ...training(ago(40 * MINUTE), steps, (at, of) => [metric(at, of, `probe/${name}`, seconds, { split: 'train' })]),
    metric(ago(20 * MINUTE), step, 'train/loss', 'NaN', { whose: name }),
    annotation(ago(15 * MINUTE), step, 'checkpoint', { path: `/${name}`, seconds }),
  ];
  return labelled({ tenant: name }, [
    ...runSeries('nightly', events, job),
    ...runSeries(`of-${name}`, events),
    ...statusSeries('nightly', [[ago(10 * MINUTE), [[`/${name}`, 'number', seconds]]]]),
    ...podSeries(
      {
        name: `train-${name}`,
        node: 'n1',
        owner: ['Job', 'train'],
        gpus: 1,
        created: ago(50 * MINUTE),
        running: ago(50 * MINUTE),
      },
      scrapes({ from: ago(50 * MINUTE) }),
    ),
  ]);
};

let tenants: Tenants;
beforeAll(async () => {
  tenants = await startTenants(
    {
      acme: [{ name: 'aurora', island: 'north', tenant: 'acme' }],
      zeta: [{ name: 'aurora', island: 'north', tenant: 'zeta' }],
    },
    organizations.flatMap(runsOf),
  );
});
afterAll(() => tenants?.close());

const about = `name note firstEventAt lastEventAt steps { min max values } stepSeconds { mean values } resumes { at }
  workload { name placement { pod } } metrics { name metadata series { mean } findings { value } }
  findings { name metadata value } annotations { name metadata } pauses { kind from to } status { at state }`;
const document = `{ cluster(name: "aurora", window: { range: LAST_1H, points: 6 }) {
  runs { totalCount nodes { ${about} } } run(name: "nightly") { ${about} } workload(kind: JOB, name: "train") { runs { ${about} } } } }`;

test('each is answered as if it were alone, whoever asks first', async () => {
  const alone = new Map<Name, string>();
  for (const name of organizations) {
    const answer = await (await tenants.gateway({ only: [name] })).as(name, document);
    expect(answer.errors).toBeUndefined();
    expect(answer.data.cluster.runs.totalCount).toBe(2);
    expect(answer.data.cluster.run).toMatchObject({
      steps: { min: own[name].step, max: own[name].step + 59 },
      stepSeconds: { mean: own[name].seconds },
      workload: { name: 'train', placement: [{ pod: `train-${name}` }] },
      status: { state: { [name]: own[name].seconds } },
    });
    alone.set(name, answer.text);
  }
  expect(alone.get('acme')).not.toContain('zeta');
  expect(alone.get('zeta')).not.toContain('acme');

  for (const order of [organizations, organizations.toReversed()]) {
    const gateway = await tenants.gateway();
    const together = await Promise.all(
      order.map(async (name) => [name, (await gateway.as(name, document)).text] as const),
    );
    for (const [name, text] of together) expect([name, text]).toEqual([name, alone.get(name)]);
    for (const name of order) expect((await gateway.as(name, document)).text).toBe(alone.get(name));
  }
});

test('a run that only the other has is not there, in the words for one that nobody has', async () => {
  const gateway = await tenants.gateway();
  const ask = (name: string) => gateway.as('acme', `{ cluster(name: "aurora") { run(name: "${name}") { name } } }`);
  const [theirs, nobodys] = [await ask('of-zeta'), await ask('of-nobody')];
  expect(theirs.errors?.[0]?.extensions?.code).toBe('NOT_FOUND');
  expect(theirs.text.replaceAll('of-zeta', '…')).toBe(nobodys.text.replaceAll('of-nobody', '…'));
});
