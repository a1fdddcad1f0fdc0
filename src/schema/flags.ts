import type { GraphQLResolveInfo } from 'graphql';
import { type Check, checks as allChecks, type FlagKind, flagKinds, type Severity } from '../domain/fleet.ts';
import { naturally } from '../identity/node-names.ts';
import { termsOf } from '../evidence/terms.ts';
import { nodeFacts } from '../evidence/found.ts';
import { checkOf, isPossible } from '../evidence/needs.ts';
import { judge } from '../rules/judge.ts';
import type { ClusterInWindow, Operation } from './operation.ts';
import type { FlagInWindow, JudgedNode, NodeInWindow, NodeTarget, Report } from './refs.ts';
import { selectedAt } from './selection.ts';

export interface FlagArguments {
  readonly kinds?: readonly FlagKind[] | null | undefined;
  readonly minSeverity?: Severity | null | undefined;
}

/**
 * What the rules say of some nodes.
 *
 * @throws Refusal where the store did not answer for something that is checked
 */
export async function reportOf(
  of: ClusterInWindow,
  targets: readonly NodeTarget[],
  { kinds: asked, minSeverity }: FlagArguments,
  operation: Operation,
  info?: GraphQLResolveInfo,
): Promise<Report> {
  const kinds = new Set(flagKinds.filter((kind) => asked?.includes(kind) ?? true));
  const wanted = new Set<Check>([...kinds].map((kind) => checkOf[kind]));
  const checked = allChecks.filter((check) => wanted.has(check) && isPossible(check, of.view.cluster.vendor));
  const judging = Promise.all(
    (checked.length > 0 ? targets : []).map(async (target): Promise<JudgedNode> => {
      const evidence = await of.load.flags.evidence(target.node.entry.name, new Set(checked));
      // What others of the document ask about the same node is read with it, and is not of this report.
      const answered = evidence!.answered.filter(({ check }) => checked.includes(check));
      return { ...target, evidence: { ...evidence!, answered } };
    }),
  );
  const nodes = await (info && walksOn(info) ? operation.walks.track(judging) : judging);
  const fired = nodes.flatMap((node) => flagsOf(of, node, kinds)).sort(byWeight);
  return {
    of,
    asked: kinds,
    checked,
    nodes,
    fired,
    shown: fired.filter(({ finding }) => minSeverity !== 'HIGH' || finding.severity === 'HIGH'),
    partial: operation.upstream.partial.has(of.view.cluster.name),
  };
}

/**
 * A document that walks on from flags reads of just their nodes and GPUs: what else it reads waits, and is read together with
 * that. One that only names them keeps nothing waiting.
 */
const walksOn = (info: GraphQLResolveInfo): boolean =>
  ['node', 'gpu'].some((field) =>
    [...selectedAt(info, ['flags', field])].some((name) => !['name', 'index', '__typename'].includes(name)),
  );

/** The whole window of a node, whoever used it. */
export const wholeNode = (node: NodeInWindow): NodeTarget => {
  const { window, until } = node.of.view;
  return {
    node,
    pods: null,
    expectsGpus: false,
    spans: window.start < until ? [{ from: window.start, to: until }] : [],
  };
};

function flagsOf({ view }: ClusterInWindow, { node, pods, spans, evidence }: JudgedNode, kinds: ReadonlySet<FlagKind>) {
  const { name, gpus } = node.entry;
  const target = { pods, spans, kinds };
  const facts = nodeFacts(evidence.found, name, gpus.keys());
  return judge(facts, target, termsOf(view)).map((finding): FlagInWindow => ({ node, finding, target }));
}

const byWeight = (a: FlagInWindow, b: FlagInWindow): number =>
  Number(b.finding.severity === 'HIGH') - Number(a.finding.severity === 'HIGH') ||
  Math.floor(a.finding.from) - Math.floor(b.finding.from) ||
  naturally(a.node.entry.name, b.node.entry.name) ||
  (a.finding.gpu ?? -1) - (b.finding.gpu ?? -1) ||
  flagKinds.indexOf(a.finding.kind) - flagKinds.indexOf(b.finding.kind);
