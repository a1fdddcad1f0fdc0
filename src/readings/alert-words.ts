import type { Check } from '../domain/fleet.ts';
import type { Labels } from '../domain/series.ts';
import type { Site } from '../domain/site.ts';

/** Words of an alert's name that tell what it is about; the first row with a word in the name wins. */
const wordsOf: readonly (readonly [Check, readonly string[]])[] = [
  ['COMM', ['xid', 'ecc', 'nvlink', 'xgmi', 'pcie', 'remap', 'fabric']],
  ['THERMAL', ['temperature', 'temp', 'thermal', 'overheat']],
  ['MEMORY', ['memory', 'hbm', 'vram', 'framebuffer']],
  ['POWER', ['power']],
  ['UTILIZATION', ['utilization', 'util', 'idle', 'stall']],
  ['HOST', ['node', 'host', 'cpu', 'disk', 'pressure', 'load']],
];
// Without one of these, or a GPU label, an alert about temperature or memory may be about anything.
const gpuWords = ['gpu', 'dcgm', 'xid', 'hbm', 'nvlink', 'xgmi'];
const vocabulary = new Set([...wordsOf.flatMap(([, words]) => words), ...gpuWords]);

/**
 * `GPUHighTemperature`, `gpu_high_temperature` → gpu, high, temperature. Capitals that run together are told apart by
 * what is known (`GPUECCError` → gpu, ecc, error), and neighbours that make a known word are that word too (`NVLink`).
 */
export function wordsIn(name: string): string[] {
  const plain = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .flatMap((word) => knownParts(word) ?? [word]);
  const joined = plain.slice(1).map((word, i) => plain[i]! + word);
  return [...plain, ...joined.filter((word) => vocabulary.has(word))];
}

/** A word cut into known words, null where it is one itself or cannot be. */
function knownParts(word: string): string[] | null {
  if (vocabulary.has(word)) return [word];
  for (let cut = 2; cut < word.length; cut += 1) {
    const rest = vocabulary.has(word.slice(0, cut)) ? knownParts(word.slice(cut)) : null;
    if (rest) return [word.slice(0, cut), ...rest];
  }
  return null;
}

/** The GPU that an alert's labels name. */
export function gpuOfAlert(labels: Labels): number | null {
  const raw = labels['gpu'] ?? labels['gpu_id'];
  return raw !== undefined && /^\d{1,6}$/.test(raw) ? Number(raw) : null;
}

/** What an alert says of a node or GPU; null where it is no health episode. The site's own patterns come first. */
export function checkOfAlert(site: Site, labels: Labels): Check | null {
  const name = labels['alertname'] ?? '';
  const own = site.alerts.find(({ pattern }) => pattern.test(name));
  if (own) return own.check;
  const words = new Set(wordsIn(name));
  const check = wordsOf.find(([, some]) => some.some((word) => words.has(word)))?.[0] ?? null;
  if (check === null || check === 'HOST') return check;
  return gpuOfAlert(labels) !== null || gpuWords.some((word) => words.has(word)) ? check : null;
}
