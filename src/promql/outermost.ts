import type { SyntaxNode } from '@lezer/common';
import { childrenOf } from './parse.ts';

export interface Outermost {
  /** Not numbers at instants: every raw sample of a range, or a text. */
  readonly unbounded: 'range' | 'text' | null;
  /** One number without labels. Some stores answer it as a series of its own. */
  readonly isScalar: boolean;
  /** The client asked for this order of the values. */
  readonly order: 'ascending' | 'descending' | null;
}

/** Modifiers and parentheses, behind which the kind of an expression stays what it is. */
const transparent = new Set(['ParenExpr', 'OffsetExpr', 'StepInvariantExpr']);
const scalarFunctions = new Set(['time', 'pi', 'scalar']);

/** What answers in the order of its values. */
const orders: Readonly<Record<string, Outermost['order']>> = {
  sort: 'ascending',
  sort_desc: 'descending',
  topk: 'descending',
  bottomk: 'ascending',
};

/** What an expression answers with, as far as its outermost parts tell. */
export function outermostOf(root: SyntaxNode, text: string): Outermost {
  const node = within(root);
  const isRange = node.name === 'MatrixSelector' || node.name === 'SubqueryExpr';
  return {
    unbounded: isRange ? 'range' : node.name === 'StringLiteral' ? 'text' : null,
    isScalar: isScalar(node, text),
    order: orders[(calledName(node, text) ?? aggregation(node, text))?.toLowerCase() ?? ''] ?? null,
  };
}

function within(node: SyntaxNode): SyntaxNode {
  return transparent.has(node.name) ? within(childrenOf(node)[0]!) : node;
}

function isScalar(outer: SyntaxNode, text: string): boolean {
  const node = within(outer);
  const parts = childrenOf(node);
  switch (node.name) {
    case 'NumberDurationLiteral':
      return true;
    case 'UnaryExpr':
      return isScalar(parts.at(-1)!, text);
    case 'BinaryExpr':
      return isScalar(parts[0]!, text) && isScalar(parts.at(-1)!, text);
    default:
      return scalarFunctions.has(calledName(node, text) ?? '');
  }
}

function calledName(node: SyntaxNode, text: string): string | null {
  const [called] = node.name === 'FunctionCall' ? childrenOf(node) : [];
  return called ? text.slice(called.from, called.to) : null;
}

function aggregation(node: SyntaxNode, text: string): string | null {
  const [operator] = node.name === 'AggregateExpr' ? childrenOf(node) : [];
  return operator ? text.slice(operator.from, operator.to) : null;
}
