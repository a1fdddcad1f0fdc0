import { getNullableType, type GraphQLCompositeType, type GraphQLField, isListType } from 'graphql';
import type { Arguments } from '../domain/work.ts';

/** How many items a list is taken to have where no argument tells. */
const usualList = 8;
/** How many to a page, where `first` is null. */
const usualPage = 50;

/** How many objects a field has. A page is as long as it was asked to be, and its lists no longer; other lists are taken to be short. */
export function itemsOf(
  field: GraphQLField<unknown, unknown>,
  parent: GraphQLCompositeType,
  valuesOf: () => Arguments,
): number {
  if (field.args.some(({ name }) => name === 'first')) return pageOf(valuesOf());
  return isListType(getNullableType(field.type)) && !parent.name.endsWith('Connection') ? usualList : 1;
}

export const pageOf = ({ first }: Arguments): number => (typeof first === 'number' ? Math.abs(first) : usualPage);
