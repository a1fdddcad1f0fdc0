import { Refusal } from '../errors.ts';
import { Mailbox } from '../live/mailbox.ts';
import type { Moment } from '../live/moment.ts';
import type { Polled } from '../live/polls.ts';
import type { Operation } from './operation.ts';

/** Evaluations with something to tell that may wait for a subscriber. Each keeps what it read. */
const mostWaiting = 8;

/**
 * Listens for one subscriber, until it leaves, reads too slowly, or the gateway ends.
 *
 * An evaluation that failed is told as an error, once until one succeeds: nothing is told of flags or readings meanwhile.
 *
 * @param momentsOf  what to tell of an evaluation; throws a Refusal for what could not be told, which ends nothing. Undefined
 *                   where the subscriber knows more than the evaluation, and waits for the next
 */
export function subscribed<Look, Value>(
  operation: Operation,
  polled: Polled<Look>,
  momentsOf: (
    look: Look,
    wasInDoubt: boolean,
  ) => { moments: readonly Moment<Operation, Value>[]; doubt?: Error } | undefined,
): Mailbox<Moment<Operation, Value>> {
  let leave = (): void => {};
  const mailbox = new Mailbox<Moment<Operation, Value>>(mostWaiting, tooSlow, () => {
    operation.signal?.removeEventListener('abort', gone);
    leave();
  });
  const gone = (): void => mailbox.end();
  // Who comes anew has been told nothing.
  let inDoubt = true;
  let isTold = false;
  const doubted = (error: unknown): Moment<Operation, Value>[] => {
    inDoubt = true;
    if (isTold) return [];
    isTold = true;
    return [
      { operation, value: error instanceof Error ? error : new Error('The evaluation failed', { cause: error }) },
    ];
  };
  operation.signal?.addEventListener('abort', gone, { once: true });
  leave = operation.gateway.polls.join(polled, {
    tell(outcome) {
      if ('error' in outcome) return mailbox.post(doubted(outcome.error));
      const told = momentsOf(outcome.value, inDoubt);
      if (!told) return;
      const { moments, doubt } = told;
      if (doubt) return mailbox.post([...moments, ...doubted(doubt)]);
      inDoubt = isTold = false;
      mailbox.post(moments);
    },
    end: () => mailbox.end(ending()),
  });
  // It may be over before it could leave.
  if (mailbox.isOver) leave();
  else if (operation.signal?.aborted) mailbox.end();
  return mailbox;
}

const tooSlow = (): Refusal =>
  new Refusal(
    'THROTTLED',
    'This subscription was not read for so long that it was ended. Subscribe again, with after where there is a cursor, and read faster or select less.',
    { details: { retryAfterS: 1 } },
  );

const ending = (): Refusal =>
  new Refusal('METRICS_UNAVAILABLE', 'The gateway ends. Subscribe again, with after where there is a cursor.');
