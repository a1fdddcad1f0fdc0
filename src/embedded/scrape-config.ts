import type { Tsdb } from './tsdb.ts';

/** An exporter that the store reads by itself (Prometheus only). */
export interface ScrapeTarget {
  readonly job: string;
  /** `http://127.0.0.1:port/path` */
  readonly url: string;
  readonly intervalS: number;
  readonly honorLabels?: boolean;
  readonly honorTimestamps?: boolean;
  readonly labels?: Readonly<Record<string, string>>;
}

/** The text of `prometheus.yml`, in JSON, which is YAML too. */
export function prometheusConfig(scrape: readonly ScrapeTarget[], { outOfOrderWindow }: Tsdb): string {
  return JSON.stringify({
    global: { scrape_interval: '15s' },
    storage: { tsdb: { out_of_order_time_window: outOfOrderWindow } },
    scrape_configs: scrape.map(scrapeConfig),
  });
}

function scrapeConfig(target: ScrapeTarget): object {
  const { protocol, host, pathname, searchParams } = new URL(target.url);
  const interval = `${Math.round(target.intervalS * 1000)}ms`;
  return {
    job_name: target.job,
    scheme: protocol.slice(0, -1),
    metrics_path: pathname,
    params: Object.fromEntries([...searchParams.keys()].map((name) => [name, searchParams.getAll(name)])),
    scrape_interval: interval,
    scrape_timeout: interval,
    honor_labels: target.honorLabels ?? false,
    honor_timestamps: target.honorTimestamps ?? true,
    static_configs: [{ targets: [host], labels: target.labels ?? {} }],
  };
}
