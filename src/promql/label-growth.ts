import type { SyntaxNode } from '@lezer/common';
import { childrenOf } from './parse.ts';
import { refuseQuery } from './refuse.ts';
import { decoded } from './selector.ts';

/** How many times longer the labels of an answer may be than what they are made of. */
const mostGrowth = 64;

/**
 * Refuses what makes a label out of several copies of another, again and again: each `label_replace` multiplies by the
 * groups that it names, each `label_join` by its labels, and a dozen of them are gigabytes that a store holds at once.
 * All of a query count, wherever they stand.
 *
 * @throws Refusal BAD_REQUEST
 */
export function checkLabelGrowth(root: SyntaxNode, text: string): void {
  const growth = growthOf(root, text);
  if (growth <= mostGrowth) return;
  refuseQuery(
    'query_cost',
    `makes labels up to ${growth > 1e6 ? 'a million' : growth.toLocaleString('en')} times as long as they are, and ${mostGrowth} times is the most; name fewer groups in label_replace(), or fewer labels in label_join().`,
  );
}

function growthOf(node: SyntaxNode, text: string): number {
  if (node.name === 'VectorSelector') return 1;
  const children = childrenOf(node);
  return children.reduce((product, child) => product * growthOf(child, text), own(node, children, text));
}

/** A `$` names a group where it stands in a replacement; elsewhere it is rare, and one more does not matter. */
function own({ name }: SyntaxNode, children: readonly SyntaxNode[], text: string): number {
  const [called, body] = children;
  if (name === 'FunctionCall' && text.slice(called!.from, called!.to) === 'label_join') {
    return Math.max(1, childrenOf(body!).length - 3);
  }
  if (name !== 'FunctionCallBody') return 1;
  return children
    .flatMap((child) => textsIn(child, text))
    .reduce((product, literal) => product * Math.max(1, literal.split('$').length - 1), 1);
}

const textsIn = (node: SyntaxNode, text: string): string[] =>
  node.name === 'StringLiteral'
    ? [decoded(node, text)]
    : node.name === 'ParenExpr'
      ? childrenOf(node).flatMap((child) => textsIn(child, text))
      : [];
