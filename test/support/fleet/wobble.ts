/** A repeatable fraction for a key and an instant: the same on every run and every machine. */
export const fraction = (key: string, time: number): number => {
  let hash = 2_166_136_261;
  for (const char of `${key}@${Math.round(time * 1000)}`) {
    hash = Math.imul(hash ^ char.charCodeAt(0), 16_777_619);
  }
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 2_246_822_507);
  hash ^= hash >>> 13;
  return (hash >>> 0) / 4_294_967_296;
};

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

/** A reading that wanders: a slow wave of 47 minutes and a jitter, both of the given swing, around a middle. */
export const around =
  (key: string, middle: number, swing: number, digits = 0) =>
  (time: number): number => {
    const wave = Math.sin(((time + 1000 * fraction(key, 0)) * 2 * Math.PI) / 2820);
    const jitter = 2 * fraction(key, time) - 1;
    return rounded(middle + (swing * (wave + jitter)) / 2, digits);
  };

/** A reading that drifts as a heat sink does, its neighbours close to each other. */
export const drifting = (key: string, middle: number, swing: number) => {
  const slow = around(`${key} slow`, 0, 1, 3);
  return (time: number): number =>
    rounded(middle + swing * Math.sin(((time + 7000 * fraction(key, 0)) * 2 * Math.PI) / 7127) + slow(time), 2);
};
