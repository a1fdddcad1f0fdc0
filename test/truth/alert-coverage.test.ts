import { expect, onTestFinished, test } from 'vitest';

import { alerting } from '../support/fleet/alerts.ts';
import { ago, DAY, HOUR, scrapes } from '../support/fleet/clock.ts';
import { stockList } from '../support/fleet/dcgm-lists.ts';
import { dcgm } from '../support/fleet/dcgm.ts';
import { askCluster } from '../support/fleet/questions.ts';
import { startWorld } from '../support/fleet/world.ts';

const alert = { name: 'GPUHighTemperature', labels: { Hostname: 'n9', gpu: '0' } };
const alertDaysAgo = (days: number) => [
  alerting(alert, 'firing', scrapes({ from: ago(days * DAY), to: ago(days * DAY - HOUR) })),
];

// Each with a store of its own: it is the store's alerting history that counts.
test.each([
  ['with none at all', 'missing', []],
  ['of five days ago', 'present', alertDaysAgo(5)],
  ['of 13 days ago', 'present', alertDaysAgo(13)],
  ['of 16 days ago', 'missing', alertDaysAgo(16)],
] as const)('by an alerting history %s HEALTH_EPISODES is %s', async (_history, list, alerts) => {
  const world = await startWorld([
    { name: 'alerted', series: [...dcgm({ node: 'n1' }, scrapes(), stockList('n1')), ...alerts] },
  ]);
  onTestFinished(() => world.close());
  const selection = 'coverage { present missing } node(name: "n1") { coverage { present missing } }';
  const { coverage, node } = await askCluster(await world.gateway(), 'alerted', selection);
  const other = list === 'present' ? 'missing' : 'present';
  for (const lists of [coverage, node.coverage]) {
    expect(lists[list], `coverage.${list}`).toContain('HEALTH_EPISODES');
    expect(lists[other], `coverage.${other}`).not.toContain('HEALTH_EPISODES');
  }
});
