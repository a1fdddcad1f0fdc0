import type { FlagKind } from '../domain/fleet.ts';
import type { ClusterSite } from '../domain/site.ts';
import { checkOf } from '../evidence/needs.ts';
import type { Look, Sighting } from '../live/changes.ts';
import type { Subject } from '../live/known.ts';
import { gpuKey } from '../reads/by-gpu.ts';
import { apartS } from '../rules/finding.ts';
import { overlap } from '../rules/span.ts';
import { silentAfterS } from '../samples/silence.ts';
import { surelyKeyOf } from './flag-context.ts';
import { reportOf, wholeNode } from './flags.ts';
import type { Operation } from './operation.ts';
import { inventoryOf } from './reference.ts';
import type { FlagInWindow, JudgedNode, Report } from './refs.ts';

/** What is judged each time: the usual window of a query, so that both say the same. */
export const liveRange = 'LAST_6H';

/** One evaluation of a cluster, as all subscribers share it. */
export interface FlagLook extends Look<FlagInWindow> {
  readonly operation: Operation;
}

/**
 * Judges a cluster as it is now.
 *
 * @param before  the evaluation before: what goes on keeps its key, and nothing is asked for it
 * @throws        Refusal where the store did not answer for all of it: half of the flags must not look like all
 */
export async function lookAtFlags(
  operation: Operation,
  site: ClusterSite,
  kinds: readonly FlagKind[] | null,
  before: FlagLook | undefined,
): Promise<FlagLook> {
  const of = operation.cluster(site, { range: liveRange });
  const { view } = of;
  const { nodes } = await inventoryOf(of, operation);
  const targets = nodes.map((entry) => wholeNode({ of, entry }));
  const report = await reportOf(of, targets, { kinds }, operation);
  const burnsForS = burnsFor(view.scrapeS(), view.scrapeS('nodeExporter'));
  const flags = await Promise.all(
    report.fired.map(async (fired): Promise<Sighting<FlagInWindow>> => {
      const key = keyBefore(fired, before) ?? (await surelyKeyOf(fired));
      const { severity, to } = fired.finding;
      return {
        key,
        subject: subjectOf(fired),
        severity,
        to,
        burns: to > view.until - burnsForS,
        flag: { ...fired, key },
      };
    }),
  );
  return {
    operation,
    at: view.until,
    burnsForS,
    isWhole: !operation.upstream.partial.has(site.name),
    flags,
    hears: (subject) => hears(report, subject),
  };
}

/**
 * A stretch that begins within five minutes of the last evidence is of the same flag, and who says nothing for five minutes
 * is silent: only after that can one know that it is over.
 */
export const burnsFor = (...scrapesS: readonly number[]): number =>
  Math.max(...scrapesS.map((scrapeS) => Math.max(apartS, silentAfterS(scrapeS)) + 2 * scrapeS));

const subjectOf = ({ node, finding: { kind, gpu, evidence } }: FlagInWindow): Subject => ({
  kind,
  node: node.entry.name,
  gpu,
  resource: evidence.resource ?? null,
});

/** The key of what was there already: the same condition of the same GPU, that has gone on. */
function keyBefore(fired: FlagInWindow, before: FlagLook | undefined): string | undefined {
  const { kind, node, gpu, resource } = subjectOf(fired);
  const { from, to } = fired.finding;
  return before?.flags.findLast(
    ({ subject, flag }) =>
      subject.node === node &&
      subject.kind === kind &&
      subject.gpu === gpu &&
      subject.resource === resource &&
      overlap(flag.finding, { from, to }),
  )?.key;
}

/** Whether what a condition rests on was heard up to the end. */
function hears({ nodes, of }: Report, { kind, node, gpu }: Subject): boolean {
  const judged = nodes.find((one) => one.node.entry.name === node);
  if (!judged) return false;
  const check = checkOf[kind];
  if (check === 'UTILIZATION' && judged.evidence.untold.has(node)) return false;
  const heard = judged.evidence.answered
    .filter((answered) => answered.check === check)
    .flatMap((answered) => keysOf(judged, answered.of, gpu).flatMap((key) => answered.heard.get(key) ?? []))
    .filter(({ present }) => present);
  const isSilent = ({ whole, silent }: (typeof heard)[number]) =>
    !whole && (silent === null || silent.some(({ to }) => to >= of.view.until - 1));
  return heard.length > 0 && !heard.some(isSilent);
}

function keysOf({ node: { entry } }: JudgedNode, of: 'gpu' | 'host', gpu: number | null): string[] {
  if (of === 'host') return [entry.name];
  return (gpu === null ? [...entry.gpus.keys()] : [gpu]).map((index) => gpuKey(entry.name, index));
}
