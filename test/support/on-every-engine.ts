import { spawnSync } from 'node:child_process';
import { engines } from '../../src/embedded/engines.ts';

// The truth tests on every engine that a fleet may keep its telemetry in; `npm test` runs them on the default one.
const failed = Object.keys(engines).filter((engine) => {
  console.log(`\n${engine}`);
  const run = ['run', '--config', 'test/vitest.config.ts', '--root', '.', 'test/truth', ...process.argv.slice(2)];
  const { status } = spawnSync('vitest', run, { stdio: 'inherit', env: { ...process.env, GPUQL_ENGINE: engine } });
  return status !== 0;
});
if (failed.length > 0) console.error(`\nFailed on: ${failed.join(', ')}`);
process.exitCode = failed.length > 0 ? 1 : 0;
