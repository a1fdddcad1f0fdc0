import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type ToldFlag, wholeReport } from '../support/fleet/flag-questions.ts';
import { askCluster, type WindowInput } from '../support/fleet/questions.ts';
import { began, ended, junction, now, on, seedSeries as series } from '../support/fleet/seed-example.ts';
import { inside, percentile, samplesOf, valuesOf } from '../support/fleet/truth.ts';
import { startWorld, type World } from '../support/fleet/world.ts';

const window: WindowInput = { start: '2026-09-21T14:20:00Z', end: '2026-09-21T15:20:00Z' };

let world: World;
beforeAll(async () => {
  world = await startWorld([{ name: 'aurora-prod', vendor: 'amd', series }]);
});
afterAll(() => world?.close());

const targets: [target: string, selection: string][] = [
  ['the job', `workload(kind: JOB, name: "train-llm") { flags { ${wholeReport} } }`],
  ['the node', `node(name: "aurora-prod-n2") { flags { ${wholeReport} } }`],
];
const reportOf = async (selection: string) => {
  const gateway = await world.gateway({ now });
  const { reference, ...rest } = await askCluster(
    gateway,
    'aurora-prod',
    `reference { tempP95C } ${selection}`,
    window,
  );
  return { reference, report: rest[Object.keys(rest)[0]!].flags };
};

test('the fixture is the example: 91.0 °C against 74.5 °C, forty-one minutes of which twenty-six are inside', () => {
  const [start, end] = [on('14:20:00'), on('15:20:00')];
  const all = series.filter(({ labels }) => labels['__name__'] === junction);
  const pooled = all.flatMap((one) => valuesOf(inside(samplesOf([one], junction), start, end)));
  expect(pooled).toHaveLength(16 * 120);
  expect(percentile(pooled, 0.95)).toBe(74.5);
  const hot = all.flatMap((one) => samplesOf([one], junction)).filter(([, value]) => value >= 83);
  expect(hot[0]![0]).toBe(began);
  expect(hot.at(-1)![0]).toBe(ended);
  expect(hot).toHaveLength(41 * 2 + 1);
  expect(Math.max(...inside(hot, start, end).map(([, value]) => value))).toBe(91);
  expect((ended - start) / 60).toBe(26);
});

describe.each(targets)('asked of %s', (_target, selection) => {
  test('the report is that of the example', async () => {
    const { reference, report } = await reportOf(selection);
    expect(reference).toEqual({ tempP95C: 74.5 });
    expect(report).toMatchObject({
      window: { start: '2026-09-21T14:20:00Z', end: '2026-09-21T15:20:00Z', stepS: 90, points: 40 },
      checked: ['THERMAL', 'UTILIZATION', 'COMM', 'HOST', 'MEMORY'],
      unavailable: ['THROTTLE_VIOLATIONS', 'CLOCK_EVENTS', 'XID'],
      clean: false,
      hiddenFlags: 0,
    });
    expect(report.flags).toHaveLength(1);
  });

  test('the flag is that of the example, field by field', async () => {
    const { report } = await reportOf(selection);
    const { key, summary, ...flag } = report.flags[0];
    expect(key).toMatch(/./);
    expect(summary).toMatch(/./);
    expect(flag).toEqual({
      kind: 'THERMAL_THROTTLE',
      severity: 'HIGH',
      node: { name: 'aurora-prod-n2' },
      gpu: { index: 3 },
      minutes: 26,
      from: '2026-09-21T14:20:00Z',
      to: '2026-09-21T14:46:00Z',
      clipped: { start: true, end: false },
      episode: { from: '2026-09-21T14:05:00Z', to: '2026-09-21T14:46:00Z' },
      evidence: {
        peakTempC: 91,
        referenceP95C: 74.5,
        thermalThrottleS: null,
        powerThrottleS: null,
        clockEvents: null,
        linkCrc: null,
        linkReplay: null,
        linkRecovery: null,
        pcieReplay: null,
        pcieRecovery: null,
        eccDbe: null,
        xid: null,
        xidCodes: null,
        activityPct: null,
        medianActivityPct: null,
        activityFamily: null,
        resource: null,
        peakPressurePct: null,
        peakHbmUsedGib: null,
        hbmTotalGib: null,
      },
    });
  });

  test('the sentence is that of the example, in its parts', async () => {
    const { report } = await reportOf(selection);
    const { summary } = (report.flags as ToldFlag[])[0]!;
    for (const part of [
      /GPU 3 on aurora-prod-n2/,
      /held at or above 83 °C/,
      /for 26 min inside this window/,
      /peak 91 °C/,
      /reference p95 74\.5 °C/,
      /episode began 14:05 UTC, before the window/,
    ]) {
      expect(summary).toMatch(part);
    }
    expect(summary.trim().split('\n')).toHaveLength(1);
  });

  test('the note says what the maker lacks and what is clipped', async () => {
    const { report } = await reportOf(selection);
    for (const part of [/throttle timer/i, /clock event/i, /XID/, /fabric|XGMI/i, /clipped at the window start/i]) {
      expect(report.note).toMatch(part);
    }
    expect(report.note).not.toMatch(/clipped at the window end/i);
  });
});

test('six hours around it see the whole of it, unclipped, for forty-one minutes', async () => {
  const selection = `node(name: "aurora-prod-n2") { flags { ${wholeReport} } }`;
  const whole = { start: '2026-09-21T12:00:00Z', end: '2026-09-21T18:00:00Z' };
  const { node } = await askCluster(await world.gateway({ now }), 'aurora-prod', selection, whole);
  expect(node.flags.flags).toMatchObject([
    {
      kind: 'THERMAL_THROTTLE',
      severity: 'HIGH',
      from: '2026-09-21T14:05:00Z',
      to: '2026-09-21T14:46:00Z',
      minutes: 41,
      clipped: { start: false, end: false },
      episode: { from: '2026-09-21T14:05:00Z', to: '2026-09-21T14:46:00Z' },
      evidence: { peakTempC: 91 },
    },
  ]);
});

test('the job’s other node stayed clean over the same window', async () => {
  const selection = `node(name: "aurora-prod-n1") { flags { ${wholeReport} } }`;
  const { node } = await askCluster(await world.gateway({ now }), 'aurora-prod', selection, window);
  expect(node.flags).toMatchObject({ clean: true, flags: [] });
});
