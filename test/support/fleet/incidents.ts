import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ago, HOUR, NOW } from './clock.ts';
import { jointly, type NodeSeries } from './counting.ts';
import { flagFields, outOfOrder, type ToldFlag, wrongFlags } from './flag-questions.ts';
import type { TrueFlag } from './flag-shape.ts';
import { flagsOf } from './flag-truth.ts';
import { askCluster, span } from './questions.ts';
import type { Series } from './series.ts';
import { host } from './situations.ts';
import { startWorld, type World } from './world.ts';

/** What happened on a node, and by hand what must be said of it: a kind, a severity and a length each. */
export type Situation = readonly [
  label: string,
  series: NodeSeries,
  flags: readonly string[],
  over?: readonly [start: number, end: number],
];

export interface Ward {
  readonly cluster: string;
  readonly vendor: 'nvidia' | 'amd';
  readonly situations: readonly Situation[];
}

/** A flag in the words of the tables. */
export const inWords = ({ kind, severity, gpu, minutes, clipped, evidence }: TrueFlag): string => {
  const cut = clipped.start
    ? clipped.end
      ? ' clipped at both'
      : ' clipped at start'
    : clipped.end
      ? ' clipped at end'
      : '';
  const resource = typeof evidence['resource'] === 'string' ? ` ${evidence['resource']}` : '';
  const where = gpu === null || gpu === 0 ? '' : ` GPU ${gpu}`;
  return `${kind}${resource}${where} ${severity} ${Number(minutes.toFixed(2))} min${cut}`;
};

const theLastHour = [ago(HOUR), NOW] as const;

/** Every situation on a node of its own: the labels against the truth, the node's flags and the cluster's against both. */
export const incidents = (wards: readonly Ward[]): void => {
  const nodeOf = ({ cluster }: Ward, at: number): string => `${cluster}-${at + 1}`;
  const series = new Map<Ward, Series[]>(
    wards.map((ward) => [ward, ward.situations.flatMap(([, build], at) => jointly(build, host())(nodeOf(ward, at)))]),
  );
  const truthOf = (ward: Ward, node: string, [start, end]: readonly [number, number]): TrueFlag[] =>
    flagsOf(series.get(ward)!, { node, vendor: ward.vendor, window: { start, end }, now: NOW });

  let world: World;
  beforeAll(async () => {
    world = await startWorld(
      wards.map((ward) => ({ name: ward.cluster, vendor: ward.vendor, series: series.get(ward)! })),
    );
  });
  afterAll(() => world?.close());

  describe.each(wards)('$cluster', (ward) => {
    const rows = ward.situations.map(
      ([label, , flags, over = theLastHour], at) => [label, nodeOf(ward, at), flags, over] as const,
    );

    test.each(rows)('by its samples: %s', (_label, node, flags, over) => {
      expect(truthOf(ward, node, over).map(inWords).sort()).toEqual([...flags].sort());
    });

    test.each(rows)('%s', async (_label, node, _flags, [start, end]) => {
      const selection = `reference { tempP95C } node(name: "${node}") { flags { flags { ${flagFields} } } }`;
      const got = await askCluster(await world.gateway(), ward.cluster, selection, span(start, end));
      const told: ToldFlag[] = got.node.flags.flags;
      expect(wrongFlags(truthOf(ward, node, [start, end]), told, got.reference?.tempP95C ?? null)).toEqual([]);
    });

    test.each([1, 96])('the cluster has the flags of all its nodes and no others, at %i points', async (points) => {
      const selection = `reference { tempP95C } flags { flags { ${flagFields} } }`;
      const window = { range: 'LAST_1H', points } as const;
      const got = await askCluster(await world.gateway(), ward.cluster, selection, window);
      const truth = rows.flatMap(([, node]) => truthOf(ward, node, theLastHour));
      expect(wrongFlags(truth, got.flags.flags, got.reference?.tempP95C ?? null)).toEqual([]);
      expect(outOfOrder(got.flags.flags)).toEqual([]);
    });
  });
};
