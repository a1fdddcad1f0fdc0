import type DataLoader from 'dataloader';
import type { Check } from '../domain/fleet.ts';
import { type Beginning, readBeginnings } from '../evidence/beginnings.ts';
import { type Evidence, readEvidence } from '../evidence/evidence.ts';
import type { Episode } from '../reads/episodes.ts';
import type { ClusterView } from '../reads/view.ts';
import { batched, type Rhythm } from './batch.ts';

interface EvidenceKey {
  readonly node: string;
  readonly checks: ReadonlySet<Check>;
}

/** What the flags of one view rest on, read for all nodes and checks that a document asks about at once. */
export class FlagLoaders {
  readonly #evidence: DataLoader<EvidenceKey, Evidence | null, string>;
  readonly #beginnings: DataLoader<Beginning, number | null, string>;

  constructor(view: ClusterView, rhythm: Rhythm, episodes: () => Promise<ReadonlyMap<string, readonly Episode[]>>) {
    const idOf = ({ node, checks }: EvidenceKey) => `${node} ${[...checks].sort().join(' ')}`;
    this.#evidence = batched(rhythm, 'evidence', idOf, async (keys) => {
      const checks = new Set(keys.flatMap((key) => [...key.checks]));
      const evidence = await readEvidence(view, new Set(keys.map(({ node }) => node)), checks, { episodes });
      return ({ checks: own }) => [...own].map((check) => evidence.failed.get(check)).find(Boolean) ?? evidence;
    });
    const wordOf = ({ node, finding: { kind, gpu, from, evidence }, target }: Beginning) =>
      JSON.stringify([node, kind, gpu, evidence.resource, from, target.spans, [...(target.pods ?? [])]]);
    this.#beginnings = batched(rhythm, 'beginnings', wordOf, async (asked) => {
      const found = await readBeginnings(view, asked, episodes);
      return (each) => found.get(each) ?? null;
    });
  }

  /** Evidence about a node, and others. Rejects where the store did not answer for one of these checks. */
  evidence(node: string, checks: ReadonlySet<Check>): Promise<Evidence | null> {
    return this.#evidence.load({ node, checks });
  }

  /** When a condition really began, epoch seconds, before the window or in it; null where it goes back too far. */
  beginning(asked: Beginning): Promise<number | null> {
    return this.#beginnings.load(asked);
  }
}
