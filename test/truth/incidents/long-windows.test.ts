import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ago, DAY, HOUR, MINUTE, NOW, scrapes } from '../../support/fleet/clock.ts';
import { dcgm } from '../../support/fleet/dcgm.ts';
import { flagFields, wrongFlags } from '../../support/fleet/flag-questions.ts';
import { flagsOf } from '../../support/fleet/flag-truth.ts';
import { inWords } from '../../support/fleet/incidents.ts';
import { askCluster } from '../../support/fleet/questions.ts';
import { except, type Series, stepped } from '../../support/fleet/series.ts';
import { phase } from '../../support/fleet/situations.ts';
import { startWorld, type World } from '../../support/fleet/world.ts';

const week = scrapes({ from: ago(8 * DAY), phase, holes: [[ago(6 * DAY), ago(6 * DAY) + 3 * HOUR]] });
/** From so many days ago on, the samples of so many minutes. */
const since = (days: number, minutes: number): [number, number] => [
  ago(days * DAY),
  ago(days * DAY) + phase + minutes * MINUTE,
];
const temp = 'DCGM_FI_DEV_GPU_TEMP';
const tensor = 'DCGM_FI_PROF_PIPE_TENSOR_ACTIVE';
const replay = 'DCGM_FI_DEV_PCIE_REPLAY_COUNTER';

const situations: [label: string, node: string, series: Series[], flags: string[]][] = [
  [
    'five hot minutes of a week, and an error of a scrape',
    'w1',
    dcgm({ node: 'w1', pod: 'train-0' }, week, {
      [temp]: except(62, 84, since(3, 5), since(5, 4.5)),
      [replay]: stepped(4, [ago(4.5 * DAY), 5]),
    }),
    ['THERMAL_THROTTLE WARN 5 min', 'COMM_ERRORS WARN 0.5 min'],
  ],
  [
    'ten idle minutes of a week at work',
    'w2',
    dcgm({ node: 'w2', pod: 'train-0' }, week, {
      [temp]: 62,
      [tensor]: except(0.5, 0.1, since(2, 10), since(1, 9.5)),
    }),
    ['UTILIZATION_COLLAPSE WARN 10 min'],
  ],
  [
    'nothing in a week but what one sample makes of it',
    'w3',
    dcgm({ node: 'w3', pod: 'train-0' }, week, {
      [temp]: except(62, 99, since(6.9, 0), since(3, 0), since(0.1, 0)),
      [tensor]: except(0.5, 0, since(4, 0), since(2, 1)),
      [replay]: 12,
    }),
    [],
  ],
];
const all = situations.flatMap(([, , series]) => series);

let world: World;
beforeAll(async () => {
  world = await startWorld([{ name: 'weeks', series: all }]);
});
afterAll(() => world?.close());

const window = { start: ago(7 * DAY), end: NOW };
const truthOf = (node: string) => flagsOf(all, { node, vendor: 'nvidia', window, now: NOW });
const rows = situations.map(([label, node, , flags]) => [label, node, flags] as const);

describe('a window of seven days', () => {
  test.each(rows)('by its samples: %s', (_label, node, flags) => {
    expect(truthOf(node).map(inWords).sort()).toEqual([...flags].sort());
  });

  test.each([1, 96])('in %i points has every flag of its nodes, as short as they are', async (points) => {
    const selection = `reference { tempP95C } flags { flags { ${flagFields} } }
      ${rows.map(([, node]) => `${node}: node(name: "${node}") { flags { flags { ${flagFields} } } }`).join('\n')}`;
    const got = await askCluster(await world.gateway(), 'weeks', selection, { range: 'LAST_7D', points });
    const reference = got.reference.tempP95C;
    for (const [, node] of rows) expect(wrongFlags(truthOf(node), got[node].flags.flags, reference)).toEqual([]);
    const truth = rows.flatMap(([, node]) => truthOf(node));
    expect(wrongFlags(truth, got.flags.flags, reference)).toEqual([]);
  });
});
