import type { Matcher } from '../domain/matcher.ts';

/**
 * A PromQL string literal: double quotes, with backslash, quote and control characters escaped; and U+FFFD, by which
 * Prometheus' lexer tells that a query is no UTF-8.
 */
export function quote(text: string): string {
  const escaped = text.replace(/[\\"\p{Cc}\ufffd]/gu, (c) =>
    c === '\\' || c === '"' ? `\\${c}` : `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `"${escaped}"`;
}

/** Text as an RE2 pattern that matches only itself: a dot matches a dot. */
export const literally = (text: string): string => text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');

/** A pattern that matches any of the texts, each literally. */
export const anyOf = (texts: readonly string[]): string => texts.map(literally).join('|');

/** `metric{a="b",c=~"d"}`; a metric of null leaves the name to the matchers. */
export function selector(metric: string | null, matchers: readonly Matcher[]): string {
  return `${metric ?? ''}{${matchers.map(({ label, op, value }) => `${label}${op}${quote(value)}`).join(',')}}`;
}
