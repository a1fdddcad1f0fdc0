const firstMs = 500;
const mostMs = 30_000;
/** What a server may make a client wait: as long as gpuql's own Retry-After. */
const longestAskedMs = 3_600_000;

/**
 * How long to wait before trying again, in milliseconds.
 *
 * @param failures  how often it failed in a row, from 1
 * @param askedMs   what the server asked for; it is never undercut
 * @param random    from 0 to 1: of many that wait for one gateway, not all shall come back in one moment
 */
export function pauseMs(failures: number, askedMs = 0, random = Math.random()): number {
  const doubled = Math.min(mostMs, firstMs * 2 ** Math.min(failures - 1, 16));
  return Math.round(Math.max(doubled * (1 - random / 2), Math.min(askedMs, longestAskedMs) * (1 + random / 20)));
}
