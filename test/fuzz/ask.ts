import type { Gateway, Reply } from '../support/gateway.ts';
import { ago, HOUR, iso, NOW } from '../support/fleet/clock.ts';

/** What `metricsQuery` answers, in the contract's words. */
export interface Answered {
  readonly resultType: 'MATRIX' | 'VECTOR' | 'SCALAR';
  readonly series: readonly {
    readonly labels: Readonly<Record<string, string>>;
    readonly values: readonly (number | null)[] | null;
    readonly value: number | null;
  }[];
  readonly value: number | null;
  readonly seriesTotal: number;
  readonly truncated: boolean;
  readonly note: string | null;
}

export interface Refused {
  readonly code: string;
  readonly message: string;
}

/** One field's answer: data or the refusal in its place. */
export interface Outcome {
  readonly answered: Answered | null;
  readonly refused: Refused | null;
}

/** An expression at the window's end and over the window, in one document. */
export interface Both {
  readonly instant: Outcome;
  readonly range: Outcome;
  /** The whole response without the query's own text, which it gives back. */
  readonly body: string;
}

export const POINTS = 12;
export const window = { start: iso(ago(HOUR)), end: iso(NOW), points: POINTS };

const fields =
  'org query resultType window { start end stepS points } series { labels values value } value seriesTotal truncated note';
const document = `query ($query: String!, $window: WindowInput) {
  instant: metricsQuery(query: $query, instant: true, window: $window) { ${fields} }
  range: metricsQuery(query: $query, window: $window) { ${fields} }
}`;

export async function ask(gateway: Gateway, query: string, token?: string): Promise<Both> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const reply = await gateway.query(document, { query, window }, headers);
  return { instant: outcomeOf(reply, 'instant'), range: outcomeOf(reply, 'range'), body: bodyOf(reply, query) };
}

function outcomeOf({ data, errors }: Reply, field: 'instant' | 'range'): Outcome {
  const error = errors?.find(({ path }) => path === undefined || path[0] === field);
  const refused = error === undefined ? null : { code: String(error.extensions?.code), message: error.message };
  return { answered: data?.[field] ?? null, refused };
}

function bodyOf({ data, errors, extensions }: Reply, query: string): string {
  const said = [data?.instant, data?.range].map((field) => {
    if (!field) return field;
    const { query: echoed, ...rest } = field;
    return echoed === query ? rest : field;
  });
  return JSON.stringify({ said, errors, extensions });
}
