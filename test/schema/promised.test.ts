import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
  print,
} from 'graphql';
import { expect, test } from 'vitest';

/** Each type, value, field, argument with its type and default, a line each. */
function linesOf(schema: GraphQLSchema): string[] {
  const input = (path: string, { type, default: given }: GraphQLArgument | GraphQLInputField): string =>
    `${path}: ${String(type)} = ${given?.literal ? print(given.literal) : 'none'}`;
  const own = Object.values(schema.getTypeMap()).filter(
    (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
  );
  return own.flatMap((type) => [
    `${type.constructor.name} ${type.name}`,
    ...(isEnumType(type) ? type.getValues().map(({ name }) => `${type.name}.${name}`) : []),
    ...(isInputObjectType(type)
      ? Object.values(type.getFields()).map((field) => input(`${type.name}.${field.name}`, field))
      : []),
    ...(isObjectType(type)
      ? Object.values(type.getFields()).flatMap((field) => [
          `${type.name}.${field.name}: ${String(field.type)}`,
          ...field.args.map((argument) => input(`${type.name}.${field.name}(${argument.name})`, argument)),
        ])
      : []),
  ]);
}

const read = (path: string): string[] => linesOf(buildSchema(readFileSync(new URL(path, import.meta.url), 'utf8')));

test('all that clients are promised is in the schema, with the same types and defaults', () => {
  const held = new Set(read('../../schema.graphql'));
  const promised = read('promised.graphql');
  expect(promised.length).toBeGreaterThan(300);
  expect(promised.filter((line) => !held.has(line))).toEqual([]);
});
