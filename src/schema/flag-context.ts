import { Refusal } from '../errors.ts';
import { checkOf } from '../evidence/needs.ts';
import type { Episode } from '../reads/episodes.ts';
import { modelName } from '../reads/reference.ts';
import { overlap } from '../rules/span.ts';
import { formatInstant } from '../window/instant.ts';
import type { Operation } from './operation.ts';
import { gpuModelOf, referenceOf } from './reference.ts';
import type { FlagInWindow } from './refs.ts';

/** A word in place of what the store did not tell. */
export const unless =
  <W extends string>(word: W) =>
  (error: unknown): W => {
    if (error instanceof Refusal) return word;
    throw error;
  };

/** What names the condition, also under a later window. */
export async function keyOf(flag: FlagInWindow): Promise<string> {
  // Where the store does not answer for the time before the window, the report is still worth having.
  return flag.key ?? keyWith(flag, await beginningOf(flag).catch(unless('unknown')));
}

/** The same. @throws Refusal where the store does not answer for the time before the window */
export const surelyKeyOf = async (flag: FlagInWindow): Promise<string> => keyWith(flag, await beginningOf(flag));

const beginningOf = ({ node, finding, target }: FlagInWindow): Promise<number | null> =>
  node.of.load.flags.beginning({ node: node.entry.name, finding, target });

function keyWith({ node, finding, target }: FlagInWindow, began: number | null | 'unknown'): string {
  const { view } = node.of;
  const stay = target.spans.find(({ to }) => finding.from <= to)?.stay;
  return [
    view.cluster.island,
    view.cluster.name,
    finding.kind,
    node.entry.name,
    finding.gpu === null ? (finding.evidence.resource ?? 'node') : `gpu ${finding.gpu}`,
    began === null ? 'long ago' : began === 'unknown' ? began : formatInstant(Math.floor(began)),
    ...(stay === undefined ? [] : [stay]),
  ].join('/');
}

/** The episode of the flag's kind that overlaps it: one of its GPU rather than one that names none, the longest first. */
export async function episodeOf({ node, finding }: FlagInWindow): Promise<Episode | null> {
  const { view, load } = node.of;
  const all = (await load.episodes()).get(node.entry.name) ?? [];
  const own = all.filter(
    ({ check, gpu, started, ended }) =>
      check === checkOf[finding.kind] &&
      (gpu === null || finding.gpu === null || gpu === finding.gpu) &&
      overlap({ from: started, to: ended ?? view.newest }, finding),
  );
  const lengthOf = ({ started, ended }: Episode) => (ended ?? view.newest) - started;
  return (
    own.toSorted((a, b) => Number(a.gpu === null) - Number(b.gpu === null) || lengthOf(b) - lengthOf(a))[0] ?? null
  );
}

/** °C to compare a thermal flag's own temperature with. */
export async function referenceOfFlag({ node, finding }: FlagInWindow, operation: Operation): Promise<number | null> {
  if (finding.evidence.peakTempC === undefined) return null;
  const [label] = [...(node.entry.gpus.get(finding.gpu ?? -1)?.models ?? [])];
  const model = label ? modelName(node.of.view.site, label) : await gpuModelOf(node.of, operation);
  return model === null ? null : ((await referenceOf(node.of, operation, model))?.tempP95C ?? null);
}
