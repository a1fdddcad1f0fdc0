const powers = Array.from({ length: 45 }, (_, i) => 10 ** (i - 22));
const digits = 6;

/** A reading to six significant digits: a third of the bytes of a full double, and no instrument is better. */
export function round6(value: number): number {
  const size = Math.abs(value);
  // Outside this the scaling below would lose digits of its own; no reading lies there.
  if (!(size >= 1e-9 && size < 1e15))
    return value === 0 || !Number.isFinite(value) ? value : Number(value.toPrecision(digits));
  let exponent = Math.floor(Math.log10(size));
  if (size >= powers[exponent + 23]!) exponent += 1;
  const shift = digits - 1 - exponent;
  return shift >= 0
    ? Math.round(value * powers[shift + 22]!) / powers[shift + 22]!
    : Math.round(value / powers[22 - shift]!) * powers[22 - shift]!;
}
