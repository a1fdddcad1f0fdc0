import type { ExecutionResult } from 'graphql';
import type { Plugin, YogaInitialContext } from 'graphql-yoga';
import { usualLimits } from '../domain/limits.ts';
import { Refusal } from '../errors.ts';
import type { Deps } from './deps.ts';

/** The header by which a client asks what its document costs. */
export const costHeader = 'X-Gpuql-Cost';

/** The cost of one request whose client wants to know. */
export interface AskedCost {
  /** What it would cost, and nothing is run. */
  readonly isEstimate: boolean;
  readonly told: () => object;
  /** What the limits take it to cost; not there for a document that was refused before that was known. */
  estimated?: number;
}

/** Begins to count for clients that ask, once it is known who they are; ends what is only to be estimated before it runs. */
export const useCost = <Operation extends object>(
  { cost }: Pick<Deps<Operation>, 'cost'>,
  operations: WeakMap<Request, Operation>,
  costs: WeakMap<Request, AskedCost>,
): Plugin<YogaInitialContext> => {
  const isEstimate = (request: Request): boolean => costs.get(request)?.isEstimate === true;
  return {
    onParams({ request }) {
      const wanted = request.headers.get(costHeader);
      const operation = operations.get(request);
      if (wanted === null || !operation || !cost) return;
      if (wanted !== '1' && wanted !== 'estimate') throw new Refusal('BAD_REQUEST', unknown);
      costs.set(request, { isEstimate: wanted === 'estimate', told: cost(operation) });
    },
    onExecute({ args, setResultAndStopExecution }) {
      if (isEstimate(args.contextValue.request)) setResultAndStopExecution({ data: null });
    },
    onSubscribe({ args, setResultAndStopExecution }) {
      if (isEstimate(args.contextValue.request)) setResultAndStopExecution({ data: null });
    },
  };
};

const unknown = `The header ${costHeader} is 1 (answer, and say what it cost) or estimate (say what it would cost, and ask no store).`;

/** Puts the cost beside the answer, or beside the refusal. */
export const useCostExtension = <Operation extends object>(
  { limits = usualLimits }: Pick<Deps<Operation>, 'limits'>,
  costs: WeakMap<Request, AskedCost>,
): Plugin => ({
  onResultProcess({ request, result, setResult }) {
    const asked = costs.get(request);
    if (!asked || Symbol.asyncIterator in result || Array.isArray(result)) return;
    const cost = { estimated: whole(asked.estimated), limit: limits.cost, ...asked.told() };
    setResult({ ...result, extensions: { ...result.extensions, cost } } satisfies ExecutionResult);
  },
});

/** JSON has no infinity. */
const whole = (estimated: number | undefined): number | null =>
  estimated === undefined ? null : Math.min(Math.ceil(estimated), Number.MAX_SAFE_INTEGER);
