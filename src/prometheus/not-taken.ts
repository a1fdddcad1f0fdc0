import type { NotTaken } from '../reads/write.ts';

/** How stores say that they take a sample never. They say it with 400, 409, 422 or 500, so the words are the only sign. */
const notTakenWords: readonly { readonly why: NotTaken; readonly words: RegExp }[] = [
  { why: 'conflicting', words: /duplicate sample for timestamp|duplicate-timestamp|new-value-for-timestamp/i },
  { why: 'tooOld', words: /out of bounds|too old sample|timestamp[ -]too[ -]old|too far in the past/i },
  { why: 'ahead', words: /too far in (?:the )?future|too-far-in-future/i },
  { why: 'late', words: /out[ -]of[ -]order/i },
  { why: 'labels', words: /label-value-too-long|label value too long|max-label-names-per-series|label limit/i },
];

/** Why a sample is not taken, where that is what the store says. */
export const notTakenIn = (words: string): NotTaken | undefined =>
  notTakenWords.find((row) => row.words.test(words))?.why;
