import { z } from 'zod';
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { maxPoints } from '../window/window.ts';
import { ranges, workloadKinds, type KindName } from './names.ts';
import { refuse } from './refusal.ts';

/** Of nodes and workloads. */
const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,120}$/;
const nameWords =
  'a name has letters, digits, dots, underscores and hyphens, begins with one of the first two, and has 121 at most';

const named = (description: string) => z.string().regex(namePattern, nameWords).optional().describe(description);

const keysOf = <T extends object>(of: T) => Object.keys(of) as [keyof T & string, ...(keyof T & string)[]];

const windowArguments = {
  range: z
    .enum(keysOf(ranges))
    .optional()
    .describe('A window that ends now. Default 6h; ignored where start is given.'),
  start: z.string().optional().describe('ISO 8601 UTC, like 2026-09-21T12:00:00Z. At most 14 days before end.'),
  end: z.string().optional().describe('ISO 8601 UTC; now where left out. Needs start.'),
  points: z.number().int().min(1).max(maxPoints).optional().describe('Length of a series. Default 48.'),
};

const island = z
  .string()
  .optional()
  .describe('Only where two islands have a cluster of this name, or you have several islands.');

export const readArguments = z.strictObject({
  action: z
    .enum(['node', 'workload', 'flags'])
    .describe(
      'node: every reading of one node. workload: where it ran, and its nodes. flags: what is wrong with either.',
    ),
  cluster: z.string().describe("The cluster's name; grid_whoami lists them."),
  node: named('The node: for action=node, or action=flags on a node.'),
  kind: z
    .enum(keysOf(workloadKinds) as [KindName, ...KindName[]])
    .optional()
    .describe("The workload's kind: for action=workload, or action=flags on a workload."),
  name: named("The workload's name: where kind is given."),
  namespace: z.string().optional().describe("The workload's namespace. Default default."),
  ...windowArguments,
  detail: z
    .enum(['summary', 'series'])
    .optional()
    .describe(
      'series is the default of action=node, summary of the others: mean, min and max, and values of temperature, tensor activity and power.',
    ),
  island,
});

export const queryArguments = z.strictObject({
  query: z.string().describe('PromQL, at most 4000 characters.'),
  instant: z
    .boolean()
    .optional()
    .describe("true: one value per series at the window's end. Default false: a series over the window."),
  ...windowArguments,
  island,
});

export type ReadArguments = z.infer<typeof readArguments>;
export type QueryArguments = z.infer<typeof queryArguments>;

/** The window of the arguments, as the graph takes it. */
export const windowArgument = ({ range, start, end, points }: Partial<QueryArguments>) => ({
  ...(range && { range: ranges[range] }),
  ...(start !== undefined && { start }),
  ...(end !== undefined && { end }),
  ...(points !== undefined && { points }),
});

/**
 * Arguments as the schema wants them. A null is as good as an argument left out.
 *
 * @throws ToolRefusal bad-request, with each argument that is wrong
 */
export function parsed<Schema extends z.ZodType>(schema: Schema, given: unknown): z.infer<Schema> {
  const present = Object.entries(Object(given) as object).filter(([, value]) => value !== null);
  const result = schema.safeParse(Object.fromEntries(present));
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': '));
  throw refuse('BAD_REQUEST', `Arguments are wrong. ${faults.join('; ')}.`);
}

/** The schema as clients see it, which lets everything through: `parsed` refuses in the words of the other refusals. */
export const advertised = (schema: z.ZodType): StandardSchemaWithJSON => {
  const standard = schema['~standard'] as unknown as StandardSchemaWithJSON['~standard'];
  return { '~standard': { ...standard, validate: (value: unknown) => ({ value }) } };
};
