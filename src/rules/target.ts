import type { FlagKind } from '../domain/fleet.ts';
import type { Span } from './span.ts';

/** What is judged of a node. */
export interface Target {
  /** The stretches of the window that count: all of it, or the stays of a workload, each named by its first pod. */
  readonly spans: readonly (Span & { readonly stay?: string | undefined })[];
  /** Whose use of a GPU counts, `namespace/name`; null for any pod. */
  readonly pods: ReadonlySet<string> | null;
  readonly kinds: ReadonlySet<FlagKind>;
  /** Activity is compared with this median rather than that of the time which is judged. */
  readonly medianPct?: number | undefined;
}
