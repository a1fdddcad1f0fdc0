import { allFields, type Field } from './fleet.ts';

export interface AskedWindow {
  readonly start: number;
  readonly end: number;
  readonly points: number;
}

/** What a client asks of every GPU of a cluster: some readings, and of each these parts. */
export const fleetDocument = (fields: readonly Field[] = allFields, parts = 'values'): string => `
  query ($cluster: String!, $start: DateTime!, $end: DateTime!, $points: Int!, $first: Int!) {
    cluster(name: $cluster, window: { start: $start, end: $end, points: $points }) {
      nodes(first: $first) {
        nodes { name gpus { index ${fields.map((field) => `${field} { ${parts} }`).join(' ')} } }
      }
    }
  }`;

/** DateTime is ISO 8601. */
export const fleetVariables = (cluster: string, { start, end, points }: AskedWindow, first: number): object => ({
  cluster,
  start: new Date(start * 1000).toISOString(),
  end: new Date(end * 1000).toISOString(),
  points,
  first,
});

/** Numbers in an answer to the document: that there are as many as there should be is checked before anything is timed. */
export function numbersIn(data: any, fields: readonly Field[]): number {
  let count = 0;
  for (const { gpus } of data.cluster.nodes.nodes) {
    for (const gpu of gpus) {
      for (const field of fields)
        for (const value of gpu[field]?.values ?? []) if (typeof value === 'number') count += 1;
    }
  }
  return count;
}

/** A moment that the data reaches, on every grid that is used here. */
export const moment = (): number => Math.floor(Date.now() / 1000 / 30) * 30 - 60;
