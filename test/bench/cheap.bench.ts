import { fileURLToPath } from 'node:url';
import { startChild } from './child.ts';
import { Client, dataOf, graphql, type Sent } from './client.ts';
import { nodeName } from './fleet.ts';
import { startGatewayProcess } from './gateway-process.ts';
import { load } from './load.ts';
import { cpuMs } from './process-figures.ts';
import { least, median } from './side-by-side.ts';
import { type Verdict, verdict } from './verdict.ts';

const connections = 8;
const roundMs = 1000;
const rounds = 7;

const clusters = graphql('{ clusters { name island gpuVendor gpuModel } }');
const newest = graphql(
  `{ cluster(name: "small") { node(name: "${nodeName(1)}") { gpu(index: 0) { tempC { last } } } } }`,
);

interface Loaded {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  readonly sent: Sent;
}

/** Requests a second of a document that needs no store, against the HTTP edge over a schema that does nothing. */
export async function cheap(): Promise<Verdict[]> {
  const program = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
  const stub = await startChild([program('./stub-store.ts')], /answers at (\S+)/);
  const bare = await startChild([program('./bare-app.ts')], /answers at (\S+)/);
  const gateway = await startGatewayProcess(stub.match[1]!, ['small']);
  const url = bare.match[1]!;
  const loaded: Loaded[] = [
    { name: 'bare edge', url, pid: bare.child.pid, sent: clusters },
    { name: 'gateway, no store', url: gateway.url, pid: gateway.pid, sent: clusters },
    { name: 'gateway, one reading of a stub store', url: gateway.url, pid: gateway.pid, sent: newest },
  ];
  try {
    for (const one of loaded) await check(one);
    const rates = loaded.map(() => ({ wall: [] as number[], cpu: [] as number[] }));
    for (let round = -1; round < rounds; round += 1) {
      for (const [i, { url, pid, sent }] of loaded.entries()) {
        const before = cpuMs(pid);
        const count = await load(url, sent, connections, roundMs);
        if (round < 0) continue; // the warm-up
        rates[i]!.wall.push((count * 1000) / roundMs);
        rates[i]!.cpu.push((count * 1000) / (cpuMs(pid) - before));
      }
    }
    loaded.forEach(({ name }, i) => {
      const { wall, cpu } = rates[i]!;
      console.log(
        `    ${name.padEnd(38)} median ${median(wall).toFixed(0)}, most ${Math.max(...wall)} requests/s; median ${median(cpu).toFixed(0)} a second of its CPU`,
      );
    });
    const [edge, own, reading] = [rates[0]!, rates[1]!, rates[2]!];
    return [
      verdict('cheap: requests/s of the gateway / the bare edge', ...shares(own.wall, edge.wall), { atLeast: 0.7 }),
      verdict('cheap: the same, for a second of CPU', ...shares(own.cpu, edge.cpu), { atLeast: 0.7 }),
      verdict('cheap: with one reading of a stub store', ...shares(reading.wall, edge.wall), {}),
    ];
  } finally {
    await Promise.all([gateway.stop(), bare.child.stop(), stub.child.stop()]);
  }
}

/** Of the medians, and of the best rounds. */
const shares = (one: readonly number[], other: readonly number[]): [number, number] => [
  median(one) / median(other),
  least(other.map((rate) => 1 / rate)) / least(one.map((rate) => 1 / rate)),
];

async function check({ url, sent }: Loaded): Promise<void> {
  const client = new Client(url, 1);
  try {
    await dataOf(client, sent);
  } finally {
    await client.close();
  }
}
