const decimal = /^(?:\d+(?:_?\d)*(?:\.\d+(?:_?\d)*)?|\.\d+(?:_?\d)*)(?:e[+-]?\d+(?:_?\d)*)?$/i;
const hexadecimal = /^0x[\da-f]+$/i;
const special = /^(?:inf|nan)$/i;
const duration = /^(?:(\d+)y)?(?:(\d+)w)?(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?(?:(\d+)ms)?$/;
const unitS = [365 * 86_400, 7 * 86_400, 86_400, 3600, 60, 1, 0.001];

/**
 * The value of an unsigned number, or of a duration in seconds; null where the text is neither.
 *
 * A number where a duration is meant is seconds too.
 */
export function numberValue(text: string): number | null {
  const plain = text.replaceAll('_', '');
  if (decimal.test(text)) return Number(plain);
  if (hexadecimal.test(text)) return Number(text.toLowerCase());
  if (special.test(text)) return text.toLowerCase() === 'inf' ? Infinity : NaN;
  const parts = text === '' ? null : duration.exec(text);
  return parts && parts.slice(1).reduce((sum, digits, i) => sum + Number(digits ?? 0) * unitS[i]!, 0);
}
