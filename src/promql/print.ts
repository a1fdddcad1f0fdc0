import type { Matcher } from '../domain/matcher.ts';
import { quote } from './text.ts';
import type { Selector } from './selector.ts';
import type { Token } from './tokens.ts';

/** The text of tokens; what is `added` stands first in the braces of every selector. */
export function printed(tokens: readonly Token[], added: readonly Matcher[]): string {
  let text = '';
  let last = '';
  for (const token of tokens) {
    const next = typeof token === 'string' ? token : selectorText(token, added);
    text += (isTight(last, next) ? '' : ' ') + next;
    last = next;
  }
  return text;
}

const isTight = (last: string, next: string): boolean =>
  last === '' || '([:'.includes(last) || [')', ']', ',', ':', '['].includes(next) || (next === '(' && /\w$/.test(last));

function selectorText({ name, matchers }: Selector, added: readonly Matcher[]): string {
  const all = [...added, ...matchers].map(({ label, op, value }) => `${labelText(label)}${op}${quote(value)}`);
  return all.length === 0 ? name! : `${name ?? ''}{${all.join(',')}}`;
}

const labelText = (label: string): string => (/^[A-Za-z_]\w*$/.test(label) ? label : quote(label));
