import { Refusal } from '../errors.ts';

export const notWritten = (cause: unknown): Refusal =>
  new Refusal('METRICS_UNAVAILABLE', 'The store of this cluster did not take what was reported; send the same again.', {
    cause,
  });

export const takesNoWrites = (cause: unknown): Refusal =>
  new Refusal(
    'METRICS_UNAVAILABLE',
    'The store of this cluster takes no writes. Its operator must switch on its remote-write receiver (of Prometheus: --web.enable-remote-write-receiver), or correct prometheus.writeUrl; then send the same again.',
    { cause },
  );

export const throttledWrites = (cause: unknown, retryAfterS: number): Refusal =>
  new Refusal(
    'THROTTLED',
    `The store of this cluster takes no more at the moment; send the same again in ${retryAfterS} s.`,
    { cause, details: { retryAfterS } },
  );
