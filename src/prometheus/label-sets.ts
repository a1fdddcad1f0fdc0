import { LRUCache } from 'lru-cache';
import type { Labels } from '../domain/series.ts';
import { isLabels } from './wire.ts';

const charactersKept = 16 * 1024 * 1024;

/**
 * Label sets by their text. Dashboards ask for the same series again and again, and reading their labels costs as much as
 * reading their samples. Whoever gets one shares it, and does not write into it.
 * Organizations share them too: the key is the whole text that a store sent, so nobody gets what was not in its own answer.
 */
const known = new LRUCache<string, Labels>({
  maxSize: charactersKept,
  sizeCalculation: (_labels, text) => text.length + 1,
});

/** @returns the label set, null where the text is JSON of something else. @throws SyntaxError */
export function labelSetOf(text: string): Labels | null {
  const held = known.get(text);
  if (held) return held;
  const labels: unknown = JSON.parse(text);
  if (!isLabels(labels)) return null;
  known.set(text, labels);
  return labels;
}
