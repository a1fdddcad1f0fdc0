import type { Check } from '../domain/fleet.ts';
import type { Episode } from '../reads/episodes.ts';
import type { ClusterView } from '../reads/view.ts';
import { apartS, type Finding } from '../rules/finding.ts';
import { judge, type Target } from '../rules/judge.ts';
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
const looksBackS = [3600, 6 * 3600, 24 * 3600, 7 * 24 * 3600];

/**
 * When conditions began: the start of their stretch, also before the window. Null for one that goes back a week or more.
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
    // Less than a joint after the window's start another stretch may lie before it that is the same condition.
    if (each.finding.from - start < apartS && each.target.spans[0]?.from === start) open.push(each);
    else found.set(each, each.finding.from);
  }
  for (const backS of looksBackS) {
    if (open.length === 0) break;
    const earlier = view.reaching(backS, 0);
    const checks = new Set<Check>(open.map(({ finding }) => checkOf[finding.kind]));
    const evidence = await readEvidence(earlier, new Set(open.map(({ node }) => node)), checks, episodes);
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

/** The same target, of which the first stretch begins earlier. */
function backTo({ target, finding }: Beginning, from: number): Target {
  const [first, ...others] = target.spans;
  return { ...target, kinds: new Set([finding.kind]), spans: first ? [{ ...first, from }, ...others] : [] };
}

function beginningIn(findings: readonly Finding[], { finding }: Beginning): number | null {
  const same = findings.find(
    (other) =>
      other.gpu === finding.gpu && other.evidence.resource === finding.evidence.resource && overlap(other, finding),
  );
  return same?.from ?? null;
}
