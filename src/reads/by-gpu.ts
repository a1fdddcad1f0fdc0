import type { Source } from '../domain/site.ts';
import { type ScopedQuery, select } from '../scope/scope.ts';
import type { ScaledRow } from './fold.ts';
import type { Step } from './gauge-plan.ts';
import type { CounterSource } from '../readings/reading.ts';
import { ratioScales } from './ratio.ts';
import type { AnswerOf } from './series-data.ts';
import { gpuMatchers, type Targets } from './targets.ts';
import type { ClusterView } from './view.ts';

/** One GPU as a key. */
export const gpuKey = (node: string, index: number): string => `${node} ${index}`;

/** What came of several requests: the rows by GPU, and of requests that failed, what they were to answer. */
export interface AskedByGpu {
  readonly byGpu: ReadonlyMap<string, readonly AnswerOf[]>;
  readonly failed: ReadonlyMap<Step['answers'], Error>;
}

/** As `askEachByGpu`, where an answer without one of its requests is none. @throws what the first failed request threw */
export async function askByGpu(...question: Parameters<typeof askEachByGpu>): Promise<AskedByGpu['byGpu']> {
  const { byGpu, failed } = await askEachByGpu(...question);
  for (const error of failed.values()) throw error;
  return byGpu;
}

/**
 * Sends the steps for every source and sorts the rows by the GPU that they belong to.
 *
 * @param what  a short name for what is read
 * @returns by `gpuKey`, answers from every source that the GPU has
 */
export async function askEachByGpu(
  view: ClusterView,
  what: string,
  sources: readonly Source[],
  targets: Targets,
  stepsOf: (selector: ScopedQuery, source: Source) => readonly Step[],
): Promise<AskedByGpu> {
  const inventory = await view.inventory();
  const asked = sources.flatMap((source) =>
    gpuMatchers(view, inventory, targets, source.metric).flatMap((own) => {
      const selector = select(view.cluster, source.metric, [...(source.match ?? []), ...own]);
      return stepsOf(selector, source).map((step) => ({ source, step }));
    }),
  );
  const failed = new Map<Step['answers'], Error>();
  const answered = await Promise.all(
    asked.map(async ({ source, step }) => {
      const rows = await view.rows(`${what}: ${step.answers}`, step.question).catch((error: Error) => {
        failed.set(step.answers, error);
        return [];
      });
      return { source, step, rows };
    }),
  );

  const byGpu = new Map<string, Collected[]>();
  for (const { source, step, rows } of answered) {
    const scales = source.ratioOrPercent ? ratioScales(rows) : null;
    rows.forEach((row, i) => {
      const scale = scales ? scales[i]! : source.scale;
      const at = inventory.gpuOf(row.labels);
      if (scale === null || !at || !targets.get(at.node)?.has(at.index)) return;
      const scaled = { row, scale, rank: source.rank };
      const key = gpuKey(at.node, at.index);
      const own = byGpu.get(key);
      const last = own?.at(-1);
      if (last?.source === source && last.answers === step.answers) last.rows.push(scaled);
      else {
        const answer = { source, answers: step.answers, rank: source.rank, part: partOf(source), rows: [scaled] };
        if (own) own.push(answer);
        else byGpu.set(key, [answer]);
      }
    });
  }
  return { byGpu, failed };
}

/** An answer while its rows are being sorted in; those of one request come one after the other. */
interface Collected extends AnswerOf {
  readonly source: Source;
  readonly rows: ScaledRow[];
}

const partOf = (source: CounterSource): string => source.part ?? '';

/** The answers from sources of the lowest rank of which something answers that kind of question. */
export function ofLowestRank(answers: readonly AnswerOf[], kind: AnswerOf['answers']): AnswerOf[] {
  const lowest = Math.min(...answers.filter(({ answers: own }) => own === kind).map(({ rank }) => rank));
  return answers.filter(({ rank }) => rank === lowest);
}
