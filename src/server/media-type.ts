/** The forms of an answer, the better first. They differ in name only: the status is the same for both. */
export const mediaTypes = ['application/graphql-response+json', 'application/json'] as const;

/** Which of them an `Accept` header asks for; null where none will do. A client that does not say gets plain JSON. */
export function mediaTypeFor(accept: string | null): (typeof mediaTypes)[number] | null {
  const ranges = (accept ?? '*/*').split(',').map((range) => range.split(';')[0]!.trim().toLowerCase());
  const named = mediaTypes.find((type) => ranges.includes(type));
  if (named !== undefined) return named;
  return ranges.some((range) => range === '*/*' || range === 'application/*' || range === '')
    ? 'application/json'
    : null;
}
