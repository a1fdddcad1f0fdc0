import {
  type ExecutionArgs,
  type FieldNode,
  type FragmentDefinitionNode,
  getNamedType,
  type GraphQLCompositeType,
  type GraphQLField,
  isCompositeType,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import type { Place, Weights } from '../domain/work.ts';
import { ArgumentReader } from './argument-reader.ts';
import { itemsOf } from './items.ts';
import { Tally } from './tally.ts';

/** How large a document is, fragments followed. */
export interface DocumentSize {
  readonly depth: number;
  readonly aliases: number;
  readonly rootFields: number;
  /** Fields of the document, those of a fragment as often as it is spread. */
  readonly written: number;
  /** Fields of the answer, each as often as the lists above it have items. */
  readonly fields: number;
  /** What it asks of the stores. */
  readonly places: readonly Place[];
}

/** Fields and fragments within each other are followed so far: more than that can overflow the stack. */
const deepest = 1000;

/**
 * The size of a document in one walk. A fragment is walked once for each type that it is spread on, however often it is
 * spread, so this takes no longer than reading. The document need not be valid. Of several operations all are measured,
 * since all are validated; what is answered and asked is the selected one's.
 *
 * @param weights  what fields mean for the stores
 */
export function sizeOf(
  { schema, document, operationName, variableValues }: Omit<ExecutionArgs, 'contextValue'>,
  weights: Weights = {},
): DocumentSize {
  const fragments = new Map<string, FragmentDefinitionNode>();
  const operations: OperationDefinitionNode[] = [];
  for (const definition of document.definitions) {
    if (definition.kind === 'FragmentDefinition') fragments.set(definition.name.value, definition);
    if (definition.kind === 'OperationDefinition') operations.push(definition);
  }
  const selected = operationName ? operations.find(({ name }) => name?.value === operationName) : operations[0];
  const read = new ArgumentReader(schema, selected, variableValues);
  const known = new Map<string, Tally>();
  const each = operations.map((operation) => ({
    operation,
    tally: ofSet(operation.selectionSet, schema.getRootType(operation.operation) ?? undefined, 1),
  }));
  const whole = each.find(({ operation }) => operation === selected)?.tally;
  const most = (of: (tally: Tally) => number) => each.reduce((high, { tally }) => Math.max(high, of(tally)), 0);
  return {
    depth: most(({ depth }) => depth),
    aliases: most(({ aliases }) => aliases),
    rootFields: most(({ selections }) => selections),
    written: each.reduce((sum, { tally }) => sum + tally.written, 0),
    fields: whole?.fields ?? 0,
    places: whole?.placesAsked() ?? [],
  };

  function ofSet(set: SelectionSetNode, type: GraphQLCompositeType | undefined, level: number): Tally {
    const sum = new Tally();
    // What is not followed any further is refused for its depth.
    if (level > deepest) sum.depth = deepest;
    else for (const selection of set.selections) add(sum, selection, type, level);
    return sum;
  }

  function add(sum: Tally, selection: SelectionNode, type: GraphQLCompositeType | undefined, level: number): void {
    const isIncluded = read.isIncluded(selection);
    if (selection.kind === 'Field') addField(sum, selection, type, level, isIncluded);
    else if (selection.kind === 'FragmentSpread')
      sum.addSelection(ofFragment(selection.name.value, type, level), isIncluded);
    else sum.addSelection(ofSet(selection.selectionSet, type, level + 1), isIncluded);
  }

  function ofFragment(name: string, type: GraphQLCompositeType | undefined, level: number): Tally {
    const key = `${name} ${type?.name}`;
    const held = known.get(key);
    if (held) return held;
    // Circles are validation's to refuse; here they end.
    known.set(key, new Tally());
    const fragment = fragments.get(name);
    const made = fragment ? ofSet(fragment.selectionSet, type, level + 1) : new Tally();
    known.set(key, made);
    return made;
  }

  function addField(
    sum: Tally,
    node: FieldNode,
    parent: GraphQLCompositeType | undefined,
    level: number,
    isIncluded: boolean,
  ): void {
    const field = parent && schema.getField(parent, node.name.value);
    const inner = field && getNamedType(field.type);
    const below = node.selectionSet
      ? ofSet(node.selectionSet, isCompositeType(inner) ? inner : undefined, level + 1)
      : null;
    const items = field && below ? itemsOf(field, parent, () => read.valuesOf(field, node)) : 1;
    sum.addField(node, below, items, isIncluded);
    if (field && isIncluded) addWork(sum, field, `${parent.name}.${field.name}`, node, below);
  }

  function addWork(
    sum: Tally,
    field: GraphQLField<unknown, unknown>,
    coordinate: string,
    node: FieldNode,
    below: Tally | null,
  ): void {
    if (below) sum.addPlaces(below);
    const weight = Object.hasOwn(weights, coordinate) ? weights[coordinate] : undefined;
    if (!weight) return below ? sum.ask(below.asked, 1) : undefined;
    const args = read.valuesOf(field, node);
    if (weight.isPlace) {
      const place = new Tally();
      if (below) place.ask(below.asked, weight.times?.(args) ?? 1);
      for (const reading of weight.reads?.(args, below?.selected ?? nothing) ?? []) place.read(reading);
      return sum.addPlace(coordinate, args, place.asked);
    }
    if (below) sum.ask(below.asked, weight.times?.(args) ?? 1);
    for (const reading of weight.reads?.(args, below?.selected ?? nothing) ?? []) sum.read(reading);
  }
}

const nothing: ReadonlySet<string> = new Set();
