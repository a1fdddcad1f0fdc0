import { describe, expect, test } from 'vitest';

import { utilizationCollapse } from '../../src/rules/collapse.ts';
import { commErrors } from '../../src/rules/comm-errors.ts';
import { hostPressure, memoryPressure } from '../../src/rules/pressure.ts';
import { powerCap, thermalThrottle } from '../../src/rules/throttle.ts';
import { type Stream, streamOf } from '../../src/samples/stream.ts';
import { between, hour, quiet, sampled } from './facts.ts';

const minute = 60;
const hot = (tempC: Stream, judged = hour) => thermalThrottle(0, { ...quiet, tempC }, [], judged);
const length = (found: readonly { from: number; to: number; severity: string }[]) =>
  found.map(({ from, to, severity }) => [(to - from) / minute, severity]);

describe('temperature holds', () => {
  test.each([
    ['82.9 °C for an hour', () => 82.9, []],
    ['83 °C for 4 min 30 s', between(70, 83, 600, 870), []],
    ['83 °C for 5 min', between(70, 83, 600, 900), [[5, 'WARN']]],
    ['83 °C for 9 min 30 s', between(70, 83, 600, 1170), [[9.5, 'WARN']]],
    ['83 °C for 10 min', between(70, 83, 600, 1200), [[10, 'HIGH']]],
  ])('%s', (_what, value, flags) => {
    expect(length(hot(sampled(value)))).toEqual(flags);
  });

  const gap = (seconds: number) =>
    hot(streamOf([...sampled(() => 85).times].filter((t) => t <= 600 || t >= 600 + seconds).map((t) => [t, 85])));

  test.each([
    ['a gap of 3 scrapes does not break a hold', 90, [[59.5, 'HIGH']]],
    ['a gap of 4 scrapes makes two, which are one flag', 120, [[59.5, 'HIGH']]],
    [
      'five minutes apart they are two flags',
      300,
      [
        [9.5, 'WARN'],
        [45, 'HIGH'],
      ],
    ],
  ])('%s', (_what, seconds, flags) => {
    expect(length(gap(seconds))).toEqual(flags);
  });

  test('joints do not count towards ten minutes', () => {
    const event = { kind: 'HW_THERMAL', from: 1170, to: 1200, count: 1 };
    const facts = { tempC: sampled(between(70, 84, 600, 900)), thermal: { rises: [], events: [event] } };
    expect(length(thermalThrottle(0, facts, [], hour))).toEqual([[10, 'WARN']]);
  });

  test('a peak is one of the window: a sample at its very start is not', () => {
    const rises = [{ from: -30, to: 30, by: 20 }];
    const tempC = streamOf([[0, 95], ...[...sampled(() => 85).times].map((time): [number, number] => [time, 85])]);
    const [found] = thermalThrottle(0, { tempC, thermal: { rises, events: [] } }, [], hour);
    expect(found).toMatchObject({ from: 0, evidence: { peakTempC: 85 } });
  });

  test('a sample that does not break the rule ends a hold', () => {
    const dip = (time: number) => (time === 780 ? 82 : between(70, 84, 600, 960)(time));
    expect(hot(sampled(dip))).toEqual([]);
  });

  test.each([
    ['in the window, from a minute before it', { from: 600, to: 4200, scrapeS: 30 }, [4, { start: true, end: false }]],
    ['at its end', { from: -3000, to: 600, scrapeS: 30 }, [1, { start: false, end: true }]],
    ['two scrapes after its start', { from: 480, to: 4080, scrapeS: 30 }, [5, { start: true, end: false }]],
    ['three scrapes after its start', { from: 450, to: 4050, scrapeS: 30 }, [5, { start: false, end: false }]],
  ])('a hold of five minutes %s', (_what, judged, [minutes, clipped]) => {
    const [found] = hot(sampled(between(70, 90, 540, 840)), judged);
    expect([(found!.to - found!.from) / minute, found!.clipped]).toEqual([
      judged.from === 600 ? 3.5 : minutes,
      clipped,
    ]);
  });
});

