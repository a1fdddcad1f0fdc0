import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
  printType,
} from 'graphql';

/** The schema in pieces that a model can afford: an index, one type, or what some words find. */
export interface SchemaPieces {
  readonly names: readonly string[];
  /** Every type with what it is, in a line. */
  readonly index: string;
  /** One type in schema language; undefined where there is none of that name. */
  readonly type: (name: string) => string | undefined;
  /** A type of that name, else every field, argument or value in whose name or words all of these occur. */
  readonly find: (words: string) => string;
}

const foundAtMost = 40;

export function schemaPieces(schema: GraphQLSchema): SchemaPieces {
  const types = Object.values(schema.getTypeMap())
    .filter((type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const byName = new Map(types.map((type) => [type.name.toLowerCase(), type] as const));
  const lines = types.flatMap(linesOf);
  const type = (name: string): string | undefined => {
    const found = byName.get(name.toLowerCase());
    return found && printType(found);
  };
  return {
    names: types.map(({ name }) => name),
    index: types.map(({ name, description }) => `${name}: ${firstSentence(description)}`).join('\n'),
    type,
    find: (words) => type(words.trim()) ?? search(lines, words),
  };
}

interface Line {
  readonly text: string;
  readonly key: string;
}

function search(lines: readonly Line[], words: string): string {
  const wanted = words
    .toLowerCase()
    .split(/[^\p{L}\p{N}_]+/u)
    .filter(Boolean);
  const found = lines.filter(({ key }) => wanted.every((word) => key.includes(word)));
  if (wanted.length === 0 || found.length === 0) {
    return `Nothing in the schema has all of these words. Start with the type Query, or read the resource gpuql://schema.`;
  }
  const more = found.length > foundAtMost ? [`… ${found.length - foundAtMost} more; add a word.`] : [];
  return [...found.slice(0, foundAtMost).map(({ text }) => text), ...more].join('\n');
}

/** A line for the type, and one for each thing in it. */
function linesOf(type: GraphQLNamedType): Line[] {
  const own = line(type.name, type.description);
  if (isEnumType(type)) {
    return [own, ...type.getValues().map(({ name, description }) => line(`${type.name}.${name}`, description))];
  }
  if (!isObjectType(type) && !isInputObjectType(type)) return [own];
  const fields = isObjectType(type)
    ? Object.values(type.getFields()).map((field) => ({ ...field, args: argumentsOf(field) }))
    : Object.values(type.getFields()).map((field) => ({ ...field, args: '' }));
  const lines = fields.map(({ name, args, type: of, description }) =>
    line(`${type.name}.${name}${args}: ${String(of)}`, description),
  );
  return [own, ...lines];
}

const argumentsOf = ({ args }: GraphQLField<unknown, unknown>): string =>
  args.length === 0 ? '' : `(${args.map(({ name, type }) => `${name}: ${String(type)}`).join(', ')})`;

const line = (what: string, description: string | null | undefined): Line => {
  const text = `${what} — ${description ?? ''}`;
  return { text, key: text.toLowerCase() };
};

const firstSentence = (text: string | null | undefined): string =>
  /^.*?[.:;](?= |$)/s.exec(text ?? '')?.[0] ?? text ?? '';
