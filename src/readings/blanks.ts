// What exporters print for "no value" in a counter, where no range can tell: DCGM's 32-bit and float blanks, and the
// largest 32-bit numbers, which AMD uses.
export const blanks: ReadonlySet<number> = new Set([
  2147483632, 2147483633, 2147483634, 2147483635, 2147483647, 4294967295, 140737488355328, 140737488355329,
  140737488355330, 140737488355331,
]);

/** Beyond 2^53 a store's doubles no longer count by one. A timer of nanoseconds loses nothing there, up to DCGM's largest blanks. */
export const mostOf = (scale: number): number => (scale === 1 ? Number.MAX_SAFE_INTEGER : 9.2e18);
/** The least value that may be a blank of a count. */
export const leastBlank = Math.min(...blanks);

/** Whether a counter can have this value, in the store's unit. */
export const isCount = (value: number, scale = 1): boolean =>
  value >= 0 && value <= mostOf(scale) && !blanks.has(value);
