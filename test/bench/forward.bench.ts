import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { startStore } from '../../src/embedded/store.ts';
import { startChild } from './child.ts';
import { startGatewayProcess } from './gateway-process.ts';
import { cpuOf, median, type Timing } from './side-by-side.ts';
import { ratio, type Verdict, verdict } from './verdict.ts';

const rounds = 2;
const usualLines = 10_000_000;
/** What a forwarder may hold of a file of any length. */
const mostMb = 400;

export interface ForwardSize {
  readonly lines?: number;
}

/** So many go into a store too: each is looked for there, written, and can be read. */
const storedLines = 500_000;

/** A long file of events, forwarded to a sink, against reading it and parsing each line, each a process of its own. */
export async function forward({ lines = usualLines }: ForwardSize = {}): Promise<Verdict[]> {
  const folder = await mkdtemp(join(tmpdir(), 'gpuql-bench-'));
  const file = join(folder, 'x.jsonl');
  const sink = await startChild([program('./report-sink.ts')], /answers at (\S+)/);
  try {
    await writeEvents(file, lines);
    const gpuql = program('../../src/gpuql.ts');
    const state = join(folder, 'state.json');
    const forwarding = [gpuql, 'forward', '--run', 'r', '--cluster', 'c', '--file', file, '--state', state];
    const alone = timing('read and JSON.parse alone');
    const forwarded = timing('gpuql forward');
    const peaks: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      add(alone, await runToEnd([program('./parse-alone.ts'), file], {}, `${lines} lines`));
      await rm(state, { force: true });
      const ran = await runToEnd(forwarding, { GPUQL_URL: sink.match[1]! }, `${lines} events: ${lines} new.`);
      add(forwarded, ran);
      peaks.push(ran.peakMb);
    }
    for (const { name, wall, ...one } of [alone, forwarded]) {
      const rate = (lines / median(wall)) * 1000;
      const cpu = (lines / cpuOf({ name, wall, ...one })) * 1000;
      console.log(`    ${name.padEnd(38)} ${rate.toFixed(0)} lines/s; ${cpu.toFixed(0)} a second of its CPU`);
    }
    return [
      ratio(`forward: ${lines} lines to a sink / reading and parsing them alone`, forwarded, alone, { atMost: 3 }),
      verdict('forward: peak memory', median(peaks), Math.min(...peaks), { atMost: mostMb, unit: 'MB' }),
      await intoStore(folder, Math.min(lines, storedLines)),
    ];
  } finally {
    await sink.child.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The whole way: forwarder, gateway and store, against reading and parsing the same lines. */
async function intoStore(folder: string, lines: number): Promise<Verdict> {
  const file = join(folder, 'stored.jsonl');
  await writeEvents(file, lines);
  const store = await startStore();
  const gateway = await startGatewayProcess(store.url, ['c']);
  try {
    const alone = timing('read and JSON.parse alone');
    const stored = timing('gpuql forward into a store');
    add(alone, await runToEnd([program('./parse-alone.ts'), file], {}, `${lines} lines`));
    const forwarding = [program('../../src/gpuql.ts'), 'forward', '--run', 'r', '--cluster', 'c', '--file', file];
    add(stored, await runToEnd(forwarding, { GPUQL_URL: gateway.url }, `${lines} events: ${lines} new.`));
    console.log(`    ${stored.name.padEnd(38)} ${((lines / stored.wall[0]!) * 1000).toFixed(0)} lines/s`);
    return ratio(`forward: ${lines} lines into a store / reading and parsing them alone`, stored, alone, {});
  } finally {
    await gateway.stop();
    await store.close();
  }
}

const program = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

interface OwnTiming extends Timing {
  readonly wall: number[];
  readonly cpu: { readonly own: number[] };
}

const timing = (name: string): OwnTiming => ({ name, wall: [], cpu: { own: [] } });

interface Ran {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakMb: number;
}

function add({ wall, cpu }: OwnTiming, { wallMs, cpuMs }: Ran): void {
  wall.push(wallMs);
  cpu.own.push(cpuMs);
}

/** @param said  what it has to have said, or it did something else than what is measured */
async function runToEnd(args: readonly string[], env: Readonly<Record<string, string>>, said: string): Promise<Ran> {
  const began = performance.now();
  const figures = new URL('./own-figures.ts', import.meta.url).href;
  const child = spawn(process.execPath, ['--import', figures, ...args], { env: { ...process.env, ...env } });
  let words = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (words += chunk.toString()));
  await once(child, 'close');
  const wallMs = performance.now() - began;
  const own = /^figures (.*)$/m.exec(words);
  if (!own || !words.includes(said)) throw new Error(`${args[0]} did not say "${said}" but: ${words.slice(-500)}`);
  return { wallMs, ...(JSON.parse(own[1]!) as Omit<Ran, 'wallMs'>) };
}

/** As a trainer with two stages writes them. */
async function writeEvents(path: string, lines: number): Promise<void> {
  const names = ['train/loss', 'train/objective', 'runtime/step_seconds', 'rate/tokens'];
  const file = await open(path, 'w');
  let text = '';
  for (let i = 0; i < lines; i += 1) {
    const metadata = { split: 'train', stage: i % 2 === 0 ? 'easy' : 'hard' };
    const value = Number((2 + Math.sin(i)).toFixed(6));
    text += `${JSON.stringify({ kind: 'metric', ts_ms: 1_764_573_000_000 + i, step: i >> 3, name: names[i % 4], value, metadata })}\n`;
    if (text.length < 4_000_000) continue;
    await file.write(text);
    text = '';
  }
  await file.write(text);
  await file.close();
}
