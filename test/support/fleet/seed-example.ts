import { active } from './alerts.ts';
import { amd, fullAmd } from './amd.ts';
import { scrapes } from './clock.ts';
import { growing, machineCounter } from './node-exporter.ts';
import { ownerSeries, podSeries } from './pods.ts';
import type { Series } from './series.ts';

/** A time of that day. */
export const on = (time: string): number => Date.parse(`2026-09-21T${time}Z`) / 1000;
export const [now, began, ended] = [on('18:00:00'), on('14:05:00'), on('14:46:00')];
export const seedTimes = scrapes({ from: on('11:50:00'), to: now, phase: 0 });

export const seedNodes = ['aurora-prod-n1', 'aurora-prod-n2'] as const;
const indexes = [0, 1, 2, 3, 4, 5, 6, 7];
export const junction = 'amd_gpu_junction_temperature';

/** Up to 91 °C half an hour after it began, and below 83 °C from 14:46:30 on. */
const episode = (time: number): number =>
  time < began || time > ended ? 71 : Math.round((91 - Math.abs(time - on('14:35:00')) / 257) * 10) / 10;
/** One GPU of sixteen reads 74.5 °C throughout: the 95th percentile lies among its samples, and the hot ones above. */
const temperature = (node: string, index: number) => (time: number) => {
  if (node === 'aurora-prod-n2' && index === 3) return episode(time);
  if (node === 'aurora-prod-n1' && index === 5) return 74.5;
  return 64 + index + (Math.floor(time / 30) % 3);
};

const gpu = (node: string, index: number): Series[] => {
  const of = { node, id: index, pod: `train-llm-${seedNodes.indexOf(node as (typeof seedNodes)[number])}` };
  const own = amd(of, seedTimes, {
    gpu_junction_temperature: temperature(node, index),
    gpu_prof_tensor_active_percent: 40,
  });
  const replaced = new Set(own.map(({ labels }) => labels['__name__']));
  return [...own, ...fullAmd(of, seedTimes).filter(({ labels }) => !replaced.has(labels['__name__']))];
};
const host = (node: string): Series[] =>
  ['cpu', 'memory', 'io'].map((resource) =>
    machineCounter(
      { address: node },
      `node_pressure_${resource}_waiting_seconds_total`,
      seedTimes,
      growing(seedTimes, 0.02),
    ),
  );
const placed = { created: on('12:03:00'), running: on('12:04:00'), gpus: 8, resource: 'amd_com_gpu' };

/** The job of the example on its two nodes, GPU 3 of the second in its episode. */
export const seedSeries: Series[] = [
  ...seedNodes.flatMap((node) => [...indexes.flatMap((index) => gpu(node, index)), ...host(node)]),
  ...seedNodes.flatMap((node, nth) =>
    podSeries({ ...placed, name: `train-llm-${nth}`, node, owner: ['Job', 'train-llm'] }, seedTimes),
  ),
  ownerSeries('Job', 'train-llm', null, seedTimes),
  ...active(
    {
      name: 'GPUHighTemperature',
      labels: { hostname: 'aurora-prod-n2', instance: 'aurora-prod-n2:5000', gpu_id: '3' },
    },
    began,
    ended,
    0,
  ),
];
