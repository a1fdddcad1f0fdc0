import { expect, test } from 'vitest';
import { history } from '../../src/demo/history.ts';
import { identity, recorded, t0 } from './recorded.ts';

test('no two series have the same labels', () => {
  expect(new Set(recorded.map(({ labels }) => identity(labels))).size).toBe(recorded.length);
});

test('times rise on the 30 s grid, within the day before the start', () => {
  const wrong = recorded.filter(
    ({ times, values }) =>
      times.length !== values.length ||
      times.some((time, i) => time % 30 !== 0 || time > t0 || time <= t0 - 86_400 || time <= (times[i - 1] ?? 0)),
  );
  expect(wrong.map(({ labels }) => labels['__name__'])).toEqual([]);
});

test('every value is a finite number that is not negative', () => {
  expect(recorded.filter(({ values }) => values.some((value) => !(value >= 0 && value < 2 ** 53)))).toEqual([]);
});

test('every series says which cluster, job and instance it is from', () => {
  expect(recorded.filter(({ labels }) => !labels['cluster'] || !labels['job'] || !labels['instance'])).toEqual([]);
});

test('the same start gives the same history, however much of it is asked for', () => {
  const day = new Map(recorded.map((series) => [identity(series.labels), series]));
  for (const { labels, times, values } of history(t0, 1)) {
    const before = day.get(identity(labels))!;
    expect(before.times.slice(-times.length)).toEqual(times);
    expect(before.values.slice(-times.length)).toEqual(values);
  }
});

test('a day is made in seconds', () => {
  const began = performance.now();
  let samples = 0;
  let series = 0;
  for (const { values } of history(t0)) {
    samples += values.length;
    series += 1;
  }
  console.info(`${series} series, ${samples} samples in ${Math.round(performance.now() - began)} ms`);
  expect(series).toBe(recorded.length);
  expect(samples).toBeGreaterThan(3_000_000);
});
