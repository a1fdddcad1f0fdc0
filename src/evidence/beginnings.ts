import type { Check } from '../domain/fleet.ts';
import type { Episode } from '../reads/episodes.ts';
import type { ClusterView } from '../reads/view.ts';
import { apartS, type Finding } from '../rules/finding.ts';
import { judge } from '../rules/judge.ts';
import type { Target } from '../rules/target.ts';
import { overlap } from '../rules/span.ts';
import { termsOf } from './terms.ts';
import { readEvidence } from './evidence.ts';
import { nodeFacts } from './found.ts';
import { checkOf } from './needs.ts';

/** A condition of which is asked when it really began. */
export interface Beginning {
  readonly node: string;
  readonly finding: Finding;
  readonly target: Target;
}

// Looked for ever further back, since most conditions are short.
const hourS = 3600;
const dayS = 24 * hourS;
const looksBackS = [hourS, 6 * hourS, dayS, 7 * dayS, 30 * dayS];

/**
 * When conditions began: the start of their stretch, also before the window. Null for one that goes back a month or more.
 *
 * Upstream: nothing for those that began inside the window; for the others what their evidence costs on their own nodes, once
 * for each look further back.
 */
export async function readBeginnings(
  view: ClusterView,
  asked: readonly Beginning[],
  episodes: () => Promise<ReadonlyMap<string, readonly Episode[]>>,
): Promise<ReadonlyMap<Beginning, number | null>> {
  const found = new Map<Beginning, number | null>();
  const start = view.window.start;
  let open: Beginning[] = [];
  for (const each of asked) {
    // Less than a joint after the edge another stretch may lie before it that is the same condition.
    const edge = each.target.spans.find(({ to }) => each.finding.from <= to)?.from ?? start;
    if (each.finding.from - edge < apartS) open.push(each);
    else found.set(each, each.finding.from);
  }
  for (const backS of looksBackS) {
    if (open.length === 0) break;
    const earlier = view.reaching(backS, 0);
    const checks = new Set<Check>(open.map(({ finding }) => checkOf[finding.kind]));
    const nodes = new Set(open.map(({ node }) => node));
    const evidence = await readEvidence(earlier, nodes, checks, { episodes, listens: false });
    for (const error of evidence.failed.values()) throw error;
    const { byName } = await view.inventory();
    open = open.filter((each) => {
      const facts = nodeFacts(evidence.found, each.node, byName.get(each.node)?.gpus.keys() ?? []);
      const from = beginningIn(judge(facts, backTo(each, start - backS), termsOf(view)), each) ?? each.finding.from;
      const isOpen = from - (start - backS) < apartS;
      if (!isOpen) found.set(each, from);
      return isOpen;
    });
  }
  for (const each of open) found.set(each, null);
  return found;
}

/** The finding's own stretch of the target, reaching further back, whoever ran there before. */
function backTo({ target, finding }: Beginning, from: number): Target {
  const own = target.spans.find(({ to }) => finding.from <= to);
  return {
    pods: target.pods,
    kinds: new Set([finding.kind]),
    spans: own ? [{ from, to: own.to }] : [],
    medianPct: finding.evidence.medianActivityPct,
  };
}

function beginningIn(findings: readonly Finding[], { finding }: Beginning): number | null {
  const same = findings.find(
    (other) =>
      other.gpu === finding.gpu && other.evidence.resource === finding.evidence.resource && overlap(other, finding),
  );
  return same?.from ?? null;
}
