import { readFileSync } from 'node:fs';
import {
  getNamedType,
  type GraphQLArgument,
  type GraphQLInputObjectType,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLType,
  isIntrospectionType,
  isNonNullType,
  isObjectType,
  isSpecifiedScalarType,
  lexicographicSortSchema,
  printSchema,
} from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../src/schema/index.ts';

const own = Object.values(schema.getTypeMap()).filter(
  (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
);

test('schema.graphql is what the code says (run npm run schema and review the difference)', () => {
  const held = readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8');
  expect(held).toBe(`${printSchema(lexicographicSortSchema(schema))}\n`);
});

/** A type, its fields, their arguments and its values, each by its path. */
function* described(type: GraphQLNamedType): Generator<[path: string, description: string | null | undefined]> {
  yield [type.name, type.description];
  for (const field of 'getFields' in type ? Object.values(type.getFields()) : []) {
    yield [`${type.name}.${field.name}`, field.description];
    for (const argument of 'args' in field ? field.args : []) {
      yield [`${type.name}.${field.name}(${argument.name})`, argument.description];
    }
  }
  for (const value of 'getValues' in type ? type.getValues() : [])
    yield [`${type.name}.${value.name}`, value.description];
}

test('every type, field, argument and value has a description that is a sentence', () => {
  const all = own.flatMap((type) => [...described(type)]);
  expect(all.length).toBeGreaterThan(100);
  expect(all.filter(([, text]) => !/^[A-Z1-9].{3,}[.)]$/s.test(text ?? '')).map(([path]) => path)).toEqual([]);
});

// It itself, its type, or the type that it is a field of.
test('every field of an answer that can be null says what null means', () => {
  const silent = own.filter(isObjectType).flatMap((type) =>
    Object.values(type.getFields())
      .filter(({ type: of }) => !isNonNullType(of))
      .filter(({ description, type: of }) => {
        const named = getNamedType(of);
        const said = [description, type.description, ...(own.includes(named) ? [named.description] : [])];
        return !said.some((text) => /\bnull\b/i.test(text ?? ''));
      })
      .map(({ name }) => `${type.name}.${name}`),
  );
  expect(silent).toEqual([]);
});

const numbers: ReadonlySet<string> = new Set(['Int', 'Float', 'Count', 'Samples', 'Series']);
/** A unit, or what is counted. */
const unit =
  /°C|percent|\b(MHz|GiB|Mbit\/s|bytes|W|s|ms|milliseconds|seconds|minutes|days|characters|per core|unit|index(es)?|codes)\b|\b(count|number of|how many|how often|most \w+)\b/i;

interface Member {
  readonly at: string;
  readonly type: GraphQLType;
  readonly description?: string | null | undefined;
}
function fieldsOf(type: GraphQLObjectType | GraphQLInterfaceType | GraphQLInputObjectType): Member[] {
  return Object.values(type.getFields()).flatMap((field) => {
    const at = `${type.name}.${field.name}`;
    const args = 'args' in field ? (field.args as readonly GraphQLArgument[]) : [];
    return [
      { at, type: field.type, description: field.description },
      ...args.map(({ name, type, description }) => ({ at: `${at}(${name})`, type, description })),
    ];
  });
}

test('every number says its unit, or what it counts', () => {
  const all = own
    .flatMap((type) => ('getFields' in type ? fieldsOf(type) : []))
    .filter(({ type }) => numbers.has(getNamedType(type).name));
  expect(all.length).toBeGreaterThan(60);
  expect(all.filter(({ description }) => !unit.test(description ?? '')).map(({ at }) => at)).toEqual([]);
});

test('a description of a reading tells its unit, its family and who lacks it', () => {
  const { thermalS } = (
    schema.getType('Throttle') as never as { getFields(): Record<string, { description: string }> }
  ).getFields();
  expect(thermalS!.description).toMatch(/, s\. Family THROTTLE_VIOLATIONS\. Always null on AMD/);
});
