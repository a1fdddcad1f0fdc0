import {
  type FieldNode,
  getDirectiveValues,
  GraphQLIncludeDirective,
  type GraphQLResolveInfo,
  GraphQLSkipDirective,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { type Part, parts } from '../reads/gauge-plan.ts';

const known = new WeakMap<object, WeakMap<FieldNode, ReadonlySet<string>>>();

/** Names of the fields that the client selects below the field being resolved, fragments and directives followed. */
export function selectedBelow(info: GraphQLResolveInfo): ReadonlySet<string> {
  // One field of a document is resolved for thousands of objects, always with the same selection.
  const ofOperation = known.get(info.variableValues) ?? new WeakMap<FieldNode, ReadonlySet<string>>();
  known.set(info.variableValues, ofOperation);
  const first = info.fieldNodes[0]!;
  const held = ofOperation.get(first);
  if (held) return held;
  const names = new Set(fieldsIn(info.fieldNodes, info).map(({ name }) => name.value));
  ofOperation.set(first, names);
  return names;
}

/** The same further down a path of field names. */
export function selectedAt(info: GraphQLResolveInfo, path: readonly string[]): ReadonlySet<string> {
  const at = path.reduce(
    (nodes, step) => fieldsIn(nodes, info).filter(({ name }) => name.value === step),
    info.fieldNodes,
  );
  return new Set(fieldsIn(at, info).map(({ name }) => name.value));
}

/** The fields below some fields. */
function fieldsIn(nodes: readonly FieldNode[], info: GraphQLResolveInfo): readonly FieldNode[] {
  const found: FieldNode[] = [];
  const visited = new Set<string>();
  for (const { selectionSet } of nodes) collect(selectionSet, info, found, visited);
  return found;
}

/** A fragment is looked into once: a chain of fragments that each name the next one twice would take for ever. */
function collect(
  set: SelectionSetNode | undefined,
  info: GraphQLResolveInfo,
  found: FieldNode[],
  visited: Set<string>,
): void {
  for (const selection of set?.selections ?? []) {
    if (!isIncluded(selection, info)) continue;
    if (selection.kind === 'Field') found.push(selection);
    else if (selection.kind === 'InlineFragment') collect(selection.selectionSet, info, found, visited);
    else if (!visited.has(selection.name.value)) {
      visited.add(selection.name.value);
      collect(info.fragments[selection.name.value]?.selectionSet, info, found, visited);
    }
  }
}

function isIncluded(node: SelectionNode, { variableValues }: GraphQLResolveInfo): boolean {
  const skip = getDirectiveValues(GraphQLSkipDirective, node, variableValues);
  const include = getDirectiveValues(GraphQLIncludeDirective, node, variableValues);
  return skip?.['if'] !== true && include?.['if'] !== false;
}

const partsOf = new WeakMap<ReadonlySet<string>, ReadonlySet<Part>>();
const onlyPresence: ReadonlySet<Part> = new Set<Part>(['last']);

/** What is selected of a series. One of which only `t0` is wanted must still tell whether it is there at all. */
export function partsBelow(info: GraphQLResolveInfo): ReadonlySet<Part> {
  const selected = selectedBelow(info);
  const held = partsOf.get(selected);
  if (held) return held;
  const wanted = parts.filter((part) => selected.has(part));
  const found = wanted.length > 0 ? new Set(wanted) : onlyPresence;
  partsOf.set(selected, found);
  return found;
}
