import { Refusal } from '../errors.ts';

const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d+)?(Z|[+-]\d\d:\d\d)$/i;
const example = 'write it like 2026-09-21T12:00:00Z';

/** Epoch seconds as RFC 3339 in UTC with whole seconds. */
export const formatInstant = (seconds: number): string => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;

/**
 * RFC 3339 text, with Z or a numeric offset, as whole epoch seconds; fractions of a second are cut.
 *
 * @throws Refusal BAD_REQUEST: not RFC 3339, no zone, or a date or time that does not exist
 */
export function parseInstant(text: string): number {
  const parts = rfc3339.exec(text);
  if (!parts) {
    const hint = /^\d{4}-\d\d-\d\dT[\d:.]+$/i.test(text) ? `has no zone: end it with Z or an offset` : `is not a time`;
    throw new Refusal('BAD_REQUEST', `${JSON.stringify(text)} ${hint}; ${example}.`);
  }
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const local = Date.UTC(year, month - 1, day, hour, minute, second);
  const read = new Date(local).toISOString().slice(0, 19);
  if (read.toUpperCase() !== text.slice(0, 19).toUpperCase()) {
    throw new Refusal('BAD_REQUEST', `${JSON.stringify(text)} is a date or time that does not exist; ${example}.`);
  }
  return local / 1000 - offsetS(parts[7]!, text);
}

function offsetS(zone: string, text: string): number {
  if (zone.toUpperCase() === 'Z') return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(4, 6))];
  if (hours > 23 || minutes > 59) {
    throw new Refusal('BAD_REQUEST', `${JSON.stringify(text)} has an offset that does not exist; ${example}.`);
  }
  return (zone.startsWith('-') ? -1 : 1) * (hours * 3600 + minutes * 60);
}
