import type { SyntaxNode } from '@lezer/common';
import type { Matcher } from '../domain/matcher.ts';
import { childrenOf } from './parse.ts';
import { refuseQuery } from './refuse.ts';
import { stringValue } from './string-literal.ts';

/** A selector as it goes on: its values are decoded here, and spelled anew by us. */
export interface Selector {
  readonly name: string | null;
  readonly matchers: readonly Matcher[];
}

/** @throws Refusal BAD_REQUEST */
export function selectorOf(node: SyntaxNode, text: string): Selector {
  const identifier = childrenOf(node).find((part) => part.name === 'Identifier');
  const parts = childrenOf(node)
    .filter((part) => part.name === 'LabelMatchers')
    .flatMap(childrenOf);
  const name = identifier ? checkedName(text.slice(identifier.from, identifier.to), text, identifier.from) : null;
  const matchers = parts.map((part) => matcherOf(part, text));
  const quoted = parts.filter((part) => part.name === 'QuotedLabelName');
  // Beside a bare name Prometheus takes no matcher of the name at all; VictoriaMetrics does.
  const others = name === null ? quoted.slice(1) : parts.filter((_part, i) => matchers[i]!.label === '__name__');
  if (others.length > 0) refuseQuery('query_syntax', 'a selector has one metric name.', text, others[0]!.from);
  if (name === null && !matchers.some(refusesEmpty)) {
    const needs = 'a selector needs a metric name, or a matcher that does not match the empty value.';
    refuseQuery('query_syntax', needs, text, node.from);
  }
  return { name, matchers };
}

/** The value of a string literal. @throws Refusal BAD_REQUEST */
export function decoded(node: SyntaxNode, text: string): string {
  return (
    stringValue(text.slice(node.from, node.to)) ??
    refuseQuery('query_syntax', 'this text is not closed, or has an escape that is none.', text, node.from)
  );
}

/** The label that a `LabelName` or `QuotedLabelName` names. @throws Refusal BAD_REQUEST */
export function labelOf(node: SyntaxNode, text: string): string {
  const [quoted] = childrenOf(node);
  const label = quoted ? decoded(quoted, text) : text.slice(node.from, node.to);
  if (label === '') refuseQuery('query_syntax', 'a label has a name.', text, node.from);
  checkPlain(label, text, node.from);
  if (label.startsWith('__') && label !== '__name__') {
    const why = 'labels that begin with __ are reserved; only __name__ can be asked for.';
    refuseQuery('query_reserved_name', why, text, node.from);
  }
  return label;
}

function matcherOf(node: SyntaxNode, text: string): Matcher {
  const [label, op, value] = childrenOf(node);
  if (node.name === 'QuotedLabelName') {
    // `{"up"}`: what only newer stores know as a name all know as this.
    return { label: '__name__', op: '=', value: checkedName(decoded(label!, text), text, node.from) };
  }
  const named = labelOf(label!, text);
  const matcher = { label: named, op: text.slice(op!.from, op!.to) as Matcher['op'], value: decoded(value!, text) };
  if (named === '__name__') checkedName(matcher.value, text, value!.from);
  return matcher;
}

/**
 * Stores and what stands before them keep names of two underscores to themselves, and one of them then looks at no other
 * matcher. In a pattern too: it does not ask which operator the value stands behind.
 */
function checkedName(name: string, text: string, at: number): string {
  checkPlain(name, text, at);
  // VictoriaMetrics writes it out bare, reads a number, and ends.
  if (/^(?:inf|nan)$/i.test(name)) {
    refuseQuery('query_reserved_name', `a metric named ${name} reads as a number.`, text, at);
  }
  if (name.startsWith('__')) {
    refuseQuery('query_reserved_name', 'metric names that begin with __ are reserved.', text, at);
  }
  return name;
}

/** VictoriaMetrics writes a character that Go does not print as an escape, and ends when it reads that again. */
function checkPlain(name: string, text: string, at: number): void {
  if (/[^\x20-\x7e]/.test(name)) refuseQuery('query_charset', 'names are read in plain ASCII only.', text, at);
}

/** As far as can be told without RE2. The store has the last word; what passes here is confined all the same. */
function refusesEmpty({ op, value }: Matcher): boolean {
  const takesEmpty = op.endsWith('~') ? /^$|^\.[*?]$|^\||\|$|^\(.*\)[*?]$|\|\|/s.test(value) : value === '';
  return op.startsWith('!') ? takesEmpty : !takesEmpty;
}
