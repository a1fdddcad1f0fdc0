import type { SyntaxNode } from '@lezer/common';
import { containers, words } from './grammar.ts';
import { leaves } from './leaves.ts';
import { childrenOf, spelled } from './parse.ts';
import { refuseQuery } from './refuse.ts';
import { type Selector, selectorOf } from './selector.ts';
import { checkMoment, durationS, lengthS } from './time-bounds.ts';

export type Token = string | Selector;

/** What one selector makes a store do for each instant at which the query is evaluated. */
export interface Reach {
  readonly selector: Selector;
  /** Seconds of raw samples behind the instant. */
  readonly rangeS: number;
  /** The subqueries around it, the outermost first. A step of null is the store's own. */
  readonly subqueries: readonly { readonly rangeS: number; readonly stepS: number | null }[];
}

export interface Tokens {
  readonly tokens: readonly Token[];
  readonly reaches: readonly Reach[];
}

const deepest = 100;
const mostSelectors = 100;

/**
 * An expression as tokens that are spelled by us: no byte of the text goes on that was not looked at. They keep the order
 * and the parentheses that they had, because the tree's idea of what a modifier belongs to is not that of the stores.
 *
 * @throws Refusal BAD_REQUEST: something that is not on the list of `grammar.ts`, or out of bounds
 */
export function tokensOf(root: SyntaxNode, text: string): Tokens {
  const tokens: Token[] = [];
  const reaches: Reach[] = [];
  walk(root, 0, { rangeS: 0, subqueries: [] });
  return { tokens, reaches };

  function walk(node: SyntaxNode, depth: number, within: Omit<Reach, 'selector'>): void {
    const { name, from } = node;
    if (name === 'VectorSelector') {
      const selector = selectorOf(node, text);
      if (reaches.push({ selector, ...within }) > mostSelectors) {
        refuseQuery('query_too_large', `has more than ${mostSelectors} selectors; ask several queries.`);
      }
      tokens.push(selector);
    } else if (Object.hasOwn(words, name)) tokens.push(word(node, words[name]!));
    else if (Object.hasOwn(leaves, name)) tokens.push(leaves[name]!(node, text));
    else if (!Object.hasOwn(containers, name)) {
      const what = text.slice(from, Math.min(node.to, from + 40));
      refuseQuery('query_unsupported', `${what} is not passed on: not every store has it.`, text, from);
    } else {
      const nested = depth + (containers[name] !== '' || name === 'UnaryExpr' ? 1 : 0);
      if (nested > deepest) refuseQuery('query_too_large', `it is nested deeper than ${deepest} levels.`, text, from);
      const inner = behind(node, within);
      parts(node, (child) => walk(child, nested, inner));
    }
  }

  /** What a container holds, in turn, and the punctuation between. */
  function parts(node: SyntaxNode, visit: (child: SyntaxNode) => void): void {
    let at = node.from;
    for (let child = node.firstChild; child; child = child.nextSibling) {
      punctuation(node, at, child.from);
      if (child.name !== 'LineComment') visit(child);
      at = child.to;
    }
    punctuation(node, at, node.to);
  }

  function punctuation({ name }: SyntaxNode, from: number, to: number): void {
    for (let at = from; at < to; at += 1) {
      const sign = text[at]!;
      if (/[ \t\n]/.test(sign)) continue;
      if (!containers[name]!.includes(sign)) {
        refuseQuery('query_unsupported', `${sign} is not expected here; write durations out, like 1h30m.`, text, at);
      }
      tokens.push(sign);
    }
  }

  function word({ from, to }: SyntaxNode, known: string): string {
    if (text.slice(from, to).toLowerCase() === known) return known;
    return refuseQuery('query_unsupported', `${text.slice(from, to)} is not passed on.`, text, from);
  }

  /** Checks the times that a node holds. @returns how far what it wraps reaches */
  function behind(node: SyntaxNode, within: Omit<Reach, 'selector'>): Omit<Reach, 'selector'> {
    const children = childrenOf(node);
    const lengths = children
      .filter(({ name }) => name === 'DurationExpr')
      .map((part) => lengthS(spelled(part, text), text, part.from));
    const [rangeS, stepS = null] = lengths;
    switch (node.name) {
      case 'MatrixSelector':
        return { ...within, rangeS: Math.max(within.rangeS, rangeS!) };
      case 'SubqueryExpr':
        return { ...within, subqueries: [...within.subqueries, { rangeS: rangeS!, stepS }] };
      case 'OffsetDurationExpr':
        for (const { name, from, to } of children) {
          if (name.startsWith('NumberDuration')) durationS(text.slice(from, to), text, from);
        }
        return within;
      case 'StepInvariantExpr':
        for (const part of children.slice(-1)) {
          if (part.name === 'NumberDurationLiteral') checkMoment(spelled(part, text), text, part.from);
        }
        return within;
      default:
        return within;
    }
  }
}
