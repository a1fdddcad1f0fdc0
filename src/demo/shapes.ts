/**
 * Closed forms of time: what the demo's signals are made of.
 *
 * Each is a pure function of `at`, in seconds. A counter is the integral of its rate written down, so any moment can be
 * computed alone and the live exporter goes on exactly where the history ended.
 */

export const MINUTE = 60;
export const HOUR = 3600;

/** A 32-bit number for a name: the same in every process (FNV-1a). */
export function seedOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** 32 bits that look random and depend on nothing but the seed and the ordinal. */
function scrambled(seed: number, ordinal: number): number {
  let hash = Math.imul(seed ^ Math.imul(ordinal, 0x9e3779b1), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Noise in [-1, 1), always the same. */
export const jitter = (seed: number, ordinal: number): number => scrambled(seed, ordinal) / 2 ** 31 - 1;

/** A whole number in [0, below) for a name. */
export const pick = (name: string, below: number): number => seedOf(name) % below;

/** Hexadecimal digits for a name: serial numbers, UUIDs, pod suffixes. */
export function hexOf(name: string, digits: number): string {
  let hex = '';
  for (let i = 0; hex.length < digits; i++)
    hex += scrambled(seedOf(name), i + 1)
      .toString(16)
      .padStart(8, '0');
  return hex.slice(0, digits);
}

/** Seconds of `[from, to)` that have gone by. */
export const elapsed = (at: number, from: number, to: number): number => Math.min(Math.max(at - from, 0), to - from);

/** Seconds into the current round of something that happens every `everyS` seconds. */
export const into = (at: number, everyS: number, phaseS: number): number =>
  (((at + phaseS) % everyS) + everyS) % everyS;

/** Seconds spent so far in pulses of `widthS` every `everyS`: rises only inside a pulse. Counted from phase 0. */
export const pulsed = (at: number, everyS: number, widthS: number, phaseS: number): number =>
  Math.floor((at + phaseS) / everyS) * widthS + Math.min(into(at, everyS, phaseS), widthS);

/** A slow swing in [-1, 1]. */
export const swing = (at: number, everyS: number, phase: number): number =>
  Math.sin((2 * Math.PI * at) / everyS + phase);

/** The integral of `swing`: what a counter gains from it. */
export const swung = (at: number, everyS: number, phase: number): number =>
  (-Math.cos((2 * Math.PI * at) / everyS + phase) * everyS) / (2 * Math.PI);

/** How far something slow has followed a step that was on during `[from, to)`: towards 1 while on, back to 0 after. */
export function followed(at: number, from: number, to: number, lagS: number): number {
  if (at < from) return 0;
  if (at < to) return 1 - Math.exp((from - at) / lagS);
  return (1 - Math.exp((from - to) / lagS)) * Math.exp((to - at) / lagS);
}
