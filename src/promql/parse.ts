import type { SyntaxNode, Tree } from '@lezer/common';
import { parser } from '@prometheus-io/lezer-promql';
import { refuseQuery } from './refuse.ts';

// Left to itself the parser mends what it does not understand, and a store may understand it.
const strict = parser.configure({ strict: true });

/**
 * The one expression that a text is.
 *
 * @throws Refusal BAD_REQUEST, with the place where it ceases to be PromQL
 */
export function parsed(text: string): SyntaxNode {
  const tree = treeOf(text);
  checkBlanks(tree, text);
  const expressions = childrenOf(tree.topNode);
  if (tree.topNode.name !== 'PromQL' || expressions.length !== 1) {
    refuseQuery('query_syntax', 'must be one PromQL expression.');
  }
  return expressions[0]!;
}

/** What a node holds, without comments. */
export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) {
    if (child.name !== 'LineComment') children.push(child);
  }
  return children;
}

/** The text of a node, without the comments and blanks that may stand in it. */
export function spelled(node: SyntaxNode, text: string): string {
  let plain = '';
  let at = node.from;
  for (let child = node.firstChild; child; child = child.nextSibling) {
    plain += text.slice(at, child.name === 'LineComment' ? child.from : child.to);
    at = child.to;
  }
  return (plain + text.slice(at, node.to)).replace(/[ \t\n]+/g, '');
}

function treeOf(text: string): Tree {
  try {
    return strict.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const at = Math.min(Number(/\d+$/.exec(error.message)?.[0] ?? 0), text.length);
    const next = [...text.slice(at).trimStart()].slice(0, 20).join('');
    const found = next === '' ? 'it ends too early' : `${JSON.stringify(next)} is not expected here`;
    return refuseQuery('query_syntax', `${found}. Only PromQL is read, not the extensions of single stores.`, text, at);
  }
}

/** The grammar takes every kind of blank that Unicode has; the stores take four, and not the same four. */
function checkBlanks(tree: Tree, text: string): void {
  let at = 0;
  const check = (to: number): void => {
    const found = text.slice(at, to).search(/[^\t\n\x20-\x7e]/);
    if (found < 0) return;
    refuseQuery('query_charset', 'outside of quotes only plain ASCII is read.', text, at + found);
  };
  tree.iterate({
    enter: ({ name, from, to }) => {
      if (name !== 'StringLiteral' && name !== 'LineComment') return;
      check(from);
      at = to;
    },
  });
  check(text.length);
}
