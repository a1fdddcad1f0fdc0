import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ago, HOUR, iso, MINUTE, NOW, scrapes } from '../support/fleet/clock.ts';
import { flagsOf } from '../support/fleet/flag-truth.ts';
import { podSeries } from '../support/fleet/pods.ts';
import { wholeSeries } from '../support/fleet/questions.ts';
import { except, type Series } from '../support/fleet/series.ts';
import { at, host, nvidia } from '../support/fleet/situations.ts';
import { mean, percentile, type Sample, samplesOf } from '../support/fleet/truth.ts';
import { startWorld, type World } from '../support/fleet/world.ts';
import { around } from '../support/fleet/wobble.ts';
import { run } from '../support/reported/processes.ts';
import { flush } from '../support/reported/mortal-store.ts';
import { seriesLike } from '../support/reported/read-back.ts';
import { lineOf, type Told } from '../support/reported/told.ts';
import { serveGateway, type ServedGateway } from '../support/served-gateway.ts';

/** While one GPU of the second node runs hot, each step takes longer. */
const hot = [at(20), at(32)] as const;
const [hotNode, hotGpu] = ['h2', 1];
const gpusOf = ['h1', 'h2', 'h3'].flatMap((node) => [0, 1].map((index) => ({ node, index })));
const temperature = ({ node, index }: { node: string; index: number }) => {
  const calm = around(`${node} ${index}`, 62, 6);
  return node === hotNode && index === hotGpu ? except(calm, 88, hot) : calm;
};
const podOf: Readonly<Record<string, string>> = { h1: 'train-0', h2: 'train-1', h3: 'other-0' };
const series: Series[] = [
  ...gpusOf.flatMap((gpu) =>
    nvidia({ gpu: { index: gpu.index, pod: podOf[gpu.node]! }, readings: { DCGM_FI_DEV_GPU_TEMP: temperature(gpu) } })(
      gpu.node,
    ),
  ),
  ...['h1', 'h2', 'h3'].flatMap((node) => [
    ...host()(node),
    ...podSeries(
      {
        name: podOf[node]!,
        node,
        owner: ['Job', node === 'h3' ? 'other' : 'train'],
        gpus: 2,
        created: ago(2 * HOUR - 60),
        running: ago(2 * HOUR - 90),
      },
      scrapes({ phase: 9 }),
    ),
  ]),
];

/** What the training loop told: each step at its end, an evaluation in the slow time, a checkpoint later. */
const told: Told[] = [];
const steps: { readonly from: number; readonly to: number; readonly seconds: number; readonly isSlow: boolean }[] = [];
const [evaluation, checkpoint] = [
  { at: at(26), seconds: 45 },
  { at: at(45), seconds: 20 },
];
{
  const metric = (to: number, name: string, value: number, metadata: Told['metadata']): void =>
    void told.push({
      kind: 'metric',
      ts_ms: Math.round(to * 1000),
      step: steps.length,
      name,
      value,
      metadata: metadata!,
    });
  let [time, evaluated, kept] = [at(1) + 0.125, false, false];
  while (time < at(59)) {
    if (!evaluated && time >= evaluation.at) {
      evaluated = true;
      evaluation.at = time;
      time += evaluation.seconds;
      metric(time, 'runtime/eval_seconds', evaluation.seconds, { split: 'eval', pass: 'eval' });
    }
    if (!kept && time >= checkpoint.at) {
      kept = true;
      checkpoint.at = time;
      time += checkpoint.seconds;
      const metadata = { path: '/ckpt/last', seconds: checkpoint.seconds };
      told.push({
        kind: 'annotation',
        ts_ms: Math.round(time * 1000),
        step: steps.length,
        name: 'checkpoint',
        metadata,
      });
    }
    const isSlow = time >= hot[0] && time < hot[1];
    const seconds = (isSlow ? 3.5 : 2) + (steps.length % 3) * 0.125;
    metric(time + seconds, 'runtime/step_seconds', seconds, { split: 'train' });
    metric(time + seconds, 'rate/tokens', 65_536 / seconds, { split: 'train' });
    steps.push({ from: time, to: time + seconds, seconds, isSlow });
    time += seconds;
  }
}

const folder = mkdtempSync(join(tmpdir(), 'gpuql-beside-'));
let [storeUrl, forwarded] = ['', ''];
let [world, gateway]: [World, ServedGateway] = [undefined!, undefined!];
beforeAll(async () => {
  world = await startWorld([{ name: 'aurora-prod', series }]);
  const config = JSON.parse(world.config());
  const [{ prometheus }] = config.islands;
  storeUrl = prometheus.url;
  prometheus.writeUrl = `${prometheus.url}/api/v1/write`;
  gateway = await serveGateway(JSON.stringify(config));
  const words = ['--run', 'llm-7b', '--cluster', 'aurora-prod', '--workload', 'Job/default/train'];
  const forwarder = run(['forward', ...words], { GPUQL_URL: gateway.url });
  forwarder.process.stdin!.end(`${told.map(lineOf).join('\n')}\n`);
  await forwarder.ended;
  forwarded = forwarder.said();
  await flush(storeUrl);
});
afterAll(async () => {
  await gateway?.close();
  await world?.close();
  rmSync(folder, { recursive: true, force: true });
});

