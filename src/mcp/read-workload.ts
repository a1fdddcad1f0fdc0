import { windowArgument, type ReadArguments } from './arguments.ts';
import type { Graph } from './ask.ts';
import { valuesFor, type Detail } from './detail.ts';
import { envelopeOf, placementOf, readingNote, workloadOf } from './envelope.ts';
import { answered, failuresOf, failureWords, onlyOnce, partialWords } from './failures.ts';
import { flaggedBlocks } from './flagged-blocks.ts';
import { ReadNodesDocument, ReadPlacementDocument } from './generated/graphql.ts';
import { placementSources } from './names.ts';
import { nodeBlock } from './node-block.ts';
import { left, stepsFrom } from './read-node.ts';
import type { Target } from './target.ts';
import { answerBudget, fitted, tokensOf } from './tokens.ts';
import type { Blocks } from './blocks.ts';

/** Beyond so many nodes no values are told; beyond so many GPUs not even mean, min and max fit. */
const [valuesOfNodes, statsOfGpus] = [8, 64];

/** Where a workload ran, and the readings of its nodes: of all, in the detail that fits, else of what has a flag. */
export async function readWorkload(graph: Graph, args: ReadArguments, target: Target & object): Promise<object> {
  const at = { cluster: args.cluster, island: args.island };
  const placed = await graph(ReadPlacementDocument, {
    ...at,
    ...(target as Exclude<Target, { node: string }>),
    window: windowArgument(args),
  });
  const cluster = answered(placed.data?.cluster, placed, 'cluster');
  const workload = answered(cluster.workload, placed, 'workload');
  const placement = answered(workload.placement, placed, 'placement');
  const nodes = answered(workload.nodes, placed, 'nodes');
  const source = answered(workload.placementSource, placed, 'placementSource');
  // The documents after the first are about the very window that it resolved.
  const { start, end } = cluster.window;
  const window = { start, end, points: args.points ?? 48 };

  const compose = (blocks: Blocks, count = Number.POSITIVE_INFINITY) => {
    const answers = [placed, ...blocks.answers];
    const failures = onlyOnce(answers.flatMap(failuresOf));
    const told = blocks.nodes.slice(0, count);
    const omitted = [
      ...blocks.omitted(count),
      ...(told.length < nodes.length ? [`${nodes.length - told.length} of ${nodes.length} nodes were left out.`] : []),
      ...(count < placement.length ? [`${placement.length - count} entries of placement were left out.`] : []),
    ];
    return {
      ...envelopeOf(cluster, workload.coverage, [
        readingNote,
        workload.note,
        ...(blocks.notes ?? []),
        ...failureWords(failures),
        ...new Set(answers.flatMap(partialWords)),
      ]),
      workload: workloadOf(workload),
      placement: placementOf(placement.slice(0, count)),
      placement_source: placementSources[source],
      nodes: Object.fromEntries(told.map(({ name, block }) => [name, block(count)])),
      ...(failures.length > 0 && { failed: failures }),
      ...(omitted.length > 0 && { omitted: [...omitted, 'Ask action=node for all of one node.'].join(' ') }),
    };
  };

  const asked: Detail = args.detail ?? 'summary';
  const steps = stepsFrom(nodes.length > valuesOfNodes ? 'stats' : asked);
  const gpus = nodes.reduce((sum, { gpuCount }) => sum + (gpuCount ?? 0), 0);
  if (gpus <= statsOfGpus) {
    const names = nodes.map(({ name }) => name);
    const answer = await graph(ReadNodesDocument, { ...at, names, window, ...valuesFor(steps[0]!) });
    const read = answered(answered(answer.data?.cluster, answer, 'cluster').nodes, answer, 'nodes').nodes;
    for (const detail of steps) {
      const composed = compose({
        answers: [answer],
        nodes: read.map((node) => ({ name: node.name, block: () => nodeBlock(node, detail) })),
        omitted: () => (detail === asked ? [] : [left[detail]]),
      });
      if (tokensOf(composed) <= answerBudget) return composed;
    }
  }
  const blocks = await flaggedBlocks(graph, { ...args, ...window }, target, nodes);
  return fitted(Math.max(blocks.items, nodes.length, placement.length), (count) => compose(blocks, count));
}
