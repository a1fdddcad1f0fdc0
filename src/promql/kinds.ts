import type { SyntaxNode } from '@lezer/common';
import { childrenOf } from './parse.ts';
import { refuseQuery } from './refuse.ts';
import { aggregationSignatures, functionSignatures, type Kind, type Signature } from './signatures.ts';

const called: Readonly<Record<Kind, string>> = {
  number: 'a number',
  vector: 'an instant vector',
  range: 'a range (like m[5m])',
  text: 'a text',
};
const comparisons = new Set(['Eql', 'Neq', 'Lte', 'Lss', 'Gte', 'Gtr']);
const setOperators = new Set(['And', 'Or', 'Unless']);
const operations = new Set(['BinaryExpr', 'UnaryExpr']);
const modifiers = new Set(['OffsetExpr', 'StepInvariantExpr']);
const selections = new Set(['VectorSelector', 'MatrixSelector', 'SubqueryExpr']);

/**
 * What an expression is. The grammar takes anything anywhere, and so does VictoriaMetrics, which gives a meaning of its own
 * to what Prometheus refuses: `sum(m[5m])` would be a number on one island and an error on another.
 *
 * @throws Refusal BAD_REQUEST: something that Prometheus does not take there
 */
export function kindOf(node: SyntaxNode, text: string): Kind {
  const parts = childrenOf(node);
  const refuse = (why: string, at: SyntaxNode = node): never => refuseQuery('query_syntax', why, text, at.from);
  switch (node.name) {
    case 'NumberDurationLiteral':
      return 'number';
    case 'StringLiteral':
      return 'text';
    case 'VectorSelector':
      return 'vector';
    case 'ParenExpr':
      return kindOf(parts[0]!, text);
    case 'OffsetExpr':
    case 'StepInvariantExpr':
      if (!selections.has(modified(node).name)) refuse('offset and @ stand behind a selector, a range or a subquery.');
      return kindOf(parts[0]!, text);
    case 'MatrixSelector':
      if (parts[0]!.name !== 'VectorSelector') refuse('a range is of a selector; of anything else write [5m:1m].');
      return 'range';
    case 'SubqueryExpr':
      if (operations.has(parts[0]!.name)) refuse('put what the subquery is of into parentheses.');
      expect(parts[0]!, ['vector'], 'a subquery is of', text);
      return 'range';
    case 'UnaryExpr':
      return expect(parts.at(-1)!, ['number', 'vector'], 'a sign stands before', text);
    case 'BinaryExpr':
      return kindOfOperation(node, text);
    case 'AggregateExpr':
    case 'FunctionCall':
      return kindOfCall(node, text);
    default:
      return refuse('is no expression.');
  }
}

/** What a modifier is of: it binds to what stands right before it, whatever the tree says. */
function modified(node: SyntaxNode): SyntaxNode {
  if (modifiers.has(node.name)) return modified(childrenOf(node)[0]!);
  return operations.has(node.name) ? modified(childrenOf(node).at(-1)!) : node;
}

function kindOfOperation(node: SyntaxNode, text: string): Kind {
  const parts = childrenOf(node);
  const operator = parts[1]!;
  const operands = [parts[0]!, parts.at(-1)!];
  const sign = text.slice(operator.from, operator.to);
  const isSet = setOperators.has(operator.name);
  const kinds = operands.map((each) => expect(each, isSet ? ['vector'] : ['number', 'vector'], `${sign} takes`, text));
  const isOfNumbers = kinds.every((kind) => kind === 'number');
  const refuse = (why: string): never => refuseQuery('query_syntax', why, text, operator.from);
  const has = (name: string): boolean => parts.some((part) => part.name === name);
  if (has('BoolModifier') && !comparisons.has(operator.name)) refuse('bool stands behind a comparison alone.');
  if (isOfNumbers && comparisons.has(operator.name) && !has('BoolModifier'))
    refuse(`two numbers are compared with ${sign} bool.`);
  const matching = parts.find((part) => part.name === 'MatchingModifierClause');
  // Without labels they match as if they were not there, and Prometheus lets them be.
  if (kinds.includes('number') && matching?.toTree().topNode.getChild('GroupingLabels')?.firstChild)
    refuse('on and ignoring match two vectors.');
  return isOfNumbers ? 'number' : 'vector';
}

function kindOfCall(node: SyntaxNode, text: string): Kind {
  const parts = childrenOf(node);
  const name = text.slice(parts[0]!.from, parts[0]!.to);
  const signature =
    node.name === 'FunctionCall' ? functionSignatures.get(name) : aggregationSignatures.get(name.toLowerCase());
  const given = parts.filter((part) => part.name === 'FunctionCallBody').flatMap(childrenOf);
  if (!signature) return refuseQuery('query_unsupported', `${name}() is not passed on.`, text, node.from);
  checkArguments(node, name, given, signature, text);
  return node.name === 'FunctionCall' && numbers.has(name) ? 'number' : 'vector';
}
const numbers = new Set(['pi', 'scalar', 'time']);

function checkArguments(
  node: SyntaxNode,
  name: string,
  given: readonly SyntaxNode[],
  { takes, least, repeats }: Signature,
  text: string,
): void {
  if (given.length < least || (given.length > takes.length && !repeats)) {
    const some = `${least}${repeats ? ' or more' : takes.length > least ? ` to ${takes.length}` : ''}`;
    refuseQuery(
      'query_syntax',
      `${name}() takes ${some} ${some === '1' ? 'argument' : 'arguments'}, not ${given.length}.`,
      text,
      node.from,
    );
  }
  given.forEach((each, i) => expect(each, [takes[Math.min(i, takes.length - 1)]!], `${name}() takes`, text));
}

function expect(node: SyntaxNode, kinds: readonly Kind[], what: string, text: string): Kind {
  const kind = kindOf(node, text);
  if (kinds.includes(kind)) return kind;
  const wanted = kinds.map((each) => called[each]).join(' or ');
  return refuseQuery('query_syntax', `${what} ${wanted}, not ${called[kind]}.`, text, node.from);
}