const flag = 'kind severity node { name } gpu { index } from to minutes evidence { peakTempC }';
const document = `{ cluster(name: "aurora-prod", window: { range: LAST_1H, points: 60 }) {
  run(name: "llm-7b") {
    stepSeconds ${wholeSeries} rate(counter: "tokens") ${wholeSeries} steps { last } pauses { kind name from to } annotations { name at }
    workload { kind namespace name placementSource nodes { name gpus { index peakTempC tempC ${wholeSeries} } }
      flags { clean flags { ${flag} } } runs { name } }
    slowdowns { from to minutes clipped { start end } steps medianS meanS worstS pauses { kind from to }
      flags { ${flag} } cleanNodes { name } unsureNodes { name } summary }
  }
  other: node(name: "h3") { gpus { index peakTempC } }
} }`;
const window = { start: ago(HOUR), end: NOW, points: 60 };
const answered = async () => {
  const { data, errors } = await gateway.query(document);
  expect(errors).toBeUndefined();
  return data.cluster.run;
};

test('all of it was taken', () => {
  expect(forwarded).toContain(`${told.length} events: ${told.length} new`);
});

test('step times stand beside the temperatures of the GPUs it ran on', async () => {
  const { stepSeconds, rate, steps: index, workload } = await answered();
  expect(stepSeconds).toEqual(
    seriesLike(
      steps.map(({ to, seconds }): Sample => [Math.round(to * 1000) / 1000, seconds]),
      window,
    ),
  );
  expect(rate).toEqual(
    seriesLike(
      steps.map(({ to, seconds }): Sample => [Math.round(to * 1000) / 1000, 65_536 / seconds]),
      window,
    ),
  );
  expect(index).toEqual({ last: steps.length - 1 });
  expect(workload).toMatchObject({ kind: 'JOB', namespace: 'default', name: 'train', runs: [{ name: 'llm-7b' }] });
  expect(workload.nodes.map(({ name }: { name: string }) => name)).toEqual(['h1', 'h2']);
  for (const node of workload.nodes)
    for (const gpu of node.gpus) {
      const truth = samplesOf(series, 'DCGM_FI_DEV_GPU_TEMP', { Hostname: node.name, gpu: String(gpu.index) });
      expect([node.name, gpu.index, gpu.tempC]).toEqual([node.name, gpu.index, seriesLike(truth, window)]);
      expect(gpu.peakTempC).toBe(gpu.tempC.max);
    }
  // It is hot just while steps are slow, on the one grid that both have.
  const tempC = workload.nodes[1].gpus[1].tempC;
  expect([tempC.t0, tempC.stepS]).toEqual([stepSeconds.t0, stepSeconds.stepS]);
  const minutesOf = (values: readonly (number | null)[], from: number) =>
    values.flatMap((value, minute) => (value !== null && value > from ? [minute] : []));
  const inside = Array.from({ length: 12 }, (_, minute) => 20 + minute);
  expect(minutesOf(tempC.values, 80)).toEqual(inside);
  expect(minutesOf(stepSeconds.values, 2.6)).toEqual(inside);
});

test('beside the flags of those GPUs', async () => {
  const { workload } = await answered();
  const truth = ['h1', 'h2'].flatMap((node) =>
    flagsOf(series, { node, vendor: 'nvidia', window: { start: ago(HOUR), end: NOW }, now: NOW }),
  );
  expect(truth.map(({ kind, gpu }) => [kind, gpu])).toEqual([['THERMAL_THROTTLE', hotGpu]]);
  const [{ severity, from, to, minutes }] = truth as [(typeof truth)[0]];
  expect(workload.flags).toEqual({
    clean: false,
    flags: [
      {
        kind: 'THERMAL_THROTTLE',
        severity,
        node: { name: hotNode },
        gpu: { index: hotGpu },
        from: iso(from),
        to: iso(to),
        minutes: expect.closeTo(minutes, 3),
        evidence: { peakTempC: 88 },
      },
    ],
  });
});

test('and a stretch of slow steps with that flag, the node that stayed clean, and what was evaluation', async () => {
  const { slowdowns, workload, pauses } = await answered();
  const slow = steps.filter(({ isSlow }) => isSlow);
  const [from, to] = [slow[0]!.from, slow.at(-1)!.to];
  const seconds = slow.map((step) => step.seconds);
  const pause = {
    kind: 'EVALUATION',
    from: iso(evaluation.at),
    to: iso(evaluation.at + evaluation.seconds),
  };
  expect(pauses).toEqual([
    { ...pause, name: 'eval' },
    { kind: 'CHECKPOINT', name: null, from: iso(checkpoint.at), to: iso(checkpoint.at + checkpoint.seconds) },
  ]);
  expect(slowdowns).toEqual([
    {
      from: iso(from),
      to: iso(to),
      minutes: expect.closeTo((to - from - evaluation.seconds) / MINUTE, 3),
      clipped: { start: false, end: false },
      steps: slow.length,
      medianS: percentile(
        steps.map((step) => step.seconds),
        0.5,
      ),
      meanS: expect.closeTo(mean(seconds), 4),
      worstS: Math.max(...seconds),
      pauses: [pause],
      flags: workload.flags.flags,
      cleanNodes: [{ name: 'h1' }],
      unsureNodes: [],
      summary: expect.stringContaining(hotNode),
    },
  ]);
  const [{ summary }] = slowdowns;
  expect(summary).not.toMatch(/because|caused|due to/i);
  expect(summary).toMatch(/GPU 1|gpu 1/);
});
