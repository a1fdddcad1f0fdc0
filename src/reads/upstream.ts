import pLimit from 'p-limit';
import type { ClusterSite } from '../domain/site.ts';
import type { Row } from '../domain/series.ts';
import type { Answer, Ask, Question } from './ask.ts';
import { type About, Costs } from './costs.ts';
import type { NotTaken, Write, WrittenSeries } from './write.ts';
import { takesNoRuns } from './write-scope.ts';

/** What the views of one operation on its stores have in common. */
interface Common {
  readonly partial: Set<string>;
  readonly sent: Map<string, Promise<Answer>>;
  readonly costs?: Costs | undefined;
  readonly isWithheld?: boolean;
  /** Samples of runs that may still be read. */
  readonly room: { samples: number };
}

/** An organization's ways to the store of an island. */
export interface Ways {
  readonly askOf: (island: string) => Ask;
  /** Undefined where the island takes no runs; left out, none does. */
  readonly writeOf?: (island: string) => Write | undefined;
}

/** The stores as one operation sees them: the same question is sent once, and what came back partial is remembered. */
export class Upstream {
  /** Clusters for which a store left something out of an answer. */
  readonly partial: Set<string>;
  /** Who asks. What is remembered of an answer is remembered for it alone. */
  readonly organization: string;
  readonly #ways: Ways;
  readonly #signal: AbortSignal | undefined;
  #common: Common;

  constructor(organization: string, ways: Ways, signal?: AbortSignal, common = nothingYet()) {
    this.organization = organization;
    this.#ways = ways;
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
    const askOf =
      (island: string): Ask =>
      (...question) =>
        limit(() => this.#ways.askOf(island)(...question));
    return new Upstream(this.organization, { ...this.#ways, askOf }, this.#signal, this.#common);
  }

  /** The same stores and the same client, whose partial answers are remembered apart. */
  apart(): Upstream {
    const { room } = this.#common;
    return new Upstream(this.organization, this.#ways, this.#signal, { ...this.#common, ...nothingYet(), room });
  }

  /** Samples of runs that this operation may still read, under all of its windows. Who reads takes of it. */
  get room(): { samples: number } {
    return this.#common.room;
  }

  /** The same for questions about what is not the organization's alone: how large their answers are is not told. */
  beyond(): Upstream {
    return new Upstream(this.organization, this.#ways, this.#signal, { ...this.#common, isWithheld: true });
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
    const asked =
      sent.get(key) ?? this.counted({ island, cluster, what }, question, this.#ways.askOf(island), this.#signal);
    sent.set(key, asked);
    const answer = await asked;
    if (answer.partial) for (const { name } of clusters) this.partial.add(name);
    return answer;
  }

  /** One question, counted where somebody counts. */
  counted(about: About, question: Question, ask: Ask, signal?: AbortSignal): Promise<Answer> {
    const { costs, isWithheld = false } = this.#common;
    if (!costs) return ask(question, signal);
    const promql = 'query' in question ? [question.query] : question.match;
    return costs.of(about, promql, isWithheld, (spent) => ask(question, signal, spent));
  }

  /** @throws Refusal BAD_REQUEST: the cluster's island takes no runs */
  writeTo(cluster: ClusterSite): (what: string, series: readonly WrittenSeries[]) => Promise<NotTaken | null> {
    const write = this.#ways.writeOf?.(cluster.island);
    if (!write) throw takesNoRuns(cluster);
    return (what, series) => {
      const { costs } = this.#common;
      const about = { island: cluster.island, cluster: cluster.name, what };
      if (!costs) return write(series, this.#signal);
      return costs.of(about, [], false, (spent) => write(series, this.#signal, spent));
    };
  }

  /** An answer to an earlier operation of the organization serves. */
  kept(about: About): void {
    this.#common.costs?.kept(about);
  }
}

/** Four readings of the size that one may have: they are held while an operation is answered. */
const mostSamples = 20_000_000;

const nothingYet = (): Common => ({ partial: new Set(), sent: new Map(), room: { samples: mostSamples } });
