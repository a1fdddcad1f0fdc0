import { Lexer, Source, TokenKind } from 'graphql';

/** What a text is made of, as far as it can be read. */
export interface Lexed {
  readonly tokens: number;
  /** Brackets within brackets. */
  readonly nesting: number;
}

const opening: ReadonlySet<TokenKind> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const closing: ReadonlySet<TokenKind> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/** Counts the tokens of a document without making a tree of it. A text that breaks off is the parser's to refuse. */
export function lex(text: string): Lexed {
  const lexer = new Lexer(new Source(text));
  let [tokens, open, nesting] = [0, 0, 0];
  try {
    for (let { kind } = lexer.advance(); kind !== TokenKind.EOF; { kind } = lexer.advance()) {
      tokens += 1;
      if (opening.has(kind)) nesting = Math.max(nesting, ++open);
      else if (closing.has(kind)) open -= 1;
    }
  } catch {
    // What was read so far counts.
  }
  return { tokens, nesting };
}
