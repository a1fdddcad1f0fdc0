import { type AmdGpu, amdLabels } from './amd.ts';
import { ago, HOUR, MINUTE, scrapes, type Scraping } from './clock.ts';
import type { NodeSeries } from './counting.ts';
import { type DcgmGpu, dcgmLabels } from './dcgm.ts';
import { growing, machineCounter } from './node-exporter.ts';
import { churned, series, type Series, type Value } from './series.ts';
import { around } from './wobble.ts';

/** Whole seconds, so that what is counted from them is exact. */
export const phase = 7;
const everyScrape: Scraping = { phase };

/** A minute of the last hour; what is negative was before it. */
export const at = (minute: number): number => ago(HOUR) + minute * MINUTE;

/** The samples from a minute of the last hour on, of which the last is that many minutes after the first. */
export const lasting = (from: number, minutes: number): [number, number] => [at(from), at(from) + phase + minutes * 60];

/** A scrape at a minute of the last hour. */
export const scrapeAt = (minute: number): number => at(minute) + phase;

/** What goes up by so much at each scrape of a span, and stands still before and after. */
export const climbing =
  (start: number, perScrape: number, [from, to]: readonly [number, number]) =>
  (time: number): number =>
    start + perScrape * Math.max(0, Math.floor((Math.min(time, to) - from - phase) / 30) + 1);

type Readings = Readonly<Record<string, Value | null>>;

const calmNvidia = (node: string): Readings => ({
  DCGM_FI_DEV_GPU_TEMP: around(`${node} temp`, 62, 6),
  DCGM_FI_PROF_PIPE_TENSOR_ACTIVE: 0.5,
  DCGM_FI_DEV_GPU_UTIL: 80,
  DCGM_FI_DEV_FB_USED: 40_000,
  DCGM_FI_DEV_FB_TOTAL: 80_000,
  DCGM_FI_DEV_THERMAL_VIOLATION: 7e9,
  DCGM_FI_DEV_POWER_VIOLATION: 91.5e9,
  DCGM_FI_DEV_CLOCKS_EVENT_REASONS: 0,
  DCGM_FI_DEV_XID_ERRORS: 0,
  DCGM_FI_DEV_ECC_DBE_VOL_TOTAL: 0,
  DCGM_FI_DEV_PCIE_REPLAY_COUNTER: 4,
  DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL: 1,
  DCGM_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL: 0,
});
const calmAmd = (node: string): Readings => ({
  gpu_junction_temperature: around(`${node} temp`, 62, 6),
  gpu_prof_tensor_active_percent: 50,
  gpu_gfx_activity: 80,
  gpu_used_vram: 200_000,
  gpu_total_vram: 294_400,
  gpu_ecc_correct_total: 2,
  gpu_ecc_uncorrect_total: 0,
  pcie_replay_count: 3,
  pcie_recovery_count: 1,
});

/** What differs from a GPU as it usually is; `pod: undefined` is a GPU that nobody has. */
type Differing<Gpu> = { readonly [Field in keyof Gpu]?: Gpu[Field] | undefined };

interface Made<Gpu> {
  /** In place of what a calm GPU reads; null for what it does not export. */
  readonly readings?: Readings;
  readonly gpu?: Differing<Gpu>;
  readonly scraping?: Scraping;
  /** Metrics that are there only some of the time. */
  readonly own?: Readonly<Record<string, Scraping>>;
  /** Labels that change: each from its instant on. */
  readonly lives?: readonly (readonly [from: number, gpu: Differing<Gpu>])[];
}

const given = (calm: Readings, readings: Readings = {}): [metric: string, value: Value][] =>
  Object.entries({ ...calm, ...readings }).flatMap(([metric, value]): [string, Value][] =>
    value === null ? [] : [[metric, value]],
  );
const living = (all: readonly Series[]): Series[] => all.filter(({ times }) => times.length > 0);

/** An NVIDIA GPU at work in a pod's hands, but for what a situation makes of it. */
export const nvidia =
  ({ readings, gpu, scraping, own = {}, lives = [[0, {}]] }: Made<DcgmGpu> = {}): NodeSeries =>
  (node) =>
    living(
      given(calmNvidia(node), readings).flatMap(([metric, value]) =>
        churned(
          metric,
          scrapes({ ...everyScrape, ...scraping, ...own[metric] }),
          value,
          lives.map(([from, life]) => [from, dcgmLabels({ node, pod: 'train-0', ...gpu, ...life } as DcgmGpu)]),
        ),
      ),
    );

/** An AMD GPU likewise, with the prefix that most fleets have. */
export const amdGpu =
  ({ readings, gpu, scraping, own = {}, lives = [[0, {}]] }: Made<AmdGpu> = {}): NodeSeries =>
  (node) =>
    living(
      given(calmAmd(node), readings).flatMap(([metric, value]) =>
        churned(
          `amd_${metric}`,
          scrapes({ ...everyScrape, ...scraping, ...own[metric] }),
          value,
          lives.map(([from, life]) => [from, amdLabels({ node, pod: 'train-0', ...gpu, ...life } as AmdGpu)]),
        ),
      ),
    );

/** One series beside those of a GPU. */
export const besides =
  (metric: string, value: Value, extra: Readonly<Record<string, string>> = {}, own: Scraping = {}): NodeSeries =>
  (node) => [series(metric, { ...dcgmLabels({ node, pod: 'train-0' }), ...extra }, scrapes({ phase, ...own }), value)];

export type Waits = Readonly<Partial<Record<'cpu' | 'memory' | 'io', Value>>>;

/** How much of the time a host waited; what is left out is calm. */
export const host =
  (waits: Waits = {}, scraping: Scraping = {}): NodeSeries =>
  (node) => {
    const times = scrapes({ ...everyScrape, ...scraping });
    return Object.entries({ cpu: 0.02, memory: 0, io: 0.01, ...waits }).map(([resource, share]) =>
      machineCounter(
        { address: node },
        `node_pressure_${resource}_waiting_seconds_total`,
        times,
        growing(times, share),
      ),
    );
  };
