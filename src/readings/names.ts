import type { Matcher } from '../domain/matcher.ts';
import type { Source } from '../domain/site.ts';

type Extra = Partial<Omit<Source, 'metric' | 'scale' | 'rank'>> & { readonly part?: string };

/** One reading under the names of several exporter generations: same unit, so one scale. */
export const names = (metrics: readonly string[], scale = 1, rank = 0, extra: Extra = {}): Source[] =>
  metrics.map((metric) => ({ metric, scale, rank, ...extra }));

// Without the prefix the names are so plain that another exporter could own them: only series that carry AMD's labels count.
const amdLabels: readonly Matcher[] = [
  { label: 'gpu_id', op: '!=', value: '' },
  { label: 'card_model', op: '!=', value: '' },
];

/** A ROCm metric under both prefixes in use, `amd_` and none. */
export const amd = (metric: string, scale = 1, rank = 0, extra: Extra = {}): Source[] => [
  { metric: `amd_${metric}`, scale, rank, ...extra },
  { metric, scale, rank, ...extra, match: [...amdLabels, ...(extra.match ?? [])] },
];
