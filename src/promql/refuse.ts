import { Refusal } from '../errors.ts';

/** Why a query is not passed on; it stands in `extensions.reason`. */
export type QueryReason =
  | 'query_charset'
  | 'query_syntax'
  | 'query_unsupported'
  | 'query_reserved_name'
  | 'query_too_large'
  | 'query_time_bounds'
  | 'query_cost'
  | 'query_rejected'
  | 'query_result';

/**
 * Refuses a client's query.
 *
 * @param at  where in `text`, in UTF-16 units; left out, it is about the whole
 * @throws    Refusal BAD_REQUEST, with `reason` and, where it is about a place, `position`
 */
export function refuseQuery(reason: QueryReason, message: string, text?: string, at?: number): never {
  if (text === undefined || at === undefined) {
    throw new Refusal('BAD_REQUEST', `The query ${message}`, { details: { reason } });
  }
  const before = text.slice(0, at).split('\n');
  const position = { line: before.length, column: [...before.at(-1)!].length + 1 };
  throw new Refusal('BAD_REQUEST', `The query, at line ${position.line}, column ${position.column}: ${message}`, {
    details: { reason, position },
  });
}
