import { availableParallelism, loadavg } from 'node:os';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { cheap } from './cheap.bench.ts';
import { crossover } from './crossover.bench.ts';
import { flags } from './flags.bench.ts';
import { forward } from './forward.bench.ts';
import { large } from './large.bench.ts';
import { live } from './live.bench.ts';
import { oneByOne } from './one-by-one.bench.ts';
import { small } from './small.bench.ts';
import { notMeasured, table, type Verdict } from './verdict.ts';
import { wrapper } from './wrapper.bench.ts';

const benches: Readonly<Record<string, () => Promise<Verdict[]>>> = {
  small,
  large,
  'one-by-one': oneByOne,
  wrapper,
  cheap,
  crossover,
  live,
  flags: () => flags(size),
  forward: () => forward(values.lines ? { lines: Number(values.lines) } : {}),
};
/** A first run may have to install what the wrapper bench compares with. */
const atMostMs = 240_000;
/** Of those that load far more than the others. */
const longerMs: Readonly<Record<string, number>> = { flags: 1_500_000, forward: 1_500_000 };

const { values, positionals: asked } = parseArgs({
  allowPositionals: true,
  options: {
    nodes: { type: 'string' },
    hours: { type: 'string' },
    lines: { type: 'string' },
    strained: { type: 'boolean' },
  },
});
/** How large the fleet of the flags bench is, where it is not the usual size. */
const size = {
  ...(values.nodes && { nodes: Number(values.nodes) }),
  ...(values.hours && { hours: Number(values.hours) }),
  ...(values.strained && { strained: true }),
};
const unknown = asked.filter((name) => !Object.hasOwn(benches, name));
if (unknown.length > 0)
  console.log(`no bench is named ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}`);

const loads = loadavg()
  .map((load) => load.toFixed(1))
  .join(' ');
console.log(`Node ${process.version}, ${availableParallelism()} cores, load ${loads}.`);
console.log('The store, the gateway and the clients share the machine: trust ratios, not milliseconds.');
const verdicts: Verdict[] = [];
for (const [name, bench] of Object.entries(benches)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const start = performance.now();
  console.log(`\n${name}`);
  verdicts.push(...(await bounded(name, bench)));
  console.log(`  (${Math.round((performance.now() - start) / 1000)} s, load ${loadavg()[0]!.toFixed(1)})`);
}
if (verdicts.length > 0) console.log(`\n${table(verdicts)}`);
// Times never fail a build; whatever a bench left running ends with this process.
process.exit(0);

async function bounded(name: string, bench: () => Promise<Verdict[]>): Promise<Verdict[]> {
  const { promise: late, resolve } = Promise.withResolvers<Verdict[]>();
  const limitMs = longerMs[name] ?? atMostMs;
  const timer = setTimeout(() => resolve([notMeasured(name, `it took more than ${limitMs / 1000} s`)]), limitMs);
  try {
    return await Promise.race([bench(), late]);
  } catch (error) {
    return [notMeasured(name, error instanceof Error ? error.message : String(error))];
  } finally {
    clearTimeout(timer);
  }
}
