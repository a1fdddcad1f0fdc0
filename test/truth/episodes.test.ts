import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { active, type Alert, alerting, evaluations } from '../support/fleet/alerts.ts';
import { ago, DAY, HOUR, MINUTE, NOW, scrapes } from '../support/fleet/clock.ts';
import { dcgm } from '../support/fleet/dcgm.ts';
import { between, differences } from '../support/fleet/differences.ts';
import { nodeInfo } from '../support/fleet/kube-state-metrics.ts';
import { askNode, lastHour, span } from '../support/fleet/questions.ts';
import { continued, labelled, type Series, without } from '../support/fleet/series.ts';
import { startWorld, type World } from '../support/fleet/world.ts';

const hot = (node: string, labels = {}): Alert => ({
  name: 'GPUHighTemperature',
  labels: { Hostname: node, gpu: '3', instance: `${node}:9400`, ...labels },
});
interface Episode {
  readonly kind: string;
  readonly gpu: number | null;
  readonly started: readonly [from: number, to: number];
  readonly ended: number | null;
}
const thermal = (started: number, ended: number | null, earliest = started): Episode => ({
  kind: 'THERMAL',
  gpu: 3,
  started: [earliest, started],
  ended,
});

const began = ago(50 * MINUTE);
const ended = ago(20 * MINUTE);

const cases: [
  behaviour: string,
  series: (node: string) => Series[],
  episodes: Episode[],
  window?: readonly [number, number],
][] = [
  [
    'inside the window, it began when the condition did',
    (node) => active(hot(node), began, ended),
    [thermal(began, ended)],
  ],
  [
    'it began hours before the window',
    (node) => active(hot(node), ago(5 * HOUR), ended),
    [thermal(ago(5 * HOUR), ended)],
  ],
  [
    'it began two days before the window',
    (node) => active(hot(node), ago(2 * DAY), ended),
    [thermal(ago(2 * DAY), ended)],
  ],
  [
    'it ended hours after the window',
    (node) => active(hot(node), ago(9 * HOUR), ago(2 * HOUR)),
    [thermal(ago(9 * HOUR), ago(2 * HOUR))],
    [ago(6 * HOUR), ago(5 * HOUR)],
  ],
  ['it is open now', (node) => active(hot(node), began, NOW), [thermal(began, null)]],
  [
    'it is open now, seen from a window of the past',
    (node) => active(hot(node), ago(7 * HOUR), NOW),
    [thermal(ago(7 * HOUR), null)],
    [ago(6 * HOUR), ago(5 * HOUR)],
  ],
  ['it ended four minutes ago', (node) => active(hot(node), began, ago(4 * MINUTE)), [thermal(began, ago(4 * MINUTE))]],
  ['it ended before the window', (node) => active(hot(node), ago(5 * HOUR), ago(2 * HOUR)), []],
  ['it began after the window', (node) => active(hot(node), began, ended), [], [ago(6 * HOUR), ago(5 * HOUR)]],
  ['a condition that never fired is none', (node) => [alerting(hot(node), 'pending', evaluations(began, ended))], []],
  [
    // contract is silent: without the start on record, whether the pending minutes count. Either is accepted.
    'without ALERTS_FOR_STATE it began at the first sighting',
    (node) => active(hot(node), began, ended).slice(0, 2),
    [thermal(began + 5 * MINUTE + 36, ended, began)],
  ],
  [
    'two replicas of the alerting store tell of one',
    (node) => [
      ...labelled({ prometheus_replica: 'a' }, active(hot(node), began, ended)),
      ...labelled({ prometheus_replica: 'b' }, active(hot(node), began, ended, 14.2)),
    ],
    [thermal(began, ended)],
  ],
  [
    'a restart that leaves a gap of two evaluations does not end it',
    (node) => active(hot(node), began, ended).map((one) => without(one, ago(35 * MINUTE), ago(34 * MINUTE))),
    [thermal(began, ended)],
  ],
  [
    'two conditions half an hour apart are two, in the order of time',
    (node) => {
      const first = active(hot(node), ago(58 * MINUTE), ago(48 * MINUTE));
      const second = active(hot(node), ago(18 * MINUTE), ago(8 * MINUTE));
      return first.map((one, at) => continued(one, second[at]!));
    },
    [thermal(ago(58 * MINUTE), ago(48 * MINUTE)), thermal(ago(18 * MINUTE), ago(8 * MINUTE))],
  ],
  [
    'the node may be known by its address',
    (node) => [
      ...active({ name: 'NodeHighCpuLoad', labels: { instance: '10.6.0.9:9100' } }, began, ended),
      nodeInfo(node, '10.6.0.9', scrapes()),
    ],
    [{ kind: 'HOST', gpu: null, started: [began, began], ended }],
  ],
];
const nodeOf = (at: number): string => `ep-${at}`;

let world: World;
beforeAll(async () => {
  const nodes = [...cases.keys()].map(nodeOf);
  const scraped = [...nodes, 'calm'].flatMap((node) =>
    dcgm({ node, index: 3 }, scrapes({ from: ago(7 * HOUR) }), { DCGM_FI_DEV_GPU_TEMP: 60 }),
  );
  world = await startWorld([
    {
      name: 'episodes',
      series: [...scraped, ...cases.flatMap(([, build], at) => build(nodeOf(at)))],
    },
    { name: 'no-alerts', series: dcgm({ node: 'calm' }, scrapes(), { DCGM_FI_DEV_GPU_TEMP: 60 }) },
    { name: 'theirs', owner: 'others', series: active(hot('calm'), began, ended) },
  ]);
});
afterAll(() => world?.close());

const selection = 'healthEpisodes { kind gpu started ended detail }';
interface Told {
  readonly kind: string;
  readonly gpu: number | null;
  readonly started: string;
  readonly ended: string | null;
}
const secondsOf = (time: string): number => Date.parse(time) / 1000;

/** Where an answer is not these episodes, in words. */
const wrongIn = (episodes: readonly Episode[], answer: readonly Told[]): string[] => [
  ...(answer.length === episodes.length ? [] : [`expected ${episodes.length} episodes, got ${JSON.stringify(answer)}`]),
  ...episodes.flatMap(({ kind, gpu, started: [earliest, latest], ended }, at) => {
    const got = answer[at];
    if (got === undefined) return [];
    // contract is silent: whether it ends with its last evaluation or with the next one that did not come.
    const latestEnd = ended === null ? null : between(ended - MINUTE, ended + MINUTE);
    return differences(
      `healthEpisodes[${at}]`,
      { kind, gpu, started: between(earliest, latest), ended: latestEnd },
      {
        kind: got.kind,
        gpu: got.gpu,
        started: secondsOf(got.started),
        ended: got.ended === null ? null : secondsOf(got.ended),
      },
    );
  }),
];

describe('a recorded episode has its true bounds', () => {
  test.each(cases.map(([behaviour, , episodes, window], at) => [behaviour, nodeOf(at), episodes, window] as const))(
    '%s',
    async (_behaviour, node, episodes, window) => {
      const over = window === undefined ? lastHour : span(...window);
      const { healthEpisodes } = await askNode(await world.gateway(), 'episodes', node, selection, over);
      expect(wrongIn(episodes, healthEpisodes)).toEqual([]);
    },
  );

  test('a node without one has an empty list, also where no alert was ever recorded', async () => {
    const gateway = await world.gateway();
    expect((await askNode(gateway, 'episodes', 'calm', selection)).healthEpisodes).toEqual([]);
    expect((await askNode(gateway, 'no-alerts', 'calm', selection)).healthEpisodes ?? []).toEqual([]);
  });
});
