import pLimit from 'p-limit';
import type { ClusterSite } from '../domain/site.ts';
import type { Row } from '../domain/series.ts';
import type { Answer, Ask, Question } from './ask.ts';
import { type About, Costs } from './costs.ts';

/** What the views of one operation on its stores have in common. */
interface Common {
  readonly partial: Set<string>;
  readonly sent: Map<string, Promise<Answer>>;
  readonly costs?: Costs | undefined;
  readonly isWithheld?: boolean;
}

/** The stores as one operation sees them: the same question is sent once, and what came back partial is remembered. */
export class Upstream {
  /** Clusters for which a store left something out of an answer. */
  readonly partial: Set<string>;
  /** Who asks. What is remembered of an answer is remembered for it alone. */
  readonly organization: string;
  readonly #askOf: (island: string) => Ask;
  readonly #signal: AbortSignal | undefined;
  #common: Common;

  /** @param askOf  the organization's way to the store of an island */
  constructor(organization: string, askOf: (island: string) => Ask, signal?: AbortSignal, common = nothingYet()) {
    this.organization = organization;
    this.#askOf = askOf;
    this.#signal = signal;
    this.#common = common;
    this.partial = common.partial;
  }

  /** Counts from here on what is asked through this and through what is made of it. Before, nothing is counted. */
  count(): Costs {
    const costs = new Costs();
    this.#common = { ...this.#common, costs };
    return costs;
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
      this.#common,
    );
  }

  /** The same stores and the same client, whose partial answers are remembered apart. */
  apart(): Upstream {
    return new Upstream(this.organization, this.#askOf, this.#signal, { ...this.#common, ...nothingYet() });
  }

  /** The same for questions about what is not the organization's alone: how large their answers are is not told. */
  beyond(): Upstream {
    return new Upstream(this.organization, this.#askOf, this.#signal, { ...this.#common, isWithheld: true });
  }

  /**
   * @param what  a short name for what is read, which clients may see
   * @returns rows as the store gave them, for readings of `cluster`
   * @throws Refusal, as Ask says
   */
  async rows(cluster: ClusterSite, what: string, question: Question): Promise<readonly Row[]> {
    return (await this.answer(cluster.island, [cluster], what, question)).rows;
  }

  /** @throws Refusal, QueryNotAccepted, as Ask says */
  async answer(island: string, clusters: readonly ClusterSite[], what: string, question: Question): Promise<Answer> {
    const { sent } = this.#common;
    const key = `${island} ${JSON.stringify(question)}`;
    const cluster = clusters.length === 1 ? clusters[0]!.name : null;
    const asked = sent.get(key) ?? this.counted({ island, cluster, what }, question, this.#askOf(island), this.#signal);
    sent.set(key, asked);
    const answer = await asked;
    if (answer.partial) for (const { name } of clusters) this.partial.add(name);
    return answer;
  }

  /** One question, counted where somebody counts. */
  counted(about: About, question: Question, ask: Ask, signal?: AbortSignal): Promise<Answer> {
    const { costs, isWithheld = false } = this.#common;
    if (!costs) return ask(question, signal);
    return costs.of(about, question, isWithheld, (spent) => ask(question, signal, spent));
  }

  /** An answer to an earlier operation of the organization serves. */
  kept(about: About): void {
    this.#common.costs?.kept(about);
  }
}

const nothingYet = (): Common => ({ partial: new Set(), sent: new Map() });
