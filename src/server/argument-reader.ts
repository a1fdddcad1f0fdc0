import {
  type ExecutionArgs,
  type FieldNode,
  getArgumentValues,
  getDirectiveValues,
  getVariableValues,
  GraphQLIncludeDirective,
  type GraphQLField,
  type GraphQLSchema,
  GraphQLSkipDirective,
  type OperationDefinitionNode,
  type SelectionNode,
} from 'graphql';
import type { Arguments } from '../domain/work.ts';

type Variables = Parameters<typeof getArgumentValues>[2];

/** The arguments of one operation's fields, as execution will coerce them. What cannot be coerced is execution's to refuse. */
export class ArgumentReader {
  readonly #variables: Variables;

  constructor(
    schema: GraphQLSchema,
    operation: OperationDefinitionNode | undefined,
    given: ExecutionArgs['variableValues'],
  ) {
    this.#variables = orElse(
      () =>
        getVariableValues(schema, operation?.variableDefinitions ?? [], given ?? {}, { maxErrors: 1 }).variableValues,
      undefined,
    );
  }

  valuesOf(field: GraphQLField<unknown, unknown>, node: FieldNode): Arguments {
    return field.args.length === 0 ? {} : orElse(() => getArgumentValues(field, node, this.#variables), {});
  }

  /** Neither skipped nor left out. */
  isIncluded(node: SelectionNode): boolean {
    if (!node.directives?.length) return true;
    return orElse(() => {
      const skip = getDirectiveValues(GraphQLSkipDirective, node, this.#variables);
      const include = getDirectiveValues(GraphQLIncludeDirective, node, this.#variables);
      return skip?.['if'] !== true && include?.['if'] !== false;
    }, true);
  }
}

function orElse<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
