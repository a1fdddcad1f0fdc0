import SchemaBuilder from '@pothos/core';
import type { Labels } from '../domain/series.ts';
import type { Operation } from './operation.ts';

/** Every field is nullable unless it says otherwise: what can need a store may fail alone. */
export const builder = new SchemaBuilder<{
  Context: Operation;
  Scalars: {
    ID: { Input: string; Output: string };
    /** Whole epoch seconds inside, RFC 3339 outside. */
    DateTime: { Input: number; Output: number };
    Samples: { Input: never; Output: readonly (number | null)[] };
    Count: { Input: never; Output: number };
    LabelSet: { Input: never; Output: Labels };
    /** Not looked at yet. */
    RunEvent: { Input: unknown; Output: never };
    JSON: { Input: unknown; Output: unknown };
  };
}>({});
