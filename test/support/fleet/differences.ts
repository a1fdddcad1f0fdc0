/** Accepts a number from a range, both ends included: for what the contract leaves open. */
export interface Between {
  readonly low: number;
  readonly high: number;
}

export const between = (low: number, high: number): Between => ({ low, high });

const isBetween = (value: unknown): value is Between =>
  typeof value === 'object' && value !== null && 'low' in value && 'high' in value;

/** Answers carry six significant digits. */
const close = (expected: number, got: number): boolean => Math.abs(got - expected) <= 1e-5 * Math.abs(expected) + 1e-9;

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
};

/**
 * Where an answer is not what was expected, one line each: path, expected, got. Empty when they agree.
 * Only what `expected` names is compared; null is null and never a zero.
 */
export const differences = (path: string, expected: unknown, got: unknown): string[] => {
  const differ = [`${path}: expected ${shown(expected)}, got ${shown(got)}`];
  if (isBetween(expected)) {
    return typeof got === 'number' && got >= expected.low && got <= expected.high ? [] : differ;
  }
  if (typeof expected === 'number') return typeof got === 'number' && close(expected, got) ? [] : differ;
  if (typeof expected !== 'object' || expected === null) return Object.is(expected, got) ? [] : differ;
  if (typeof got !== 'object' || got === null) return differ;
  if (Array.isArray(expected)) {
    if (!Array.isArray(got)) return differ;
    const length =
      expected.length === got.length ? [] : [`${path}: expected ${expected.length} entries, got ${got.length}`];
    return [...length, ...expected.flatMap((one, at) => differences(`${path}[${at}]`, one, got[at]))];
  }
  return Object.entries(expected).flatMap(([key, one]) =>
    differences(`${path}.${key}`, one, (got as Readonly<Record<string, unknown>>)[key]),
  );
};
