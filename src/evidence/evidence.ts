import { type Check, checks as allChecks } from '../domain/fleet.ts';
import { isLarge } from '../reads/discovery.ts';
import type { Targets } from '../reads/targets.ts';
import type { ClusterView } from '../reads/view.ts';
import type { Event } from '../rules/facts.ts';
import { reachS } from '../rules/finding.ts';
import { powerEvents, thermalEvents } from '../rules/throttle.ts';
import { Allocation } from './allocation.ts';
import { readClockEvents } from './clock-events.ts';
import type { Answered } from './answers.ts';
import { type Asking, readers } from './checks.ts';
import { emptyFound, type Found } from './found.ts';
import { gpusOf, hostsOf } from './subject.ts';

/** Evidence for and against conditions of some nodes. */
export interface Evidence {
  readonly found: Found;
  readonly answered: readonly Answered[];
  /** Nodes of which nobody tells what ran there, so that idle GPUs cannot be told from collapsed ones. */
  readonly untold: ReadonlySet<string>;
  /** Slowdowns whose cause the exporter does not say, by key. */
  readonly unexplained: ReadonlyMap<string, readonly Event[]>;
  /** Checks for which the store did not answer. */
  readonly failed: ReadonlyMap<Check, Error>;
}

// Questions about a large fleet that the store works on at a time.
const atOnce = 4;

/**
 * What there is to know of conditions on some nodes, for some checks.
 *
 * Upstream, whatever the number of nodes: for each source of what the checks look at one request in which the store names
 * what may break a rule, and one or two that tell whether it answered for everything without silence; then the samples of
 * just what was named.
 *
 * @param listens  whether to find out who answered, too
 */
export async function readEvidence(
  asked: ClusterView,
  nodes: ReadonlySet<string>,
  checks: ReadonlySet<Check>,
  { episodes, listens = true }: Pick<Asking, 'episodes'> & { readonly listens?: boolean },
): Promise<Evidence> {
  const { byName } = await asked.inventory();
  const { size } = await asked.discovered();
  const view = isLarge(size) ? asked.inTurns(atOnce) : asked;
  const targets: Targets = new Map(
    [...nodes].flatMap((name) => {
      const indexes = byName.get(name)?.gpus.keys();
      return indexes ? [[name, new Set(indexes)] as const] : [];
    }),
  );
  const wide = view.reaching(reachS, reachS);
  const asking: Asking = {
    view,
    wide,
    gpus: await gpusOf(view, targets),
    hosts: await hostsOf(view, nodes),
    allocation: new Allocation(view, wide),
    episodes,
    listens,
    found: emptyFound(),
    unexplained: new Map(),
    untold: new Set(),
    clockEvents: once(async () => readClockEvents(view, await gpusOf(view, targets), kindsFor(checks))),
  };
  const failed = new Map<Check, Error>();
  const answered = await Promise.all(
    allChecks
      .filter((check) => checks.has(check))
      .map((check) =>
        readers[check](asking).catch((error: Error) => {
          failed.set(check, error);
          return [];
        }),
      ),
  );
  const { found, unexplained, untold } = asking;
  return { found, unexplained, untold, failed, answered: answered.flat() };
}

const kindsFor = (checks: ReadonlySet<Check>): ReadonlySet<string> =>
  new Set([...(checks.has('THERMAL') ? thermalEvents : []), ...(checks.has('POWER') ? powerEvents : [])]);

/** What several checks need, asked for when the first one does. */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let held: Promise<T> | undefined;
  return () => (held ??= read());
}
