import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { type Limits, type Standing, usualLimits } from '../domain/limits.ts';
import { Refusal } from '../errors.ts';

const minuteS = 60;

type Counts = Pick<Limits, 'requestsPerMinute' | 'concurrency'> & Partial<Pick<Limits, 'subscriptions'>>;

/** Who may ask now: so many requests a minute, operations under way and open subscriptions, each organization for itself. */
export class Admission {
  readonly #limits: Counts & Pick<Limits, 'subscriptions'>;
  readonly #rate: RateLimiterMemory;
  readonly #underWay = new Map<string, number>();
  readonly #open = new Map<string, number>();

  constructor(limits: Counts) {
    this.#limits = { subscriptions: usualLimits.subscriptions, ...limits };
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
    return counted(this.#underWay, organization, most, 'operations at once are', 1);
  }

  /**
   * Counts a subscription, which holds no operation while it is open.
   *
   * @returns  ends it; calling it again does nothing
   * @throws   Refusal THROTTLED
   */
  open(organization: string): () => void {
    return counted(this.#open, organization, this.#limits.subscriptions, 'open subscriptions are', 30);
  }

  /** What is left to an organization. */
  async standing(organization: string): Promise<Standing> {
    const { requestsPerMinute, concurrency, subscriptions } = this.#limits;
    const used = await this.#rate.get(organization);
    return {
      requestsLeft: used?.remainingPoints ?? requestsPerMinute,
      requestsResetS: used ? secondsOf(used) : 0,
      concurrencyLeft: concurrency - (this.#underWay.get(organization) ?? 0),
      subscriptionsLeft: subscriptions - (this.#open.get(organization) ?? 0),
    };
  }
}

/** One more of an organization's. @returns one less, once */
function counted(
  all: Map<string, number>,
  organization: string,
  most: number,
  what: string,
  waitS: number,
): () => void {
  const now = all.get(organization) ?? 0;
  if (now >= most) throw throttled(`${most} ${what} the most for one organization`, waitS);
  all.set(organization, now + 1);
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    const left = all.get(organization)! - 1;
    if (left > 0) all.set(organization, left);
    else all.delete(organization);
  };
}

const secondsOf = ({ msBeforeNext }: RateLimiterRes): number => Math.max(1, Math.ceil(msBeforeNext / 1000));

const throttled = (why: string, retryAfterS: number): Refusal =>
  new Refusal('THROTTLED', `${why}; wait ${retryAfterS} s and ask again.`, { details: { retryAfterS } });
