import { numberValue } from './number-literal.ts';
import { refuseQuery } from './refuse.ts';

/** The longest range, offset or step of a query: a year, in seconds. */
const longestS = 366 * 86_400;
/** The last moment that `@` may name: the end of unsigned 32 bit seconds, in 2106. */
const latest = 2 ** 32 - 1;

/**
 * The seconds of a duration as a query spells it.
 *
 * Some stores end at once when they are given a time far beyond all data, so every one is looked at, wherever it stands.
 *
 * @throws Refusal BAD_REQUEST
 */
export function durationS(spelled: string, text: string, at: number): number {
  // VictoriaMetrics 1.79 ends where a duration is spelled 0x10.
  const seconds = /x/i.test(spelled) ? null : numberValue(spelled);
  if (seconds !== null && seconds <= longestS && (seconds > 0 || spelled.startsWith('0'))) return seconds;
  return refuseQuery('query_time_bounds', `${spelled} is no duration of at most a year (366d).`, text, at);
}

/** @throws Refusal BAD_REQUEST: a range or a step that has no length */
export function lengthS(spelled: string, text: string, at: number): number {
  const seconds = durationS(spelled, text, at);
  if (seconds < 0.001) refuseQuery('query_time_bounds', 'a range and a step must be longer than 0.', text, at);
  return seconds;
}

/**
 * Of a number spelled as a duration, `1h`: VictoriaMetrics 1.79 ends of one that it cannot count in milliseconds.
 *
 * @throws Refusal BAD_REQUEST
 */
export function checkSpan(spelled: string, text: string, at: number): void {
  const isDuration = /[smhdwy]$/.test(spelled) && !/x/i.test(spelled);
  if (!isDuration || numberValue(spelled)! <= latest) return;
  refuseQuery('query_time_bounds', `${spelled} is no duration of at most 136 years.`, text, at);
}

/** @throws Refusal BAD_REQUEST: no moment between 1970 and 2106 */
export function checkMoment(spelled: string, text: string, at: number): void {
  const seconds = numberValue(spelled.replace(/^\+/, ''));
  if (seconds === null || !(seconds >= 0 && seconds <= latest)) {
    refuseQuery('query_time_bounds', `@ takes epoch seconds, start() or end(); ${spelled} is none of them.`, text, at);
  }
}
