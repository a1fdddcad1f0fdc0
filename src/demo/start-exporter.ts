import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jobs } from './exporters.ts';
import type { Job } from './exporters.ts';
import { exposition } from './exposition.ts';

/** One scrape configuration for the demo's store. */
export interface ScrapeTarget {
  readonly job: Job;
  readonly url: string;
  readonly intervalS: number;
  readonly honorLabels: boolean;
}

export interface DemoExporter {
  readonly url: (job: Job) => string;
  readonly targets: readonly ScrapeTarget[];
  readonly close: () => Promise<void>;
}

/** Serves what the fleet shows now, on a free port of the loopback. `now` is epoch seconds. */
export async function startExporter(t0: number, now: () => number = () => Date.now() / 1000): Promise<DemoExporter> {
  const server = createServer((request, response) => {
    const job = jobs.find((job) => request.url === `/${job}/metrics`);
    response.statusCode = job ? 200 : 404;
    response.setHeader('content-type', 'text/plain; version=0.0.4; charset=utf-8');
    response.end(
      job ? exposition(t0, now(), job) : `Nothing here; try ${jobs.map((job) => `/${job}/metrics`).join(', ')}\n`,
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = (job: Job) => `http://127.0.0.1:${port}/${job}/metrics`;
  return {
    url,
    targets: jobs.map((job) => ({ job, url: url(job), intervalS: 30, honorLabels: true })),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
