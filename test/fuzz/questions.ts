import * as fc from 'fast-check';

import { attacks, mutated } from './attacks.ts';
import { expressions } from './grammar.ts';
import { metricsQl } from './metricsql.ts';
import { spaced } from './spacing.ts';

/** By what way an expression came about: the report counts what was accepted of each. */
export type Origin = 'grammar' | 'mutation' | 'metricsql' | 'attack';

export interface FuzzQuestion {
  readonly query: string;
  readonly origin: Origin;
}

const texts = spaced(expressions);
const from = (origin: Origin, queries: fc.Arbitrary<string>): fc.Arbitrary<FuzzQuestion> =>
  queries.map((query) => ({ query, origin }));

/** The weights keep what is accepted above a third: a refusal proves little. */
export const questions: fc.Arbitrary<FuzzQuestion> = fc.oneof(
  { weight: 75, arbitrary: from('grammar', texts) },
  { weight: 13, arbitrary: from('mutation', mutated(texts)) },
  { weight: 6, arbitrary: from('metricsql', metricsQl(texts)) },
  { weight: 4, arbitrary: from('attack', mutated(fc.constantFrom(...attacks))) },
);

/** What is asked before anything is made up: every attack that is known. */
export const examples: [FuzzQuestion][] = attacks.map((query) => [{ query, origin: 'attack' }]);