describe('throttle timers', () => {
  const rise = (from: number, to: number, by: number) => ({ from, to, by });
  const every = (from: number, to: number, by: number) =>
    Array.from({ length: (to - from) / 30 }, (_, i) => rise(from + i * 30, from + (i + 1) * 30, by));
  const capped = (rises: ReturnType<typeof rise>[]) => powerCap(0, { power: { rises, events: [] } }, hour);

  test.each([
    ['a nanosecond', [rise(600, 630, 1e-9)], [[0.5, 'WARN']]],
    ['599 s of throttled time in 20 min', every(600, 1800, 599 / 40), [[20, 'WARN']]],
    ['600 s of throttled time in 20 min', every(600, 1800, 15), [[20, 'HIGH']]],
    ['nothing', [], []],
  ])('%s', (_what, rises, flags) => {
    expect(length(capped(rises))).toEqual(flags);
  });

  test('a rise that began before the window counts in full, from its start on', () => {
    const [found] = capped([rise(-15, 15, 20)]);
    expect(found).toMatchObject({ from: 0, to: 15, evidence: { powerThrottleS: 20 }, clipped: { start: true } });
  });

  test('a rise that ended after the window is not of it', () => {
    expect(capped([rise(3590, 3620, 20)])).toEqual([]);
  });
});

describe('memory, pressure, activity, errors', () => {
  const used = (share: number) => sampled(between(40, share * 80, 600, 900));
  const full = (share: number) =>
    memoryPressure(0, { usedGib: used(share), totalGib: used(share).times.map(() => 80) }, hour);
  test.each([
    [0.949, 0],
    [0.95, 1],
    [1, 1],
  ])('memory at %f of the total: %i flags', (share, count) => {
    expect(full(share)).toHaveLength(count);
  });

  test.each([
    [20, 0],
    [20.1, 1],
  ])('waiting %f percent of the time: %i flags', (pct, count) => {
    expect(hostPressure({ IO: sampled(between(1, pct, 600, 900)) }, hour)).toHaveLength(count);
  });

  const collapse = (low: number, forS: number, held = [{ pod: 'default/a', from: 0, to: 3600 }]) =>
    utilizationCollapse(
      0,
      { family: 'TENSOR_ACTIVE', stream: sampled(between(60, low, 600, 600 + forS)), held },
      { pods: null },
      hour,
    );
  test.each([
    ['half the median is not below it', 30, 600, 0],
    ['below half for 9.5 minutes', 29.9, 570, 0],
    ['below half for 10 minutes', 29.9, 600, 1],
  ])('%s', (_what, low, forS, count) => {
    expect(collapse(low, forS)).toHaveLength(count);
  });

  test('time in which nobody had the GPU does not count', () => {
    expect(collapse(0, 600, [{ pod: 'default/a', from: 0, to: 900 }])).toEqual([]);
    expect(
      utilizationCollapse(0, { family: 'GPU_UTIL', stream: sampled(() => 0), held: [] }, { pods: null }, hour),
    ).toEqual([]);
  });

  test.each([
    ['pcieReplay', 'WARN'],
    ['linkCrc', 'WARN'],
    ['eccDbe', 'HIGH'],
  ] as const)('one %s is %s', (name, severity) => {
    const counters = { [name]: [{ from: 600, to: 630, by: 1 }] };
    expect(commErrors(0, { counters, xids: [] }, hour)).toMatchObject([{ severity, evidence: { [name]: 1 } }]);
  });

  test('a GPU fault is serious, and its codes are told once each', () => {
    const xid = (kind: string, from: number) => ({ kind, from, to: from + 30, count: 1 });
    const [found] = commErrors(0, { counters: {}, xids: [xid('79', 660), xid('31', 600), xid('79', 720)] }, hour);
    expect(found).toMatchObject({ severity: 'HIGH', evidence: { xid: 3, xidCodes: [31, 79] } });
  });
});
