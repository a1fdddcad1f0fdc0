import type { ClusterView } from '../reads/view.ts';
import type { Bench } from '../rules/judge.ts';

/** How this cluster's samples come, and what the site overlooks. */
export const benchOf = (view: ClusterView): Bench => ({
  gpuScrapeS: view.scrapeS(),
  hostScrapeS: view.scrapeS('nodeExporter'),
  minThrottledPct: view.site.minThrottledPct,
});
