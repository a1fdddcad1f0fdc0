import { ago, HOUR, scrapes, type Scraping } from './clock.ts';
import { dcgm, type DcgmGpu, dcgmLabels } from './dcgm.ts';
import { churned, type Labels, type Series, series, type Value } from './series.ts';

/** Builds one node's series: every case of a table has a node of its own, GPU 0 on it. */
export type NodeSeries = (node: string) => Series[];

const temperature = 'DCGM_FI_DEV_GPU_TEMP';

/** A GPU that is scraped throughout `target`, and on it one metric with times of its own. */
export const counting =
  (metric: string, value: Value, own: Scraping = {}, target: Scraping = {}, extra: Labels = {}): NodeSeries =>
  (node) => [
    ...dcgm({ node }, scrapes(target), { [temperature]: 60 }),
    series(metric, { ...dcgmLabels({ node }), ...extra }, scrapes({ ...target, ...own }), value),
  ];

/** A GPU that is scraped throughout, and on it one metric whose labels change while it counts. */
export const relabelled =
  (metric: string, value: Value, ...lives: (readonly [from: number, gpu: Partial<DcgmGpu>])[]): NodeSeries =>
  (node) => [
    ...dcgm({ node }, scrapes(), { [temperature]: 60 }),
    ...churned(
      metric,
      scrapes(),
      value,
      lives.map(([from, gpu]) => [from, dcgmLabels({ node, ...gpu })]),
    ),
  ];

/** Several metrics of one GPU. */
export const jointly =
  (...parts: readonly NodeSeries[]): NodeSeries =>
  (node) => {
    const seen = new Set<string>();
    return parts
      .flatMap((part) => part(node))
      .filter(({ labels }) => {
        const name = JSON.stringify(labels);
        return !seen.has(name) && seen.add(name);
      });
  };

/** Before anything that a case lets happen. */
export const always = ago(2 * HOUR);
