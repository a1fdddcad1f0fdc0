import type { ReadArguments } from './arguments.ts';
import type { Graph } from './ask.ts';
import type { Blocks } from './blocks.ts';
import { answered } from './failures.ts';
import { ReadNodesDocument, type EpisodesFragment, type NodeBlockFragment } from './generated/graphql.ts';
import { episodesOf, nodeBlock } from './node-block.ts';
import { judge } from './read-flags.ts';
import { windowArgument } from './arguments.ts';
import type { Target } from './target.ts';

type KnownNode = EpisodesFragment & { readonly name: string; readonly gpuCount: number | null };

/** Of a workload that is too large to be told whole: the GPUs and hosts that have a flag, the most serious first. */
export async function flaggedBlocks(
  graph: Graph,
  args: ReadArguments,
  target: Target,
  nodes: readonly KnownNode[],
): Promise<Blocks & { readonly items: number }> {
  const { answer: judged, report } = await judge(graph, args, target);
  const order = [...new Set(report.flags.map(({ node, gpu }) => keyOf(node.name, gpu?.index ?? null)))];
  const rank = new Map(order.map((key, nth) => [key, nth] as const));
  const names = [...new Set(report.flags.map(({ node }) => node.name))];
  const read = new Map<string, NodeBlockFragment>();
  const answers = [judged];
  if (names.length > 0) {
    const { cluster, island } = args;
    const answer = await graph(ReadNodesDocument, {
      cluster,
      island,
      names,
      window: windowArgument(args),
      some: false,
      all: false,
    });
    answers.push(answer);
    for (const node of answered(answered(answer.data?.cluster, answer, 'cluster').nodes, answer, 'nodes').nodes)
      read.set(node.name, node);
  }

  const block = (node: KnownNode) => (count: number) => {
    const told = read.get(node.name);
    const isTold = (gpu: number | null): boolean => (rank.get(keyOf(node.name, gpu)) ?? Infinity) < count;
    if (told === undefined) return { gpus: {}, health_episodes: episodesOf(node) };
    const { host, ...rest } = nodeBlock(told, 'stats', isTold);
    return isTold(null) ? { ...rest, host } : rest;
  };
  const total = nodes.reduce((sum, { gpuCount }) => sum + (gpuCount ?? 0), 0);
  const flagged = report.flags.filter(({ gpu }) => gpu !== null).map(({ node, gpu }) => keyOf(node.name, gpu!.index));
  const distinct = [...new Set(flagged)];
  const isWithout = ({ name }: KnownNode): boolean => !read.has(name);
  return {
    answers,
    // Which GPUs have a flag is only as good as the report: what it could not judge is said here too.
    notes: [report.note],
    items: order.length,
    nodes: [...nodes.filter((node) => !isWithout(node)), ...nodes.filter(isWithout)].map((node) => ({
      name: node.name,
      block: block(node),
    })),
    omitted: (count) => {
      const told = distinct.filter((key) => rank.get(key)! < count).length;
      return [
        `The answer was too long for ${nodes.length} nodes: series are mean, min and max alone, and ${total - told} of ${total} GPUs were left out, with the hosts that have no flag.`,
        told < distinct.length
          ? `${distinct.length - told} of those left out have a flag, less serious ones than those that are here.`
          : 'None of those left out has a flag; see note for what could not be judged.',
      ];
    },
  };
}

const keyOf = (node: string, gpu: number | null): string => `${node} ${gpu ?? 'host'}`;
