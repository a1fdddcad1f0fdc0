import { inSmallLetters } from './names.ts';
import { answerBudget, tokensOf } from './tokens.ts';

/** Of the answer's tokens; beyond that a note leaves no room for what it is about. */
const noteBudget = answerBudget / 5;
const namedAtMost = 40;

/** The notes of an answer as one text. Where it would be too long, what shrinks are its lists, and never a sentence's reason. */
export function noteOf(notes: readonly (string | null)[]): string {
  const note = inSmallLetters(notes.filter((note) => note !== null && note !== '').join(' '));
  if (tokensOf(note) <= noteBudget) return note;
  return note
    .split(/(?<=\.) /)
    .map(shortened)
    .join(' ');
}

/** `…: one; two; and 470 more.` */
function shortened(sentence: string): string {
  const items = sentence.split('; ');
  const more = items.length - namedAtMost;
  return more > 0 ? `${items.slice(0, namedAtMost).join('; ')}; and ${more} more.` : sentence;
}
