import type { GraphQLResolveInfo } from 'graphql';
import { Refusal } from '../errors.ts';
import type { RunAnnotation } from '../reads/run-metrics.ts';
import { joined, overlap } from '../rules/span.ts';
import { plausibleSteps, type SlowRule, slowStretches, usualFactor } from '../rules/slowdown.ts';
import { annotations } from '../runs/names.ts';
import type { Operation } from './operation.ts';
import type { RunInWindow, SlowdownInWindow } from './refs.ts';
import { evidenceIn } from './slowdown-evidence.ts';
import { nodesOfRun, type RunNodes } from './slowdown-nodes.ts';

const mostStretches = 500;
const mostFactor = 100;
const mostMinutes = 1440;

export interface SlowdownArguments {
  readonly factor?: number | null | undefined;
  readonly forAtLeastMinutes?: number | null | undefined;
}

/**
 * The stretches in which a run was slow, with what tells of its nodes once somebody asks for it; null where it reported no
 * step times in the window.
 *
 * @throws Refusal BAD_REQUEST, QUERY_TOO_LARGE
 */
export async function slowdownsOf(
  run: RunInWindow,
  args: SlowdownArguments,
  operation: Operation,
  info: GraphQLResolveInfo,
): Promise<SlowdownInWindow[] | null> {
  const rule = ruleOf(args);
  const found = await run.of.load.runs.judged(run.name, rule, () => stretchesOf(run, rule));
  if (!found) return null;
  let nodes: Promise<RunNodes> | undefined;
  return found.map(({ stretch, stages, pauses, apart }) => ({
    of: run.of,
    stretch,
    stages,
    pauses,
    evidence: async () => evidenceIn(stretch, apart, await (nodes ??= nodesOfRun(run, operation, info))),
  }));
}

/** Null where the run reported no step times. */
async function stretchesOf({ of, name }: RunInWindow, rule: SlowRule) {
  const [told, stages, pauses, happened] = await Promise.all([
    of.load.runs.stepTimes(name),
    of.load.runs.stages(name),
    of.load.runs.pauses(name),
    of.load.runs.annotations(name),
  ]);
  const steps = told && plausibleSteps(told);
  if (!steps || steps.times.length === 0) return null;
  const judged = { from: of.view.window.start, to: of.view.until, isOver: isOver(happened, steps.times.at(-1)!) };
  const found = slowStretches(steps, pauses, rule, judged);
  if (found.length > mostStretches) throw tooMany(found.length);
  // Each moment once: a run may tell any number of pauses of one time.
  const spans = joined(pauses);
  return found.map((stretch) => ({
    stretch,
    stages,
    pauses: pauses.filter((pause) => overlap(pause, stretch)),
    apart: spans.filter((pause) => overlap(pause, stretch)),
  }));
}

function ruleOf({ factor, forAtLeastMinutes }: SlowdownArguments): SlowRule {
  const [times, minutes] = [factor ?? usualFactor, forAtLeastMinutes ?? 2];
  if (!(times > 1 && times <= mostFactor))
    throw new Refusal('BAD_REQUEST', `factor is ${times}; give a number above 1, at most ${mostFactor}.`);
  if (!(minutes >= 0 && minutes <= mostMinutes))
    throw new Refusal('BAD_REQUEST', `forAtLeastMinutes is ${minutes}; give 0 to ${mostMinutes}, which is a day.`);
  return { factor: times, forAtLeastS: minutes * 60 };
}

const endings: ReadonlySet<string> = new Set([annotations.finished, annotations.interrupted]);

/** It said so after its last step. */
const isOver = (happened: readonly RunAnnotation[], lastStepAt: number): boolean =>
  happened.some(({ name, at }) => endings.has(name) && at >= lastStepAt);

const tooMany = (count: number): Refusal =>
  new Refusal(
    'QUERY_TOO_LARGE',
    `The run was slow in ${count} stretches, ${count - mostStretches} more than the ${mostStretches} that are shown; raise factor or forAtLeastMinutes, or narrow the window.`,
  );
