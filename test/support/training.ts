// A training that reports as fast as it can, for tests that start and kill one. Arguments: how many steps, then the reporter's own.
import { openReporter } from '../../src/report/index.ts';

const steps = Number(process.argv[2]);
// Node makes a pipe non-blocking as soon as it is looked at.
if (process.argv.includes('--look')) void process.stdout.writableLength;
const reporter = await openReporter();
for (let index = 0; index < steps; index++) {
  const step = reporter.step(index);
  step.metric('text', index, { note: 'ä'.repeat(200) });
  step.end();
}
await reporter.finish();
