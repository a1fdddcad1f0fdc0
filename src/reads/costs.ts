import type { CostPart, OperationCost } from '../domain/cost.ts';
import type { Spent } from './ask.ts';

/** What a question is about. */
export interface About {
  readonly island: string;
  readonly cluster: string | null;
  readonly what: string;
}

interface Part extends About {
  readonly begun: number;
  readonly spent: Spent;
  readonly promql: readonly string[];
  /** What it answers is not the organization's alone. */
  readonly withheld: boolean;
  kept?: true;
  ended?: number;
  failed?: true;
}

/** What one operation cost its stores. It is there for the operations alone that want to know. */
export class Costs {
  readonly #begun = performance.now();
  readonly #parts: Part[] = [];

  /**
   * Counts a request while it is under way.
   *
   * @param promql  what it asks; empty where it writes
   */
  async of<T>(
    about: About,
    promql: readonly string[],
    withheld: boolean,
    ask: (spent: Spent) => Promise<T>,
  ): Promise<T> {
    const part: Part = { ...about, begun: performance.now(), spent: nothing(), promql, withheld };
    this.#parts.push(part);
    try {
      return await ask(part.spent);
    } catch (error) {
      part.failed = true;
      throw error;
    } finally {
      part.ended = performance.now();
    }
  }

  /** An answer to an earlier operation serves. */
  kept(about: About): void {
    const now = performance.now();
    this.#parts.push({ ...about, begun: now, ended: now, spent: nothing(), promql: [], withheld: false, kept: true });
  }

  /** As the client may read it. */
  told(isOperator: boolean): OperationCost {
    const parts = this.#parts.map((part) => this.#told(part, isOperator));
    const sum = (of: 'requests' | 'samples' | 'bytes') => parts.reduce((all, part) => all + (part[of] ?? 0), 0);
    return {
      tookMs: ms(performance.now() - this.#begun),
      requests: sum('requests'),
      samples: sum('samples'),
      bytes: sum('bytes'),
      parts,
    };
  }

  #told(part: Part, isOperator: boolean): CostPart {
    const { island, cluster, what, begun, ended, spent, promql, withheld, kept, failed } = part;
    const size = withheld && !isOperator && !kept ? null : spent;
    const from = kept ? 'kept' : spent.begun ? 'store' : 'shared';
    return {
      island,
      cluster,
      what,
      from,
      startedMs: ms(begun - this.#begun),
      tookMs: ended === undefined ? null : ms(ended - begun),
      ...(isOperator && from === 'store' && { waitedMs: spent.sentAt === null ? null : ms(spent.sentAt - begun) }),
      requests: spent.requests,
      samples: size && size.samples,
      bytes: size && size.bytes,
      ...(failed && { failed }),
      ...(isOperator && !kept && { promql }),
    };
  }
}

const nothing = (): Spent => ({ begun: false, sentAt: null, requests: 0, samples: 0, bytes: 0 });

const ms = (duration: number): number => Math.round(duration * 10) / 10;
