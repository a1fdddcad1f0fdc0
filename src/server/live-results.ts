import { executeSubscriptionEvent } from 'graphql';
import type { ExecutionResult, ValidatedSubscriptionArgs } from 'graphql';
import type { Moment } from '../live/moment.ts';
import { forClient } from './client-error.ts';

/** How a stream went, for the log. */
export interface Ended {
  readonly events: number;
  readonly codes: readonly string[];
}

interface Options<Operation> {
  /** Throws where the client may no longer ask. */
  readonly check: () => Promise<unknown>;
  readonly warnings: (operation: Operation) => readonly string[];
  /** Every answer with errors, as graphql or a source gave them. */
  readonly onErrors: (thrown: readonly unknown[]) => void;
  readonly onEnd: (ended: Ended) => void;
}

/**
 * What a document answers about each moment of a subscription. The moment's operation is the context: its clock, and what all
 * who were told of it have read. A source that fails is answered with an error, and that is the last event.
 *
 * Not an async generator, which could not be ended while it waits for its source.
 */
export function liveResults<Operation>(
  args: ValidatedSubscriptionArgs,
  source: AsyncIterator<Moment<Operation, unknown>>,
  { check, warnings, onErrors, onEnd }: Options<Operation>,
): AsyncIterableIterator<ExecutionResult> {
  const codes = new Set<string>();
  let [events, isOver] = [0, false];
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    void source.return?.();
    onEnd({ events, codes: [...codes] });
  };
  const last = { done: true, value: undefined } as const;
  const answer = ({ data, errors: thrown = [], extensions }: ExecutionResult): IteratorResult<ExecutionResult> => {
    events += 1;
    if (thrown.length > 0) onErrors(thrown);
    const errors = thrown.map((error) => forClient(error).error);
    for (const { extensions: told } of errors) codes.add(told.code);
    return {
      done: false,
      value: {
        // Plain objects: they are written, not thrown.
        ...(errors.length > 0 && { errors: errors as unknown as ExecutionResult['errors'] & object }),
        ...(data !== undefined && { data }),
        ...(extensions && { extensions }),
      },
    };
  };

  return {
    async next() {
      if (isOver) return last;
      try {
        const { done, value: moment } = await source.next();
        if (done || isOver) {
          end();
          return last;
        }
        await check();
        const { operation } = moment;
        const result = await executeSubscriptionEvent({ ...args, contextValue: operation, rootValue: moment });
        const partial = warnings(operation);
        return answer(
          partial.length === 0 ? result : { ...result, extensions: { ...result.extensions, warnings: partial } },
        );
      } catch (error) {
        if (isOver) return last;
        const told = answer({ errors: [error] as unknown as ExecutionResult['errors'] & object });
        end();
        return told;
      }
    },
    return() {
      end();
      return Promise.resolve(last);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
