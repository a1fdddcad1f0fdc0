import { windowArgument, type ReadArguments } from './arguments.ts';
import type { Graph } from './ask.ts';
import { valuesFor, type Detail } from './detail.ts';
import { envelopeOf, readingNote } from './envelope.ts';
import { answered, failuresOf, failureWords, partialWords } from './failures.ts';
import { ReadNodeDocument } from './generated/graphql.ts';
import { lower } from './names.ts';
import { nodeBlock } from './node-block.ts';
import { answerBudget, fitted, tokensOf } from './tokens.ts';

/** Every reading of one node. An answer that would be too long is told in less detail, and says so. */
export async function readNode(graph: Graph, args: ReadArguments, node: string): Promise<object> {
  const { cluster: name, island, detail = 'series' } = args;
  const window = windowArgument(args);
  const answer = await graph(ReadNodeDocument, { cluster: name, island, node, window, ...valuesFor(detail) });
  const cluster = answered(answer.data?.cluster, answer, 'cluster');
  const read = answered(cluster.node, answer, 'node');
  const failures = failuresOf(answer);
  const notes = [readingNote, read.note, ...failureWords(failures), ...partialWords(answer)];
  const gpus = read.gpus ?? [];
  const compose = (told: Detail, count = gpus.length) => {
    const omitted = [
      ...(told === detail ? [] : [left[told]]),
      ...(count < gpus.length ? [`${gpus.length - count} of ${gpus.length} GPUs were left out.`] : []),
    ];
    const shown = new Set(gpus.slice(0, count).map(({ index }) => index));
    return {
      ...envelopeOf(cluster, read.coverage, notes),
      node: { name: read.name, gpus: read.gpuCount, state: read.state && lower(read.state) },
      ...nodeBlock(read, told, (index) => shown.has(index)),
      ...(failures.length > 0 && { failed: failures }),
      ...(omitted.length > 0 && { omitted: `${omitted.join(' ')} Ask for fewer points, or ask the tool graphql.` }),
    };
  };
  for (const told of stepsFrom(detail)) {
    const composed = compose(told);
    if (tokensOf(composed) <= answerBudget) return composed;
  }
  return fitted(gpus.length, (count) => compose('stats', count));
}

/** From what was asked for down to what is shortest. */
export const stepsFrom = (detail: Detail): readonly Detail[] => steps.slice(steps.indexOf(detail));

const steps = ['series', 'summary', 'stats'] as const;

/** What an answer in less detail than asked says of itself. */
export const left: Readonly<Record<Detail, string>> = {
  series: '',
  summary: 'The answer was too long: the values of all but temperature, tensor activity and power were left out.',
  stats: 'The answer was too long: values were left out, and series are mean, min and max alone.',
};
