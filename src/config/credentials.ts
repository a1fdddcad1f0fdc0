import { isText, keysOf, listOf, type Keys } from './document.ts';
import type { Fault } from './fault.ts';
import { isLoopback } from './loopback.ts';

type Path = readonly PropertyKey[];

/**
 * Whether it can be told who asks.
 *
 * @param inFiles  what the files hold that `tokensFile` names, by the place of their organization
 */
export function credentialFaults(
  root: Keys,
  organizations: readonly Keys[],
  inFiles: ReadonlyMap<number, readonly string[]>,
): Fault[] {
  const auth = keysOf(root['auth']);
  const isGiven = (key: string): boolean => auth[key] !== undefined && auth[key] !== null;
  const tokens = organizations.map((organization, i) => tokensOf(organization, i, inFiles.get(i) ?? []));
  const isWithout = (i: number): boolean => tokens[i]!.length === 0 && !isText(organizations[i]!['tokensFile']);
  const unnamed = isGiven('proxy') ? organizations.flatMap(nameFaults) : [];
  const others = isGiven('proxy') || isGiven('jwt');
  if (!others && organizations.every((_, i) => isWithout(i))) return openFaults(root, organizations);
  const shut = others
    ? []
    : organizations.flatMap((_, i) => (isWithout(i) ? [{ path: tokensAt(i), message: silent }] : []));
  return [...unnamed, ...shut, ...twice(tokens.flat())];
}

const tokensAt = (i: number): Path => ['organizations', i, 'tokens'];
const silent = 'is empty, so nobody can ask as this organization; give it a token';

function tokensOf({ tokens }: Keys, i: number, inFile: readonly string[]): { token: string; path: Path }[] {
  const written = listOf(tokens).flatMap((entry, j) => {
    const token = isText(entry) ? entry : keysOf(entry)['token'];
    return isText(token) ? [{ token, path: [...tokensAt(i), j] }] : [];
  });
  return [...written, ...inFile.map((token) => ({ token, path: ['organizations', i, 'tokensFile'] }))];
}

/** Nobody needs a credential: this machine alone, and one organization. */
function openFaults(root: Keys, organizations: readonly Keys[]): Fault[] {
  const host = keysOf(root['listen'])['host'];
  const faults: Fault[] = [];
  if (isText(host) && !isLoopback(host)) faults.push({ path: ['listen', 'host'], message: openToAll });
  if (organizations.length > 1) {
    faults.push({
      path: ['organizations'],
      message: 'have no tokens; with more than one, tokens tell whose request it is (or auth.jwt, or auth.proxy)',
    });
  }
  return faults;
}

/** Also said when the command line asks for such an address. */
export const openToAll =
  'is reachable from other machines, but no organization has tokens; give them tokens (or auth.jwt, or auth.proxy), or listen on 127.0.0.1';

function twice(tokens: readonly { token: string; path: Path }[]): Fault[] {
  const seen = new Set<string>();
  return tokens.flatMap(({ token, path }) => {
    if (!seen.has(token)) {
      seen.add(token);
      return [];
    }
    const what = path.at(-1) === 'tokensFile' ? 'holds a token that is used a second time' : 'is used a second time';
    return [{ path, message: `${what}; each token belongs to one organization` }];
  });
}

/** A header that came twice is one with a comma, and must be nobody's name. */
function nameFaults({ name }: Keys, i: number): Fault[] {
  if (!isText(name) || /^[!-+\--~]([ -+\--~]*[!-+\--~])?$/.test(name)) return [];
  const message = 'cannot be told in the header of auth.proxy; use letters that are in ASCII, and no comma';
  return [{ path: ['organizations', i, 'name'], message }];
}
