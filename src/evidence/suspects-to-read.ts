import { Refusal } from '../errors.ts';
import type { Targets } from '../reads/targets.ts';
import type { ClusterView } from '../reads/view.ts';
import { targetsOf } from './subject.ts';

// Of each reading. What is read is held until it is judged: this many take about a gigabyte in all.
const samplesAtMost = 2_500_000;

/**
 * The GPUs whose samples are to be read, unless these would be too many: in a fleet where something is wrong with almost
 * every GPU, or where every loaded one touches its power limit.
 *
 * @param reading  what it is about
 * @throws Refusal QUERY_TOO_LARGE: says by how much, and what to change
 */
export function toRead(view: ClusterView, keys: Iterable<string>, reading: string): Targets {
  const suspects = new Set(keys);
  const { start, end } = view.window;
  const samples = Math.ceil((suspects.size * (end - start)) / view.scrapeS());
  if (samples <= samplesAtMost) return targetsOf(suspects);
  throw new Refusal(
    'QUERY_TOO_LARGE',
    `${suspects.size} GPUs may have broken a rule (${reading}): ${samples} samples would have to be read of them, and ${samplesAtMost} is the most. Narrow the window, ask for fewer nodes or for other kinds of flags, or, where GPUs always throttle a little, set flags.minThrottledPct in the configuration.`,
  );
}
