import { Refusal } from '../errors.ts';

const leafTypes = ['number', 'string', 'boolean', 'null', 'empty'] as const;
export const isLeafType = (type: string | undefined): type is StatusLeaf['type'] =>
  (leafTypes as readonly (string | undefined)[]).includes(type);

/** One leaf of a status: what stands at one place of a JSON object. */
export interface StatusLeaf {
  /** Where, as RFC 6901 has it; '' is the whole. */
  readonly path: string;
  /** `empty`: an empty object or list; or, where there is more below, an object whose keys look like those of a list. */
  readonly type: (typeof leafTypes)[number];
  /** What it says; left out of a number and of null. */
  readonly text?: string;
  /** A number's value, else 1. */
  readonly value: number;
}

/** Bytes are those of UTF-8, of a text and of the path to it. */
export const statusLimits = { leaves: 200, textBytes: 512 } as const;

/**
 * A status as leaves, each of which a store can hold as one sample.
 *
 * @throws Refusal BAD_REQUEST: it is no JSON object, or holds more than a store is given
 */
export function leavesOf(state: unknown): StatusLeaf[] {
  if (!isObject(state)) throw refuse('is no JSON object');
  const leaves: StatusLeaf[] = [];
  // Without recursion: JSON can be nested deeper than the stack goes.
  const rest: { readonly path: string; readonly value: unknown }[] = [{ path: '', value: state }];
  for (let at = rest.pop(); at !== undefined; at = rest.pop()) {
    const { path, value } = at;
    checkText(path, 'a path');
    leaves.push(...leafOf(path, value));
    if (leaves.length + rest.length > statusLimits.leaves) throw refuse(`has more than ${statusLimits.leaves} values`);
    if (typeof value === 'object' && value !== null) {
      for (const [key, below] of Object.entries(value).reverse())
        rest.push({ path: `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, value: below });
    }
  }
  return leaves;
}

function leafOf(path: string, value: unknown): StatusLeaf[] {
  if (value === null) return [{ path, type: 'null', value: 1 }];
  if (typeof value === 'boolean') return [{ path, type: 'boolean', text: String(value), value: 1 }];
  if (typeof value === 'string') {
    checkText(value, `the text at ${JSON.stringify(path)}`);
    return [{ path, type: 'string', text: value, value: 1 }];
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw refuse(`has a number at ${JSON.stringify(path)} that is not finite`);
    return [{ path, type: 'number', value }];
  }
  if (Array.isArray(value)) return value.length === 0 ? [{ path, type: 'empty', text: '[]', value: 1 }] : [];
  if (!isObject(value)) throw refuse(`has something at ${JSON.stringify(path)} that is no JSON`);
  const keys = Object.keys(value);
  return keys.length === 0 || isListed(keys) ? [{ path, type: 'empty', text: '{}', value: 1 }] : [];
}

/** The object that these are the leaves of. Of two at one place the last counts. */
export function stateOf(leaves: Iterable<StatusLeaf>): Record<string, unknown> {
  const root: Branch = { below: new Map() };
  for (const leaf of leaves) {
    let at = root;
    for (const key of keysOf(leaf.path)) {
      const next: Branch = at.below.get(key) ?? { below: new Map() };
      at.below.set(key, next);
      at = next;
    }
    at.leaf = leaf;
  }
  const whole = valueOf(root);
  return isObject(whole) ? whole : {};
}

interface Branch {
  leaf?: StatusLeaf;
  readonly below: Map<string, Branch>;
}

function valueOf({ leaf, below }: Branch): unknown {
  if (below.size === 0) return leaf && plain(leaf);
  const entries = [...below].map(([key, branch]) => [key, valueOf(branch)] as const);
  if (leaf?.text !== '{}' && isListed([...below.keys()].sort((a, b) => Number(a) - Number(b)))) {
    return entries.sort(([a], [b]) => Number(a) - Number(b)).map(([, value]) => value);
  }
  // Not by assignment: a key may be __proto__.
  return Object.fromEntries(entries);
}

function plain({ type, text = '', value }: StatusLeaf): unknown {
  if (type === 'number') return value;
  if (type === 'string') return text;
  if (type === 'boolean') return text === 'true';
  return type === 'null' ? null : text === '[]' ? [] : {};
}

const keysOf = (path: string): string[] =>
  path
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

/** As the keys of a list are, in order. */
const isListed = (keys: readonly string[]): boolean => keys.length > 0 && keys.every((key, i) => key === String(i));

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function checkText(text: string, what: string): void {
  if (!text.isWellFormed()) throw refuse(`has something in ${what} that is no Unicode text`);
  const bytes = Buffer.byteLength(text);
  const most = statusLimits.textBytes;
  if (bytes > most) throw refuse(`has ${bytes} bytes in ${what.slice(0, 80)}, and ${most} are the most`);
}

const refuse = (why: string): Refusal =>
  new Refusal('BAD_REQUEST', `The status of the run ${why}. Report a JSON object with what is worth keeping.`);
