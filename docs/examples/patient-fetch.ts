import { setTimeout } from 'node:timers/promises';

/**
 * `fetch` that waits and asks again where a gateway answers 429, as long as its `Retry-After` says. Every client takes it
 * as its `fetch`. A 429 that stands, after that many times, is the client's to see.
 */
export const patientFetch =
  (times = 3): typeof fetch =>
  async (input, init) => {
    for (let tried = 0; ; tried += 1) {
      const response = await fetch(input, init);
      if (response.status !== 429 || tried === times) return response;
      await response.body?.cancel();
      const seconds = Number(response.headers.get('retry-after') ?? 1);
      await setTimeout(1000 * Math.max(1, seconds || 1), undefined, { ...(init?.signal && { signal: init.signal }) });
    }
  };
