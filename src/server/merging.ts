import type { DocumentNode, FieldNode, FragmentDefinitionNode, SelectionSetNode } from 'graphql';

/**
 * How many pairs of fields come under the same name in the same place of the answer, and so have to be compared before it is
 * known that they can be merged: of ten fields of one name 45. What is below fields of one name is one place. It takes as
 * long as the document is with its fragments written out, which must have been bounded.
 *
 * @param enough  counting stops there
 */
export function mergingPairs({ definitions }: DocumentNode, enough: number): number {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of definitions) {
    if (definition.kind === 'FragmentDefinition') fragments.set(definition.name.value, definition);
  }
  let pairs = 0;
  for (const definition of definitions) {
    if (definition.kind === 'OperationDefinition') compare([definition.selectionSet]);
  }
  return pairs;

  function compare(sets: readonly SelectionSetNode[]): void {
    const byName = new Map<string, FieldNode[]>();
    const visited = new Set<string>();
    for (const set of sets) collect(set, byName, visited);
    for (const nodes of byName.values()) {
      pairs += (nodes.length * (nodes.length - 1)) / 2;
      if (pairs >= enough) return;
      const below = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
      if (below.length > 0) compare(below);
    }
  }

  /** Fields by the name they are answered under; a fragment that is spread twice in one place says nothing new. */
  function collect(set: SelectionSetNode, byName: Map<string, FieldNode[]>, visited: Set<string>): void {
    for (const selection of set.selections) {
      if (selection.kind === 'Field') {
        const name = (selection.alias ?? selection.name).value;
        const same = byName.get(name);
        if (same) same.push(selection);
        else byName.set(name, [selection]);
      } else if (selection.kind === 'InlineFragment') collect(selection.selectionSet, byName, visited);
      else if (!visited.has(selection.name.value)) {
        visited.add(selection.name.value);
        const fragment = fragments.get(selection.name.value);
        if (fragment) collect(fragment.selectionSet, byName, visited);
      }
    }
  }
}
