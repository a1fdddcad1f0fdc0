import type { ClusterView } from '../reads/view.ts';
import type { Terms } from '../rules/judge.ts';

/** How this cluster's samples come, and what the site overlooks. */
export const termsOf = (view: ClusterView): Terms => ({
  gpuScrapeS: view.scrapeS(),
  hostScrapeS: view.scrapeS('nodeExporter'),
  minThrottledPct: view.site.minThrottledPct,
});
