/**
 * Loaded into a child before its own program. The child tells how long its event loop stood still at most since it was
 * last asked, and ends with its parent.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';

const resolution = 5;
const delay = monitorEventLoopDelay({ resolution });
delay.enable();

process.on('message', () => {
  // What is recorded is the time from one tick to the next, the tick itself included.
  process.send!({ longestBlockMs: Math.max(0, delay.max / 1e6 - resolution) });
  delay.reset();
});
process.on('disconnect', () => process.exit());
process.channel?.unref();
