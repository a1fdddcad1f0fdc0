import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type LoadedSeries, startStore } from '../../src/embedded/store.ts';
import { dcgmLabels } from '../support/fleet/dcgm.ts';
import { subscribeTo, type Subscriber } from './event-client.ts';
import { allFields, fleet, gpusPerNode, nodeName, scrapeS } from './fleet.ts';
import { startGatewayProcess } from './gateway-process.ts';
import { cpuMs, rssMb } from './process-figures.ts';
import { startRecordingStore } from './recording-store.ts';
import { verdict, type Verdict } from './verdict.ts';

const [nodes, cluster, changes] = [8, 'live', 50];
const audiences = [1, 1000];
const atMostMs = 120_000;
const document = `subscription { flagChanges(cluster: "${cluster}") { change key cursor flag { kind severity summary node { name } gpu { index } } } }`;

/** A thousand who listen, and fifty flags: what it takes beside one who listens. */
export async function live(): Promise<Verdict[]> {
  const store = await startStore();
  try {
    const now = onGrid();
    await store.load([
      ...fleet({ cluster, nodes, fields: allFields, end: now, spanS: 6.5 * 3600 }),
      ...replays((time) => (time > now ? 5 : 4), now - 6.5 * 3600, now),
    ]);
    const groups = await Promise.all(audiences.map((count) => groupOf(store.url, count)));
    try {
      for (const group of groups) await group.until('CURRENT', 1);
      const idle = groups.map(({ gateway }) => rssMb(gateway.pid));
      const cpu = groups.map(({ gateway }) => cpuMs(gateway.pid));
      for (const { recorder } of groups) recorder.take();
      // One more replay on each of fifty GPUs.
      await store.load(replays(() => 5, now, onGrid() + scrapeS));
      const spreads = await Promise.all(groups.map((group) => group.until('RAISED', changes)));
      const figures = groups.map(({ count, gateway, before, recorder }, i) => ({
        count,
        requests: recorder.take().exchanges.length,
        mb: rssMb(gateway.pid),
        before,
        idle: idle[i]!,
        cpu: cpuMs(gateway.pid) - cpu[i]!,
        spread: spreads[i]!,
      }));
      for (const { count, requests, mb, before, idle: quiet, cpu: ms, spread } of figures) {
        console.log(
          `  ${count} subscribers: ${Math.round(before)} MB before, ${Math.round(quiet)} MB idle, ${Math.round(mb)} MB after ${changes} flags each;` +
            ` ${requests} upstream requests, ${Math.round(ms)} ms of CPU, the first to the last told within ${Math.round(spread)} ms`,
        );
      }
      const [one, many] = [figures[0]!, figures.at(-1)!];
      const perSubscriber = ((many.idle - many.before - (one.idle - one.before)) * 1024) / many.count;
      return [
        verdict(
          'live: upstream requests of 1,000 subscribers / of one',
          many.requests / one.requests,
          many.requests / one.requests,
          {
            atMost: 1,
          },
        ),
        verdict('live: memory of an idle subscriber', perSubscriber, perSubscriber, { unit: 'kB' }),
        verdict('live: memory with 1,000 who were told 50 flags each', many.mb, many.mb, { unit: 'MB' }),
      ];
    } finally {
      await Promise.all(groups.map((group) => group.close()));
    }
  } finally {
    await store.close();
  }
}

const onGrid = (): number => Math.floor(Date.now() / 1000 / scrapeS) * scrapeS;

/** The counter of fifty GPUs that tells of link errors. */
function replays(valueAt: (time: number) => number, from: number, to: number): LoadedSeries[] {
  const times = Array.from({ length: Math.floor((to - from) / scrapeS) }, (_, i) => from + (i + 1) * scrapeS);
  return Array.from({ length: changes }, (_, i) => ({
    labels: {
      ...dcgmLabels({ node: nodeName(1 + Math.floor(i / gpusPerNode)), index: i % gpusPerNode, extra: { cluster } }),
      __name__: 'DCGM_FI_DEV_PCIE_REPLAY_COUNTER',
    },
    times,
    values: times.map(valueAt),
  }));
}

/** A gateway of its own, and so many who listen to it. */
async function groupOf(storeUrl: string, count: number) {
  const recorder = await startRecordingStore(storeUrl);
  const gateway = await startGatewayProcess(recorder.url, [cluster]);
  const agent = new Agent({ maxSockets: Infinity });
  const before = rssMb(gateway.pid);
  const all: Subscriber[] = [];
  for (let i = 0; i < count; i += 50) {
    const some = Array.from({ length: Math.min(50, count - i) }, () => subscribeTo(`${gateway.url}`, document, agent));
    all.push(...(await Promise.all(some)));
  }
  return {
    count,
    recorder,
    gateway,
    before,
    /** Resolves when each was told so often. @returns milliseconds from the first who was to the last */
    async until(change: string, times: number): Promise<number> {
      let first: number | undefined;
      for (const began = performance.now(); performance.now() - began < atMostMs; await sleep(5)) {
        const told = all.filter(({ counts }) => (counts.get(change) ?? 0) >= times).length;
        if (told > 0) first ??= performance.now();
        if (told === all.length) return performance.now() - first!;
      }
      throw new Error(`not all of ${count} were told ${change} ${times} times`);
    },
    async close() {
      for (const subscriber of all) subscriber.leave();
      agent.destroy();
      await gateway.stop();
      await recorder.close();
    },
  };
}
