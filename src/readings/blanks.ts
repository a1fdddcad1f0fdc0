// What exporters print for "no value" in a counter, where no range can tell: DCGM's 32-bit and float blanks, and the
// largest 32-bit numbers, which AMD uses.
const blanks = new Set([
  2147483632, 2147483633, 2147483634, 2147483635, 2147483647, 4294967295, 140737488355328, 140737488355329,
  140737488355330, 140737488355331,
]);

/** Whether a counter can have this value. Beyond 2^53 a store's doubles no longer count by one. */
export const isCount = (value: number): boolean => value >= 0 && value <= Number.MAX_SAFE_INTEGER && !blanks.has(value);
