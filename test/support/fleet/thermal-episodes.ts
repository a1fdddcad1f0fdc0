import type { Piece } from './flag-pieces.ts';
import { isOf } from './gpu-samples.ts';
import type { Series } from './series.ts';
import type { Window } from './truth.ts';

export interface ThermalEpisode {
  readonly gpu: number | null;
  readonly from: number;
  /** Its last evaluation, also where it is open. */
  readonly to: number;
}

/** The thermal episodes that the site's alerting recorded of a node, each from when its condition began. */
export const thermalEpisodes = (all: readonly Series[], node: string): ThermalEpisode[] =>
  all.flatMap(({ labels, times }) => {
    const isThermal = /Temperature|Thermal/.test(labels['alertname'] ?? '') && labels['alertstate'] === 'firing';
    if (labels['__name__'] !== 'ALERTS' || !isThermal || !isOf(node, labels) || times.length === 0) return [];
    const since = all.find(
      (one) =>
        one.labels['__name__'] === 'ALERTS_FOR_STATE' &&
        one.labels['alertname'] === labels['alertname'] &&
        isOf(node, one.labels),
    );
    const gpu = labels['gpu'] ?? labels['gpu_id'];
    return [{ gpu: gpu === undefined ? null : Number(gpu), from: since?.values[0] ?? times[0]!, to: times.at(-1)! }];
  });

/** What of a GPU's episodes (or of those that name none) lies inside the window. */
export const insideOf = (episodes: readonly ThermalEpisode[], gpu: number | null, { start, end }: Window): Piece[] =>
  episodes
    .filter((one) => one.gpu === gpu && one.to > start && one.from < end)
    .map(({ from, to }) => ({ from: Math.max(from, start), to: Math.min(to, end), held: false, field: 'episode' }));

/** The true bounds of the episode that overlaps a flag; its end is null while it is open now. */
export const boundsOf = (episodes: readonly ThermalEpisode[], from: number, to: number, now: number) => {
  const found = episodes.find((one) => one.to >= from && one.from <= to);
  return found === undefined ? null : { from: found.from, to: found.to >= now - 90 ? null : found.to };
};
