import { parse } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { schema } from '../../src/schema/index.ts';
import { Gateway, Operation } from '../../src/schema/operation.ts';
import { upstreamWork } from '../../src/schema/upstream-work.ts';
import { sizeOf } from '../../src/server/document-size.ts';
import { costOf } from '../support/cost.ts';
import { everyClusterField, everyFlagField, everyGpuField, everyHostField } from '../support/every-field.ts';
import { ago, DAY, HOUR, NOW, scrapes } from '../support/fleet/clock.ts';
import { cpu, growing, machineCounter } from '../support/fleet/node-exporter.ts';
import { startWorld, type World } from '../support/fleet/world.ts';
import { everyS, judgedNode, judgedSite } from '../support/judged-fleet.ts';

const nodes = 4;
const aDay = scrapes({ from: ago(DAY + HOUR), every: everyS });
const traffic = ['receive_bytes', 'transmit_bytes', 'receive_errs', 'transmit_errs', 'receive_drop', 'transmit_drop'];
const hosts = Array.from({ length: nodes }, (_, at) => judgedNode(at + 1)).flatMap((address) => [
  ...cpu({ address }, aDay, 4, () => ({ user: 0.5 })),
  ...traffic.flatMap((what) =>
    ['eth0', 'eth1'].map((device) =>
      machineCounter({ address }, `node_network_${what}_total`, aDay, growing(aDay, 1), { device }),
    ),
  ),
]);

let world: World;
beforeAll(async () => {
  const [well, ill] = [judgedSite('well', nodes), judgedSite('ill', nodes, [{ node: 3, index: 5 }])];
  world = await startWorld([well, ill].map((site) => ({ ...site, series: [...site.series, ...hosts] })));
});
afterAll(() => world?.close());

/** What is told of the cost before anything is asked, the size of the cluster being known. */
function estimateOf(text: string): number {
  const config = readConfig(
    JSON.stringify({
      islands: [{ name: 'north', prometheus: { url: 'http://127.0.0.1:9' } }],
      organizations: [
        { name: 'acme', clusters: ['well', 'ill'].map((name) => ({ name, island: 'north', vendor: 'nvidia' })) },
      ],
      scrapeIntervalS: everyS,
    }),
    {},
  );
  const gateway = new Gateway({
    ...config,
    askFor: () => () => () => Promise.reject(new Error('asked')),
    now: () => NOW,
  });
  const [organization] = config.organizations;
  for (const cluster of organization!.clusters) {
    gateway.sizes.learn('acme', cluster, { nodes, gpus: 8 * nodes }, { at: NOW, isNow: true });
  }
  const { places } = sizeOf({ schema, document: parse(text) }, upstreamWork.weights);
  return upstreamWork.costOf(new Operation(gateway, { organization: organization!, isOperator: false }), places);
}

const list = (selection: string): string => `nodes { nodes { ${selection} } }`;
const documents = [
  ['the list of nodes', list('name gpuCount')],
  ['one reading of one GPU', `node(name: "${judgedNode(1)}") { gpu(index: 0) { tempC { values } } }`],
  ['one figure of one GPU', `node(name: "${judgedNode(1)}") { gpu(index: 0) { peakTempC } }`],
  ['every field of every GPU', list(`gpus { ${everyGpuField} }`)],
  ['every field of every host', list(everyHostField)],
  ['coverage and notes', `coverage { present } note ${list('coverage { present } note state')}`],
  ['workloads', `workloads { nodes { name placement { pod from to } nodes { name } note } }`],
  ['the reference', 'reference { tempP95C }'],
  ['flags', everyFlagField],
  ['one kind of flags', 'flags(kinds: [MEMORY_PRESSURE]) { clean note flags { summary } }'],
  ['everything', everyClusterField(nodes)],
] as const;

describe.each(['well', 'ill'])('of a cluster that is %s', (cluster) => {
  describe.each(['LAST_1H', 'LAST_6H', 'LAST_24H'])('over %s', (range) => {
    test.each(documents)(
      'the estimate of %s is no less than the requests and the samples',
      async (_what, selection) => {
        const text = `{ cluster(name: "${cluster}", window: { range: ${range} }) { ${selection} } }`;
        const gateway = await world.gateway({ scrapeIntervalS: everyS });
        const { requests, samples } = await costOf(gateway, text);
        const estimate = estimateOf(text);
        const said = `estimated ${Math.round(estimate)}, ${requests} requests, ${samples} samples`;
        expect(requests, `${said}`).toBeGreaterThan(0);
        expect(estimate, `${said}`).toBeGreaterThanOrEqual(requests);
        expect(estimate, `${said}`).toBeGreaterThanOrEqual(samples);
      },
    );
  });
});
