/** What tells one series of a name from others, as an event carries it. */
export type Metadata = Readonly<Record<string, string | number | boolean>>;

/** The same as it is kept: canonical JSON; '' where there is none. */
export type MetadataText = string;

/** What an event may carry. Bytes are those of UTF-8. */
export const metadataLimits = { keys: 32, keyBytes: 128, valueBytes: 512, jsonBytes: 4096 } as const;

/** What is wrong with it, in words that begin with "metadata"; null where an event may carry it. Null and undefined are none. */
export function metadataFault(raw: unknown): string | null {
  if (raw === null || raw === undefined) return null;
  if (typeof raw !== 'object' || Array.isArray(raw)) return 'metadata is no object';
  const keys = Object.keys(raw);
  const most = metadataLimits;
  if (keys.length > most.keys) return `metadata has ${keys.length} keys, and ${most.keys} are the most`;
  let units = 2;
  for (const key of keys) {
    const value = (raw as Record<string, unknown>)[key];
    const isPlain = typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
    if (!isPlain) return `metadata has a value of ${shown(key)} that is no text, number or boolean`;
    const text = String(value);
    units += key.length + text.length + 6;
    const fault =
      tooLong(key, most.keyBytes, () => 'a key') ?? tooLong(text, most.valueBytes, () => `a value of ${shown(key)}`);
    if (fault !== null) return fault;
  }
  // A code unit is six bytes at most, as an escape: what is far below need not be measured.
  return units * 6 <= most.jsonBytes ? null : tooLong(canonical(raw as Metadata), most.jsonBytes, () => 'JSON');
}

/**
 * Metadata as it is kept: numbers and booleans as their text, keys in order of their UTF-16 code units, no space, as RFC 8785
 * has it. JSON's escapes carry every key and value exactly, also what is no Unicode text, and two that differ stay two.
 */
export function canonical(metadata: Metadata): MetadataText {
  const keys = Object.keys(metadata).sort();
  if (keys.length === 0) return '';
  return `{${keys.map((key) => `${JSON.stringify(key)}:${JSON.stringify(String(metadata[key]))}`).join(',')}}`;
}

/** What was kept, as an object. */
export const metadataOf = (text: MetadataText): Readonly<Record<string, string>> =>
  text === '' ? {} : (JSON.parse(text) as Record<string, string>);

function tooLong(text: string, most: number, what: () => string): string | null {
  // No text has more bytes than three a code unit: the usual one need not be measured.
  if (text.length * 3 <= most) return null;
  const bytes = Buffer.byteLength(text);
  return bytes > most ? `metadata has ${what()} of ${bytes} bytes, and ${most} are the most` : null;
}

const shown = (key: string): string => JSON.stringify(key.slice(0, 40));
