import type { GraphAnswer } from './ask.ts';

/** The node blocks of a workload's answer, and what is not in them. */
export interface Blocks {
  /** What they were made of. */
  readonly answers: readonly GraphAnswer<unknown>[];
  /** What else there is to say about how they were chosen. */
  readonly notes?: readonly string[];
  /** Those that tell most first. `block` is given how many GPUs may be told in all. */
  readonly nodes: readonly { readonly name: string; readonly block: (count: number) => object }[];
  /** Sentences. */
  readonly omitted: (count: number) => readonly string[];
}
