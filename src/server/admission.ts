import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Limits, Standing } from '../domain/limits.ts';
import { Refusal } from '../errors.ts';

const minuteS = 60;

/** Who may ask now: so many requests a minute, and so many operations under way, each organization for itself. */
export class Admission {
  readonly #limits: Pick<Limits, 'requestsPerMinute' | 'concurrency'>;
  readonly #rate: RateLimiterMemory;
  readonly #underWay = new Map<string, number>();

  constructor(limits: Pick<Limits, 'requestsPerMinute' | 'concurrency'>) {
    this.#limits = limits;
    this.#rate = new RateLimiterMemory({ points: limits.requestsPerMinute, duration: minuteS });
  }

  /**
   * Counts a request.
   *
   * @returns  ends the operation; calling it again does nothing
   * @throws   Refusal THROTTLED, with the seconds to wait
   */
  async enter(organization: string): Promise<() => void> {
    await this.#rate.consume(organization).catch((rejected: unknown) => {
      if (!(rejected instanceof RateLimiterRes)) throw rejected;
      const { requestsPerMinute: most } = this.#limits;
      throw throttled(`${most} requests a minute are the most for one organization`, secondsOf(rejected));
    });
    const { concurrency: most } = this.#limits;
    const underWay = this.#underWay.get(organization) ?? 0;
    if (underWay >= most) throw throttled(`${most} operations at once are the most for one organization`, 1);
    this.#underWay.set(organization, underWay + 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const left = this.#underWay.get(organization)! - 1;
      if (left > 0) this.#underWay.set(organization, left);
      else this.#underWay.delete(organization);
    };
  }

  /** What is left to an organization. */
  async standing(organization: string): Promise<Standing> {
    const { requestsPerMinute, concurrency } = this.#limits;
    const used = await this.#rate.get(organization);
    return {
      requestsLeft: used?.remainingPoints ?? requestsPerMinute,
      requestsResetS: used ? secondsOf(used) : 0,
      concurrencyLeft: concurrency - (this.#underWay.get(organization) ?? 0),
    };
  }
}

const secondsOf = ({ msBeforeNext }: RateLimiterRes): number => Math.max(1, Math.ceil(msBeforeNext / 1000));

const throttled = (why: string, retryAfterS: number): Refusal =>
  new Refusal('THROTTLED', `${why}; wait ${retryAfterS} s and ask again.`, { details: { retryAfterS } });
