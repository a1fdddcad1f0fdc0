import type { SyntaxNode } from '@lezer/common';
import { childrenOf } from './parse.ts';
import type { Kind } from './signatures.ts';

export interface Outermost {
  readonly kind: Kind;
  /** The client asked for this order of the values. */
  readonly order: 'ascending' | 'descending' | null;
}

/** Modifiers and parentheses, behind which an expression stays what it is. */
const transparent = new Set(['ParenExpr', 'OffsetExpr', 'StepInvariantExpr']);

/** What answers in the order of its values. */
const orders: ReadonlyMap<string, Outermost['order']> = new Map([
  ['sort', 'ascending'],
  ['sort_desc', 'descending'],
  ['topk', 'descending'],
  ['bottomk', 'ascending'],
]);

/** The order that the outermost function or aggregation of an expression asks for. */
export function orderOf(node: SyntaxNode, text: string): Outermost['order'] {
  const [first] = childrenOf(node);
  if (transparent.has(node.name)) return orderOf(first!, text);
  if (node.name !== 'FunctionCall' && node.name !== 'AggregateExpr') return null;
  return orders.get(text.slice(first!.from, first!.to).toLowerCase()) ?? null;
}
