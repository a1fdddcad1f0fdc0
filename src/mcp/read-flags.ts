import { windowArgument, type ReadArguments } from './arguments.ts';
import type { Graph, GraphAnswer } from './ask.ts';
import { envelopeOf, placementOf, workloadOf } from './envelope.ts';
import { answered, failuresOf, failureWords, partialWords } from './failures.ts';
import { flagOf } from './flag-block.ts';
import {
  JudgeNodeDocument,
  JudgeWorkloadDocument,
  type EnvelopeFragment,
  type PlacedFragment,
  type ReportFragment,
} from './generated/graphql.ts';
import { lowered } from './names.ts';
import type { Target } from './target.ts';
import { fitted } from './tokens.ts';

interface Judged {
  readonly answer: GraphAnswer<unknown>;
  readonly cluster: EnvelopeFragment;
  readonly report: ReportFragment;
  /** What was judged: of a workload, with where it was. */
  readonly of: { readonly node: string } | PlacedFragment;
}

/** What is wrong with a node or a workload, with evidence. */
export async function readFlags(graph: Graph, args: ReadArguments, target: Target): Promise<object> {
  const { answer, cluster, report, of } = await judge(graph, args, target);
  const failures = failuresOf(answer);
  const notes = [report.note, ...failureWords(failures), ...partialWords(answer)];
  const envelope = envelopeOf(cluster, report.coverage, notes);
  const placement = 'placement' in of ? answered(of.placement, answer, 'placement') : [];
  const most = Math.max(report.flags.length, placement.length);
  return fitted(most, (count) => {
    const flags = report.flags.slice(0, count).map(flagOf);
    const omitted = [
      ...(flags.length < report.flags.length ? [`the ${report.flags.length - flags.length} least serious flags`] : []),
      ...(count < placement.length ? [`${placement.length - count} entries of placement`] : []),
    ];
    return {
      ...envelope,
      target: 'node' in of ? of : { workload: workloadOf(of), placement: placementOf(placement.slice(0, count)) },
      checked: lowered(report.checked),
      unavailable: lowered(report.unavailable),
      clean: report.clean,
      flags,
      ...(failures.length > 0 && { failed: failures }),
      ...(omitted.length > 0 && { omitted: `The answer was too long: ${omitted.join(' and ')} were left out.` }),
    };
  });
}

/** @throws ToolRefusal where the target is not there, or could not be judged */
export async function judge(graph: Graph, args: ReadArguments, target: Target): Promise<Judged> {
  const at = { cluster: args.cluster, island: args.island, window: windowArgument(args) };
  if ('node' in target) {
    const answer = await graph(JudgeNodeDocument, { ...at, node: target.node });
    const cluster = answered(answer.data?.cluster, answer, 'cluster');
    const node = answered(cluster.node, answer, 'node');
    return { answer, cluster, report: answered(node.flags, answer, 'flags'), of: { node: node.name } };
  }
  const answer = await graph(JudgeWorkloadDocument, { ...at, ...target });
  const cluster = answered(answer.data?.cluster, answer, 'cluster');
  const workload = answered(cluster.workload, answer, 'workload');
  return { answer, cluster, report: answered(workload.flags, answer, 'flags'), of: workload };
}
