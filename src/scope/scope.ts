import { quote } from '../promql/text.ts';

declare const scoped: unique symbol;
/** PromQL text that is confined to clusters of one organization. Only scope/ can make one. */
export type ScopedQuery = string & { readonly [scoped]: true };
