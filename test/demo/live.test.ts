import { afterAll, expect, test } from 'vitest';
import { jobs } from '../../src/demo/exporters.ts';
import { exposition } from '../../src/demo/exposition.ts';
import { startExporter } from '../../src/demo/start-exporter.ts';
import { identity, recorded, t0 } from './recorded.ts';

/** The samples of a text exposition, by their labels. */
function parse(text: string): Map<string, number> {
  const samples = new Map<string, number>();
  for (const line of text.split('\n').filter((line) => line && !line.startsWith('#'))) {
    const [, name, labels, value] = /^([a-zA-Z_:][\w:]*)\{(.*)\} (\S+)$/.exec(line)!;
    const pairs = labels!.matchAll(/([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"(?:,|$)/g);
    const key = identity({ __name__: name!, ...Object.fromEntries(Array.from(pairs, ([, l, v]) => [l!, v!])) });
    expect(samples.has(key), `twice: ${line}`).toBe(false);
    samples.set(key, Number(value));
  }
  return samples;
}

const scrape = (t: number) => new Map(jobs.flatMap((job) => [...parse(exposition(t0, t, job))]));
const nameOf = (key: string) => new Map(JSON.parse(key) as [string, string][]).get('__name__')!;
const before = new Map(
  recorded
    .filter(({ times }) => times.at(-1)! > t0 - 30)
    .map(({ labels, values }) => [identity(labels), values.at(-1)!] as const),
);

test('a scrape has exactly the series that the history still had', () => {
  expect([...scrape(t0 + 30).keys()].sort()).toEqual([...before.keys()].sort());
});

test('the lines of a metric stand together, under one type', () => {
  for (const job of jobs) {
    const types = [...exposition(t0, t0 + 30, job).matchAll(/^# TYPE (\S+) (gauge|counter)$/gm)].map(
      ([, name]) => name,
    );
    expect(new Set(types).size).toBe(types.length);
  }
});

test('counters go on without a fall and without a jump', () => {
  const fastest: Record<string, number> = { bytes_total: 1e9, VIOLATION: 1e9, seconds_total: 1 };
  const steps = [...scrape(t0 + 13)]
    .filter(([key]) => /_total$|_TOTAL$|_VIOLATION$|_COUNTER$|_count$/.test(nameOf(key)))
    .map(([key, value]) => ({
      key,
      step: value - before.get(key)!,
      most: 60 * (Object.entries(fastest).find(([end]) => nameOf(key).endsWith(end))?.[1] ?? 0),
    }));
  expect(steps.length).toBeGreaterThan(900);
  expect(steps.filter(({ step, most }) => !(step >= 0 && step <= most))).toEqual([]);
});

test('temperatures go on where they were', () => {
  const jumps = [...scrape(t0 + 13)]
    .filter(([key]) => /GPU_TEMP|junction/.test(nameOf(key)))
    .map(([key, value]) => ({ key, jump: Math.abs(value - before.get(key)!) }))
    .filter(({ jump }) => !(jump <= 4));
  expect(jumps).toEqual([]);
});

test('while the demo runs nothing is hot but one GPU, for seven minutes every two hours', () => {
  const minutes = [...Array.from({ length: 75 }, (_, i) => 4 * i), 59, 67, 179, 187].sort((a, b) => a - b);
  const hotAt = minutes.filter((minute) => {
    const hot = [...parse(exposition(t0, t0 + 60 * minute, 'dcgm-exporter'))].filter(
      ([key, value]) => nameOf(key) === 'DCGM_FI_DEV_GPU_TEMP' && value >= 83,
    );
    expect(hot.every(([key]) => key.includes('"aurora-prod-n2"') && key.includes('["gpu","3"]'))).toBe(true);
    return hot.length > 0;
  });
  expect(hotAt).toEqual([60, 64, 67, 180, 184, 187]);
});

test('the hold that comes back has its alert, under the labels it had before', () => {
  const firing = [...parse(exposition(t0, t0 + 3600 + 240, 'rules')).keys()];
  const known = new Set(recorded.map(({ labels }) => identity(labels)));
  expect(firing).toHaveLength(2);
  expect(firing.every((key) => known.has(key))).toBe(true);
  expect(exposition(t0, t0 + 3600 + 600, 'rules')).toBe('');
});

const exporter = await startExporter(t0, () => t0 + 60);
afterAll(() => exporter.close());

test('every job has a target that answers on the loopback', async () => {
  expect(exporter.targets.map(({ job }) => job)).toEqual([...jobs]);
  for (const { job, url, honorLabels } of exporter.targets) {
    expect(honorLabels).toBe(true);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\//);
    const answer = await fetch(url);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(await answer.text()).toBe(exposition(t0, t0 + 60, job));
  }
});

test('any other path is told where to look', async () => {
  const answer = await fetch(exporter.url('amd').replace('/amd/', '/amdd/'));
  expect(answer.status).toBe(404);
  expect(await answer.text()).toContain('/amd/metrics');
});
