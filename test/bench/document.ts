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

/** What the document answers, as far as it is looked at. */
export interface FleetData {
  readonly cluster: {
    readonly nodes: {
      readonly nodes: readonly { readonly gpus: readonly Partial<Record<Field, SeriesValues | null>>[] }[];
    };
  };
}
interface SeriesValues {
  readonly values?: readonly (number | null)[];
}

/** Numbers in an answer to the document: that there are as many as there should be is checked before anything is timed. */
export function numbersIn(data: FleetData, fields: readonly Field[]): number {
  let count = 0;
  for (const { gpus } of data.cluster.nodes.nodes) {
    for (const gpu of gpus) {
      for (const field of fields) count += gpu[field]?.values?.filter((value) => value !== null).length ?? 0;
    }
  }
  return count;
}

/** A moment that the data reaches, on every grid that is used here. */
export const moment = (): number => Math.floor(Date.now() / 1000 / 30) * 30 - 60;
