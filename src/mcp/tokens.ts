/** Common clients cut an answer off where it is longer, or do not show it at all. */
export const answerBudget = 25_000;

/**
 * About how many tokens a model reads a text as: a run of up to three digits, a word's first ten letters, or a mark is one.
 * Characters divided by a constant would be wrong by a factor of two for lists of numbers, which most of an answer is.
 */
export function tokensOf(value: unknown): number {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  let count = 0;
  for (const _ of text.matchAll(pieces)) count += 1;
  return count;
}

const pieces = /\p{N}{1,3}|\p{L}{1,10}|[^\s\p{N}\p{L}]{1,2}/gu;

/** The richest of some answers that fits: `compose` is given how many items it may hold, fewer each time. */
export function fitted<T>(most: number, compose: (count: number) => T): T {
  for (let count = most; ; count = Math.floor(count * 0.8)) {
    const answer = compose(count);
    if (count === 0 || tokensOf(answer) <= answerBudget) return answer;
  }
}
