import type { Fault } from './fault.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where `${VAR}` is read: the places that hold secrets, and the addresses that differ between deployments. */
const places: readonly (readonly string[])[] = [
  ['organizations', '*', 'tokens', '*'],
  ['organizations', '*', 'tokens', '*', 'token'],
  ['auth', 'jwt', 'jwks'],
  ['auth', 'jwt', 'issuer'],
  ['auth', 'jwt', 'audience'],
  ['islands', '*', 'prometheus', 'headers', '*'],
  ['islands', '*', 'prometheus', 'url'],
  ['islands', '*', 'prometheus', 'writeUrl'],
];

/** The document with every `${VAR}` of those places replaced; a variable that is unset or empty is a fault. */
export function fillIn(document: unknown, env: Environment): { document: unknown; faults: Fault[] } {
  const faults: Fault[] = [];

  const fill = (value: unknown, path: readonly PropertyKey[], open: readonly (readonly string[])[]): unknown => {
    if (typeof value === 'string') return open.some((rest) => rest.length === 0) ? fillText(value, path) : value;
    const deeper = (key: string): (readonly string[])[] =>
      open.filter(([head]) => head === '*' || head === key).map((rest) => rest.slice(1));
    if (Array.isArray(value)) return value.map((item, i) => fill(item, [...path, i], deeper('*')));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([key, item]) => [key, fill(item, [...path, key], deeper(key))] as const);
    return Object.fromEntries(entries);
  };

  const fillText = (text: string, path: readonly PropertyKey[]): string =>
    text.replace(/\$\{([^}]*)\}/g, (_, name: string) => {
      if (!/^[A-Za-z_]\w*$/.test(name)) {
        faults.push({ path, message: `"\${${name}}" names no environment variable; write it like \${ACME_TOKEN}` });
        return stand(path);
      }
      // An empty variable is one that somebody forgot to fill: as a token it would let everyone in.
      const value = Object.hasOwn(env, name) ? env[name] : undefined;
      if (value !== undefined && value.trim() !== '') return value.trim();
      const state = value === undefined ? 'is not set' : 'is empty';
      faults.push({ path, message: `the environment variable ${name} ${state}; set it before the start` });
      return stand(path);
    });

  return { document: fill(document, [], places), faults };
}

/** What keeps a place with a fault of its own from being reported twice. */
const stand = (path: readonly PropertyKey[]): string =>
  ['url', 'writeUrl', 'jwks'].includes(String(path.at(-1))) ? 'https://unset' : `unset-${path.join('-')}`;
