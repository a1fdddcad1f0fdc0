import type { DocumentNode } from 'graphql';
import { Refusal } from '../errors.ts';
import type { Limits } from '../domain/limits.ts';
import type { DocumentSize } from './document-size.ts';
import type { Lexed } from './lexing.ts';
import type { VariablesSize } from './variables-size.ts';

/**
 * What makes reading and checking a document slow rather than its answer large. Parsing goes one step down for each bracket;
 * checking compares every two fields of one name in one place, and every two fragments.
 */
export const ofReading = { nesting: 250, fragments: 150, variables: 200, written: 20_000, pairs: 5_000 } as const;

/**
 * How many values variables may hold, and how long one text of them may be. A document uses a variable as often as it likes,
 * so each costs a thousand times what it took to send.
 */
const ofVariables = { values: 5_000, characters: 8_192 } as const;

/** One limit: how many there may be, what of, and what to change. */
interface Bound {
  readonly most: number;
  readonly what: string;
  readonly advice: string;
}

/** @throws Refusal QUERY_TOO_LARGE: the text is too long */
export const checkCharacters = (characters: number, { documentCharacters: most }: Limits): void =>
  check(characters, { most, what: 'characters', advice: 'Select less, or send several documents.' });

/** @throws Refusal QUERY_TOO_LARGE: the text is made of too much */
export function checkTokens({ tokens, nesting }: Lexed, { documentTokens }: Limits): void {
  check(tokens, { most: documentTokens, what: 'tokens', advice: 'Select less, or send several documents.' });
  check(nesting, { most: ofReading.nesting, what: 'brackets within brackets', advice: 'Nest less.' });
}

/** @throws Refusal QUERY_TOO_LARGE: the document defines too much */
export function checkDefinitions({ definitions }: DocumentNode): void {
  const fragments = definitions.filter(({ kind }) => kind === 'FragmentDefinition').length;
  const variables = definitions.flatMap((definition) =>
    definition.kind === 'OperationDefinition' ? (definition.variableDefinitions ?? []) : [],
  ).length;
  check(fragments, { most: ofReading.fragments, what: 'fragments', advice: 'Merge some, or send several documents.' });
  check(variables, {
    most: ofReading.variables,
    what: 'variables',
    advice: 'Write constant values into the document.',
  });
}

/** @throws Refusal QUERY_TOO_LARGE: the variables hold too much */
export function checkVariables({ values, longest, nesting }: VariablesSize): void {
  check(values, {
    most: ofVariables.values,
    what: 'values in its variables',
    advice: 'Send shorter lists, in several requests.',
  });
  check(longest, {
    most: ofVariables.characters,
    what: 'characters in one variable',
    advice: 'Nothing here is that long; send a shorter text.',
  });
  // What may be of any shape is written out again on its way, and that goes one step down for each.
  check(nesting, {
    most: ofReading.nesting,
    what: 'lists and objects in each other in its variables',
    advice: 'Nest less.',
  });
}

/** @throws Refusal QUERY_TOO_LARGE: the document asks for too much */
export function checkSize(size: DocumentSize, limits: Limits): void {
  for (const [key, bound] of Object.entries(boundsOf(limits))) check(size[key as keyof typeof size] as number, bound);
}

/** @throws Refusal QUERY_TOO_LARGE: the document says the same too often */
export const checkPairs = (pairs: number): void =>
  check(pairs, {
    most: ofReading.pairs,
    what: 'pairs of fields of the same name in the same place',
    advice: 'Select each field of one place once.',
  });

/** @throws Refusal QUERY_TOO_LARGE: answering would cost the stores too much */
export const checkCost = (cost: number, { cost: most }: Limits): void =>
  check(cost, {
    most,
    what: 'of work for the stores (requests x series x points)',
    advice:
      'Take a shorter window, fewer nodes, or fewer kinds of flags, or send several documents one after the other.',
  });

const boundsOf = ({ depth, aliases, rootFields, fields }: Limits) =>
  ({
    depth: {
      most: depth,
      what: 'levels of fields within fields',
      advice: 'Do not go round in circles; ask for what lies deeper in a document of its own.',
    },
    aliases: {
      most: aliases,
      what: 'aliases',
      advice: 'Use lists (names, indexes) instead, or send several documents.',
    },
    rootFields: { most: rootFields, what: 'root fields', advice: 'Send several documents.' },
    written: {
      most: ofReading.written,
      what: 'fields with its fragments written out',
      advice: 'Select less, or send several documents.',
    },
    fields: {
      most: fields,
      what: 'fields of an answer',
      advice: 'Select less, ask for shorter pages (first), or do not go round in circles.',
    },
  }) satisfies Partial<Record<keyof DocumentSize, Bound>>;

function check(count: number, { most, what, advice }: Bound): void {
  if (count <= most) return;
  throw new Refusal(
    'QUERY_TOO_LARGE',
    `The document has ${written(count)} ${what}, ${written(count - most)} more than the ${written(most)} that are allowed. ${advice}`,
  );
}

/** What is estimated is not written to the last digit. */
function written(count: number): string {
  if (count >= 1e15) return 'over 1,000,000,000,000,000';
  return (count < 1e6 ? Math.ceil(count) : Number(count.toPrecision(3))).toLocaleString('en');
}
