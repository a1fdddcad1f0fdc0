/**
 * How stores say, with the status of a wrong query, that it was they who failed: out of time, or what is behind them did not
 * answer. The words name addresses and other stores.
 */
const faultWords: readonly RegExp[] = [
  /context (?:deadline exceeded|canceled)|timed? ?out|deadline/i,
  /rpc error|dial tcp|read tcp|connection re(?:fused|set)|no such host|broken pipe|\bEOF\b|no route to host/i,
  /expanding series|proxy|vmstorage|store ?gateway|\bshutting down\b|unavailable|remote_?read/i,
];

export const namesFault = (words: string): boolean => faultWords.some((pattern) => pattern.test(words));
