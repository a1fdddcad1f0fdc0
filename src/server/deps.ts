import type { GraphQLSchema } from 'graphql';
import type { Limits } from '../domain/limits.ts';
import type { Place, Weights } from '../domain/work.ts';
import type { Endpoint } from './endpoint.ts';

/** One line of the log. */
export type Log = (line: Record<string, unknown>) => void;

/** What the edge is given; it knows requests, and nothing of GPUs. */
export interface Deps<Operation extends object> {
  readonly schema: GraphQLSchema;
  /**
   * One per operation: clock, who asks, loaders. Becomes the resolvers' context. Throws Refusal.
   *
   * `peer`: the address at the other end of the connection; undefined where there is none
   */
  readonly operation: (request: Request, peer?: string) => Operation | Promise<Operation>;
  /** Clusters whose store left something out in this operation; read after execution. */
  readonly warnings: (operation: Operation) => readonly string[];
  /** Left out, the usual ones. */
  readonly limits?: Limits;
  /** What documents ask of the stores, told before anything is asked; left out, it is not bounded. */
  readonly work?: {
    readonly weights: Weights;
    readonly costOf: (operation: Operation, places: readonly Place[]) => number;
  };
  /**
   * Begins to count what an operation costs the stores, before it asks them anything; left out, nobody can ask for it.
   *
   * @returns tells what it cost so far, as its client may read it
   */
  readonly cost?: (operation: Operation) => () => object;
  /** Lets an operation in, or throws Refusal THROTTLED. @returns what ends it */
  readonly admit?: (operation: Operation) => Promise<() => void>;
  /** Opens a subscription, or throws Refusal THROTTLED. @returns what closes it */
  readonly open?: (operation: Operation) => () => void;
  /** Whether the stores answer. */
  readonly ready: () => Promise<boolean>;
  readonly log: Log;
  /** How often a stream of events says that it lives; the usual where left out. */
  readonly pingMs?: number;
  /** Whether a client may ask what the schema holds, and is told what it may have meant; true where left out. */
  readonly introspection?: boolean;
  /** The documents that a client may ask for by the SHA-256 of their text, in hex; left out, there are none. */
  readonly trusted?: {
    readonly documents: ReadonlyMap<string, string>;
    /** The hash of each that may be sent as text as well: the project's own programs send theirs to any gateway. */
    readonly hashes?: ReadonlyMap<string, string>;
    /** Whether any other document is refused; it takes introspection and the page for browsers with it. */
    readonly only: boolean;
  };
  /** Other sites whose pages may ask, as browsers spell an origin. */
  readonly corsOrigins?: readonly string[];
  /** The page for browsers at GET /graphql, a tab for each query; left out, there is none. */
  readonly graphiql?: { readonly queries: readonly string[] } | false;
  /** What is served beside the graph, by its path. */
  readonly endpoints?: Readonly<Record<string, Endpoint>>;
}
