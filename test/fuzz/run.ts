import { parseArgs } from 'node:util';

import { engines } from '../../src/embedded/engines.ts';
import type { Engine } from '../../src/embedded/store.ts';
import { hunt } from './hunt.ts';
import { tallyText } from './tally.ts';

// `npm run fuzz`: the long hunt over every engine. `-- --seed 7 --count 2000 --engine prometheus-3` for less, or again.
const { values } = parseArgs({
  options: { seed: { type: 'string' }, count: { type: 'string', default: '20000' }, engine: { type: 'string' } },
});
const seed = Number(values.seed ?? Date.now() % 2_147_483_647);
const chosen = Object.keys(engines).filter((engine) => (values.engine ?? engine) === engine) as Engine[];
const each = Math.ceil(Number(values.count) / chosen.length);
console.log(`seed ${seed}, ${each} expressions on each of ${chosen.join(', ')}`);

for (const engine of chosen) {
  const began = performance.now();
  const { tally, counterexample } = await hunt({ engine, seed: seed + chosen.indexOf(engine), count: each });
  console.log(`\n${engine} (${Math.round((performance.now() - began) / 1000)} s)\n${tallyText(tally)}`);
  if (counterexample === undefined) continue;
  console.error(`\nBroken on ${engine} by\n${counterexample}`);
  process.exitCode = 1;
}
