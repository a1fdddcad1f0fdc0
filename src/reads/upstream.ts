import pLimit from 'p-limit';
import type { ClusterSite } from '../domain/site.ts';
import type { Row } from '../domain/series.ts';
import type { Answer, Ask, Question } from './ask.ts';

/** The stores as one operation sees them: the same question is sent once, and what came back partial is remembered. */
export class Upstream {
  /** Clusters for which a store left something out of an answer. */
  readonly partial: Set<string>;
  /** Who asks. What is remembered of an answer is remembered for it alone. */
  readonly organization: string;
  readonly #askOf: (island: string) => Ask;
  readonly #signal: AbortSignal | undefined;
  readonly #sent: Map<string, Promise<Answer>>;

  /** @param askOf  the organization's way to the store of an island */
  constructor(organization: string, askOf: (island: string) => Ask, signal?: AbortSignal, known?: Upstream) {
    this.organization = organization;
    this.#askOf = askOf;
    this.#signal = signal;
    this.partial = known?.partial ?? new Set();
    this.#sent = known ? known.#sent : new Map();
  }

  /**
   * The same, that has so many questions with the stores at most. Of questions that each keep a core of the store busy for
   * seconds, more at once end no sooner, run into the time allowed for one, and keep everyone else out.
   */
  inTurns(most: number): Upstream {
    const limit = pLimit(most);
    return new Upstream(
      this.organization,
      (island) =>
        (...question) =>
          limit(() => this.#askOf(island)(...question)),
      this.#signal,
      this,
    );
  }

  /** The same stores and the same client, whose partial answers are remembered apart. */
  apart(): Upstream {
    return new Upstream(this.organization, this.#askOf, this.#signal);
  }

  /**
   * @returns rows as the store gave them, for readings of `cluster`
   * @throws Refusal, as Ask says
   */
  async rows(cluster: ClusterSite, question: Question): Promise<readonly Row[]> {
    return (await this.answer(cluster.island, [cluster], question)).rows;
  }

  /** @throws Refusal, QueryNotAccepted, as Ask says */
  async answer(island: string, clusters: readonly ClusterSite[], question: Question): Promise<Answer> {
    const key = `${island} ${JSON.stringify(question)}`;
    const sent = this.#sent.get(key) ?? this.#askOf(island)(question, this.#signal);
    this.#sent.set(key, sent);
    const answer = await sent;
    if (answer.partial) for (const { name } of clusters) this.partial.add(name);
    return answer;
  }
}
