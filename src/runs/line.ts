import { readEvent, type RunEvent } from './event.ts';

/** What a line of a JSONL stream turned out to be. */
export type Reading =
  | {
      readonly event: RunEvent;
      /** The event as JSON that any reader takes: the line itself wherever that is possible. */
      readonly text: string;
    }
  /** Its kind is not that of an event. */
  | { readonly skipped: string }
  /** It is no event, and why. */
  | { readonly reason: string };

/**
 * @param text  one line without its end
 * @returns     null where it is blank
 */
export function readLine(text: string): Reading | null {
  let json: unknown;
  let valid = text;
  try {
    json = JSON.parse(text);
  } catch {
    if (text.trim() === '') return null;
    valid = spelledOut(text);
    json = jsonOf(valid);
    if (json === undefined) return { reason: 'it is no JSON' };
  }
  const read = readEvent(json);
  if (!('event' in read)) return read;
  const { event } = read;
  return { event, text: hasOthers(json as object, event) ? textOf(event) : valid };
}

/** Whether a text without its end is all there. */
export const isWholeJson = (text: string): boolean =>
  jsonOf(text) !== undefined || jsonOf(spelledOut(text)) !== undefined;

/**
 * Python's JSON has bare words for what is no number. As text they mean the same to readEvent, and no text that holds one is
 * touched; a text without its end is passed over as a whole, so that none is looked at twice.
 */
export const spelledOut = (text: string): string =>
  text.replaceAll(/"(?:[^"\\]|\\[^])*(?:"|\\?$)|-?Infinity|NaN/g, (found) =>
    found.startsWith('"') ? found : `"${found}"`,
  );

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether it carries more than an event has: that could be more than a request may hold. */
function hasOthers(json: object, { kind }: RunEvent): boolean {
  let others = kind === 'metric' ? -4 : -3; // kind, ts_ms, name, and a metric's value
  for (const key in json) if (key !== 'step' && key !== 'metadata') others += 1;
  return others > 0;
}

/** The event alone. */
export function textOf({ tsMs, metadata, ...event }: RunEvent): string {
  const value = event.kind === 'metric' && { value: event.value === 'null' ? null : event.value };
  return JSON.stringify({ kind: event.kind, ts_ms: tsMs, step: event.step, name: event.name, ...value, metadata });
}
