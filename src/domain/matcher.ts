/** One label matcher. A regular expression is RE2, anchored by the store at both ends. */
export interface Matcher {
  readonly label: string;
  readonly op: '=' | '!=' | '=~' | '!~';
  readonly value: string;
}
