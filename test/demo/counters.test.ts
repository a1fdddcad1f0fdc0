import { expect, test } from 'vitest';
import { gpu, recorded, samplesOf, t0, valuesOf } from './recorded.ts';

const isCounter = (name: string) => /_total$|_TOTAL$|_VIOLATION$|_COUNTER$|_count$/.test(name);

test('no counter falls, except where the driver was loaded again', () => {
  const falls = recorded
    .filter(({ labels }) => isCounter(labels['__name__']!))
    .flatMap(({ labels, times, values }) =>
      Array.from(times, (time, i) => ({ labels, hour: (time - t0) / 3600, by: values[i]! - (values[i - 1] ?? 0) })),
    )
    .filter(({ by }) => by < 0);
  expect(falls.length).toBeGreaterThan(0);
  expect(new Set(falls.map(({ labels }) => labels['Hostname']))).toEqual(new Set(['aurora-prod-n3']));
  expect(new Set(falls.map(({ hour }) => Math.round(hour)))).toEqual(new Set([-8]));
});

test('a counter goes on when its GPU changes hands', () => {
  const timer = valuesOf('DCGM_FI_DEV_LOW_UTIL_VIOLATION', gpu('aurora-prod-n1', 1));
  expect(timer.every((value, i) => value >= (timer[i - 1] ?? 0))).toBe(true);
  // Idle for half an hour between two jobs.
  expect((timer.at(-1)! - timer[0]!) / 1e9).toBeCloseTo(1800, 3);
});

test('an exporter that restarts leaves a gap of two minutes and the counters as they were', () => {
  const samples = samplesOf('DCGM_FI_DEV_PCIE_REPLAY_COUNTER', gpu('aurora-prod-n4', 1), 430, 410);
  const gaps = samples.map(({ min }, i) => min - (samples[i - 1]?.min ?? min)).filter((gap) => gap > 0.51);
  expect(gaps).toEqual([2.5]);
  expect(new Set(samples.map(({ value }) => value)).size).toBe(1);
});

test('the modes of a CPU share its time', () => {
  const cpu = { instance: '10.20.0.11:9100', cpu: '0' };
  const spent = ['idle', 'iowait', 'user', 'system', 'steal'].map((mode) => {
    const values = valuesOf('node_cpu_seconds_total', { ...cpu, mode }, 60);
    return values.at(-1)! - values[0]!;
  });
  expect(spent.reduce((sum, seconds) => sum + seconds, 0)).toBeCloseTo(119 * 30, 0);
});
