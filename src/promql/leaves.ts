import type { SyntaxNode } from '@lezer/common';
import { numberValue } from './number-literal.ts';
import { spelled } from './parse.ts';
import { refuseQuery } from './refuse.ts';
import { decoded, labelOf } from './selector.ts';
import { functionSignatures } from './signatures.ts';
import { quote } from './text.ts';
import { checkSpan } from './time-bounds.ts';

/** How each kind of leaf is spelled by us. @throws Refusal BAD_REQUEST */
export const leaves: Readonly<Record<string, (node: SyntaxNode, text: string) => string>> = {
  FunctionIdentifier: functionName,
  StringLiteral: (node, text) => quote(decoded(node, text)),
  LabelName: label,
  QuotedLabelName: label,
  UnaryOp: (node, text) => text.slice(node.from, node.to),
  NumberDurationLiteral: number,
  NumberDurationLiteralInDurationContext: number,
};

function functionName({ from, to }: SyntaxNode, text: string): string {
  const name = text.slice(from, to);
  if (functionSignatures.has(name)) return name;
  const why =
    name === 'info'
      ? 'info() reads series that no selector names, so it cannot be confined to your clusters; join with * on (...) group_left (...) instead.'
      : `${name}() is not passed on: it is experimental. Write it with the functions that every store has.`;
  return refuseQuery('query_unsupported', why, text, from);
}

/** Only new stores can read a quoted name, so what can go bare does. */
function label(node: SyntaxNode, text: string): string {
  const name = labelOf(node, text);
  return /^[A-Za-z_]\w*$/.test(name) ? name : quote(name);
}

function number(node: SyntaxNode, text: string): string {
  const literal = spelled(node, text);
  const unsigned = literal.replace(/^[+-]/, '');
  if (numberValue(unsigned) !== null) {
    checkSpan(unsigned, text, node.from);
    return literal;
  }
  return refuseQuery('query_syntax', `${JSON.stringify(literal)} is no number and no duration.`, text, node.from);
}
