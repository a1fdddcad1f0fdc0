import {
  type ExecutionArgs,
  type FieldNode,
  getNamedType,
  getNullableType,
  type GraphQLCompositeType,
  type GraphQLField,
  isCompositeType,
  isListType,
  isObjectType,
  type FragmentDefinitionNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

/** How many items a list is taken to have where no argument tells. */
const usualList = 8;
/** How many to a page, where `first` is left out. */
const usualPage = 50;

/**
 * About how many fields the answer to a document can have: each field as often as the lists above it have items. Fragments
 * are counted once for each type they are spread on, however often they are spread, so this takes no longer than reading.
 *
 * @param enough  counting stops there
 */
export function askedFields(
  { schema, document, operationName, variableValues }: ExecutionArgs,
  enough: number,
): number {
  const fragments = new Map<string, FragmentDefinitionNode>();
  const operations: OperationDefinitionNode[] = [];
  for (const definition of document.definitions) {
    if (definition.kind === 'FragmentDefinition') fragments.set(definition.name.value, definition);
    if (definition.kind === 'OperationDefinition') operations.push(definition);
  }
  const operation = operationName ? operations.find(({ name }) => name?.value === operationName) : operations[0];
  const root = operation && schema.getRootType(operation.operation);
  if (!operation || !root) return 0;
  const known = new Map<string, number>();
  return Math.min(enough, below(operation.selectionSet, root));

  function below(set: SelectionSetNode, type: GraphQLCompositeType): number {
    let sum = 0;
    for (const selection of set.selections) {
      if (selection.kind === 'Field') sum += ofField(selection, type);
      else if (selection.kind === 'InlineFragment') sum += below(selection.selectionSet, type);
      else sum += ofFragment(selection.name.value, type);
      if (sum >= enough) return enough;
    }
    return sum;
  }

  function ofFragment(name: string, type: GraphQLCompositeType): number {
    const key = `${name} ${type.name}`;
    const held = known.get(key);
    if (held !== undefined) return held;
    // Validation has refused circles; should one come here all the same, it ends.
    known.set(key, 0);
    const count = fragments.has(name) ? below(fragments.get(name)!.selectionSet, type) : 0;
    known.set(key, count);
    return count;
  }

  function ofField(node: FieldNode, parent: GraphQLCompositeType): number {
    const field = isObjectType(parent) ? parent.getFields()[node.name.value] : undefined;
    if (!field || !node.selectionSet) return 1;
    const inner = getNamedType(field.type);
    return isCompositeType(inner) ? 1 + items(field, node, parent) * below(node.selectionSet, inner) : 1;
  }

  /** A page is as long as it was asked to be, and its lists no longer; any other list is taken to be short. */
  function items(field: GraphQLField<unknown, unknown>, node: FieldNode, parent: GraphQLCompositeType): number {
    if (field.args.some(({ name }) => name === 'first')) return pageLength(node);
    return isListType(getNullableType(field.type)) && !parent.name.endsWith('Connection') ? usualList : 1;
  }

  function pageLength({ arguments: given }: FieldNode): number {
    const value = given?.find(({ name }) => name.value === 'first')?.value;
    if (value?.kind === 'IntValue') return Math.abs(Number(value.value));
    const named = value?.kind === 'Variable' ? variableValues?.[value.name.value] : undefined;
    return typeof named === 'number' ? Math.abs(named) : usualPage;
  }
}
