import type { Matcher } from '../domain/matcher.ts';
import { checkedText } from './characters.ts';
import { checkEvaluations } from './evaluations.ts';
import { checkLabelGrowth } from './label-growth.ts';
import { type Outermost, orderOf } from './outermost.ts';
import { kindOf } from './kinds.ts';
import { parsed } from './parse.ts';
import { printed } from './print.ts';
import { refuseQuery } from './refuse.ts';
import { type Reach, type Token, tokensOf } from './tokens.ts';

export interface Confined {
  /** What may be sent. */
  readonly text: string;
  readonly reaches: readonly Reach[];
  readonly outermost: Outermost;
}

/**
 * A client's query in which every selector has `added` in its braces, before all that the client put there. It is printed
 * from the tree, and the print is read once more: it must have the same tokens, and in every selector the matchers added.
 *
 * @param added  empty only for a store that is the organization's own
 * @throws       Refusal BAD_REQUEST, with `reason` and `position`: what is not understood is not passed on
 */
export function confine(query: string, added: readonly Matcher[]): Confined {
  const text = checkedText(query);
  const root = parsed(text);
  const { tokens, reaches } = tokensOf(root, text);
  const kind = kindOf(root, text);
  checkEvaluations(reaches);
  checkLabelGrowth(root, text);
  const confined = printed(tokens, added);
  if (!isConfined(confined, tokens, added)) refuseQuery('query_unsupported', 'could not be confined to your clusters.');
  return { text: confined, reaches, outermost: { kind, order: orderOf(root, text) } };
}

function isConfined(text: string, tokens: readonly Token[], added: readonly Matcher[]): boolean {
  const expected = tokens.map((token) =>
    typeof token === 'string' ? token : { name: token.name, matchers: [...added, ...token.matchers] },
  );
  return JSON.stringify(tokensOf(parsed(text), text).tokens) === JSON.stringify(expected);
}
