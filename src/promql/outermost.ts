import type { SyntaxNode } from '@lezer/common';
import { childrenOf } from './parse.ts';

export interface Outermost {
  /** Known not to be numbers at instants: every raw sample of a range, or a text. */
  readonly unbounded: 'range' | 'text' | null;
  /** The client asked for this order of the values. */
  readonly order: 'ascending' | 'descending' | null;
}

/** Modifiers and parentheses, behind which the kind of an expression stays what it is. */
const transparent = new Set(['ParenExpr', 'OffsetExpr', 'StepInvariantExpr']);

/** What an expression answers with, as far as its outermost part tells. */
export function outermostOf(root: SyntaxNode, text: string): Outermost {
  let node = root;
  while (transparent.has(node.name)) node = childrenOf(node)[0]!;
  const isRange = node.name === 'MatrixSelector' || node.name === 'SubqueryExpr';
  const [called] = node.name === 'FunctionCall' ? childrenOf(node) : [];
  const name = called && text.slice(called.from, called.to);
  return {
    unbounded: isRange ? 'range' : node.name === 'StringLiteral' ? 'text' : null,
    order: name === 'sort' ? 'ascending' : name === 'sort_desc' ? 'descending' : null,
  };
}
