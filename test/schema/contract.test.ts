import { readFileSync } from 'node:fs';
import {
  type GraphQLNamedType,
  isIntrospectionType,
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

test('a description of a reading tells its unit, its family and who lacks it', () => {
  const { thermalS } = (
    schema.getType('Throttle') as never as { getFields(): Record<string, { description: string }> }
  ).getFields();
  expect(thermalS!.description).toMatch(/, s\. Family THROTTLE_VIOLATIONS\. Always null on AMD/);
});
