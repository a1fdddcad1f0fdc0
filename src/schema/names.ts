import { Refusal } from '../errors.ts';
import { longestName } from '../runs/event.ts';
import { isAddress } from '../identity/node-names.ts';

const legalName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,120}$/;

/** @throws Refusal BAD_REQUEST: no name that a cluster, node or workload can have */
export function checkName(what: string, name: string): void {
  // A node whose exporters are known by address alone may have one with colons.
  if (legalName.test(name) || (what === 'node' && isAddress(name))) return;
  throw new Refusal(
    'BAD_REQUEST',
    `${JSON.stringify(name.slice(0, 140))} can be no ${what} name: use letters, digits, dots, dashes and underscores, at most 121, the first a letter or digit.`,
  );
}

/** The same words for what does not exist and for what belongs to somebody else. */
export const notFound = (what: string, name: string | number): Refusal =>
  new Refusal(
    'NOT_FOUND',
    `There is no ${what} ${typeof name === 'number' ? name : JSON.stringify(name.slice(0, 140))} here.`,
  );

/** @throws Refusal BAD_REQUEST: no name of a metric, or value of its metadata, that a run can have */
export function checkText(what: string, text: string): void {
  const bytes = Buffer.byteLength(text);
  if (bytes > 0 && bytes <= longestName && text.isWellFormed()) return;
  throw new Refusal('BAD_REQUEST', `${what} has ${bytes} bytes; give a text of 1 to ${longestName}.`);
}

/** The most names of a list, and characters of all of them: each is part of what a store is asked. */
const mostTexts = 100;
const mostCharacters = 1_500;

/** @throws Refusal BAD_REQUEST */
export function checkTexts(what: string, texts: readonly string[]): void {
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  for (const text of texts) checkText(what, text);
  if (texts.length <= mostTexts && characters <= mostCharacters) return;
  throw new Refusal(
    'BAD_REQUEST',
    `${what} has ${texts.length} items of ${characters} characters, and ${mostTexts} items of ${mostCharacters} are the most; leave it out for all, or ask several times.`,
  );
}
