import * as fc from 'fast-check';

import { mostly, oneOf } from './literals.ts';

export type Tokens = readonly string[];

/** Two words run together without something between them. */
const needsSpace = (before: string, after: string): boolean => /[\w:.$]$/.test(before) && /^[\w:.$]/.test(after);

const tight = (tokens: Tokens): string =>
  tokens.reduce((text, token) => (needsSpace(text, token) ? `${text} ${token}` : text + token), '');

/** What the language allows between two tokens, and what only some readers do. */
const gaps = mostly(
  oneOf(
    '',
    ' ',
    '  ',
    '\n',
    '\t',
    '\r\n',
    '\n\n ',
    ' # note\n',
    '#\n',
    '# "open } \n',
    "# it's `odd` {\n",
    '# or up\n',
  ),
  oneOf(
    '# x\r or up\n',
    '#\r',
    '\r',
    '# y\r\n',
    '\u00a0',
    '\u2028',
    '\u0085',
    '\u3000',
    '\ufeff',
    '\v',
    '\f',
    '\u0000',
    ';',
    '/**/',
    '# \u2028 or up\n',
  ),
  1,
);

/** The tokens as a text: written as people write, or with anything that may stand between any two of them. */
export const spaced = (tokens: fc.Arbitrary<Tokens>): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 4, arbitrary: tokens.map(tight) },
    { weight: 1, arbitrary: tokens.map((all) => all.join(' ')) },
    {
      weight: 1,
      arbitrary: fc.tuple(tokens, fc.array(gaps, { minLength: 1, maxLength: 12 })).map(([all, between]) =>
        all.reduce((text, token, at) => {
          const gap = between[at % between.length]!;
          return text + (gap === '' && needsSpace(text, token) ? ' ' : gap) + token;
        }, ''),
      ),
    },
  );
