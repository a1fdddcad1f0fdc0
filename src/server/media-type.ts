/** The forms of an answer, the better first. They differ in name only: the status is the same for both. */
export const mediaTypes = ['application/graphql-response+json', 'application/json'] as const;

/** Which of them an `Accept` header asks for; null where none will do. A client that does not say gets plain JSON. */
export function mediaTypeFor(accept: string | null): (typeof mediaTypes)[number] | null {
  const ranges = rangesOf(accept);
  const named = mediaTypes.find((type) => ranges.includes(type));
  if (named !== undefined) return named;
  return ranges.some((range) => range === '*/*' || range === 'application/*' || range === '')
    ? 'application/json'
    : null;
}

/** Streams of events. */
export const eventType = 'text/event-stream';

const rangesOf = (accept: string | null): string[] =>
  (accept ?? '*/*').split(',').map((range) => range.split(';')[0]!.trim().toLowerCase());

/** Whether a client takes a stream of events. */
export const takesEvents = (accept: string | null): boolean =>
  rangesOf(accept).some((range) => [eventType, 'text/*', '*/*', ''].includes(range));

/** Whether it takes nothing else, so that one answer is a stream with one event. */
export const wantsEvents = (accept: string | null): boolean =>
  mediaTypeFor(accept) === null && rangesOf(accept).includes(eventType);
