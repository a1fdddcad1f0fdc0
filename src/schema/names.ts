import { Refusal } from '../errors.ts';
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
