import type { Plugin, YogaInitialContext } from 'graphql-yoga';
import { usualLimits } from '../domain/limits.ts';
import type { Deps } from './deps.ts';
import { sizeOf } from './document-size.ts';
import { mergingPairs } from './merging.ts';
import { lex } from './lexing.ts';
import {
  checkCharacters,
  checkCost,
  checkDefinitions,
  checkPairs,
  checkSize,
  checkTokens,
  checkVariables,
  ofReading,
} from './too-large.ts';
import { variablesSize } from './variables-size.ts';

/** A document that has more is no easier to mend for knowing how many. */
const countedPairs = 100_000_000;

/**
 * Refuses documents that ask for more than the limits, before anything is read: the graph has circles (a GPU has its node, a
 * node its GPUs), and a hundred characters can ask for millions of objects. Tokens are counted before there is a tree, and
 * the tree is measured before it is validated, which can take far longer than measuring.
 */
export const useDocumentLimits = <Operation extends object>(
  { limits = usualLimits, work }: Pick<Deps<Operation>, 'limits' | 'work'>,
  operations: WeakMap<Request, Operation>,
): Plugin<YogaInitialContext> => ({
  onParams({ params: { query, variables } }) {
    checkVariables(variablesSize(variables));
    if (typeof query !== 'string') return;
    checkCharacters(query.length, limits);
    // No text has more tokens, or brackets, than characters.
    if (query.length > Math.min(ofReading.nesting, limits.documentTokens)) checkTokens(lex(query), limits);
  },
  onValidate({ params: { schema, documentAST: document }, context: { request, params } }) {
    checkDefinitions(document);
    const { operationName, variables: variableValues } = params;
    const size = sizeOf({ schema, document, operationName, variableValues }, work?.weights);
    checkSize(size, limits);
    checkPairs(mergingPairs(document, countedPairs));
    const operation = operations.get(request);
    if (work && operation) checkCost(work.costOf(operation, size.places), limits);
  },
});
