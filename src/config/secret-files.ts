import { z } from 'zod';
import { bearer, bearerRule } from './auth-shape.ts';
import { isText, keysOf, listOf } from './document.ts';
import type { Fault } from './fault.ts';
import { jsonOf, type ReadFile, textOf, WrongFile } from './named-file.ts';

type Path = readonly PropertyKey[];
export interface KeySet {
  keys: { kty: string; [member: string]: unknown }[];
}

/** What the files hold that a configuration names: tokens by the place of their organization, and the keys for JWTs. */
export interface SecretFiles {
  readonly tokens: ReadonlyMap<number, readonly string[]>;
  readonly keys: KeySet | undefined;
  readonly faults: readonly Fault[];
}

/** Reads them. A fault says which setting names the file; neither its path nor anything that it holds is repeated. */
export function secretFiles(document: unknown, read: ReadFile): SecretFiles {
  const faults: Fault[] = [];
  const attempt = <T>(path: Path, file: unknown, take: (text: string) => T): T | undefined => {
    if (!isText(file) || file === '') return undefined;
    try {
      return take(textOf(file, read));
    } catch (error) {
      if (!(error instanceof WrongFile)) throw error;
      faults.push({ path, message: error.message });
      return undefined;
    }
  };
  const root = keysOf(document);
  const tokens = listOf(root['organizations']).map(
    (organization, i) =>
      [i, attempt(['organizations', i, 'tokensFile'], keysOf(organization)['tokensFile'], tokensIn) ?? []] as const,
  );
  const jwksFile = keysOf(keysOf(root['auth'])['jwt'])['jwksFile'];
  const keys = attempt(['auth', 'jwt', 'jwksFile'], jwksFile, keysIn);
  return { tokens: new Map(tokens), keys, faults };
}

/** One to a line; lines that are empty or begin with `#` say nothing. */
function tokensIn(text: string): string[] {
  const lines = text.split('\n').map((line, i) => ({ token: line.trim(), number: i + 1 }));
  const held = lines.filter(({ token }) => token !== '' && !token.startsWith('#'));
  if (held.length === 0) throw new WrongFile('names a file without a token; write one on each line');
  const wrong = held.find(({ token }) => !bearer.test(token));
  if (wrong) throw new WrongFile(`names a file whose line ${wrong.number} ${bearerRule}`);
  return held.map(({ token }) => token);
}

const Jwks = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).min(1) });

function keysIn(text: string): KeySet {
  const parsed = Jwks.safeParse(jsonOf(text));
  if (!parsed.success) throw new WrongFile('must name a file that holds a JWKS: {"keys": [{"kty": ...}]}');
  if (parsed.data.keys.some((key) => key.kty === 'oct' || 'd' in key)) {
    throw new WrongFile('names a file with a secret or private key; a gateway needs public keys alone');
  }
  return parsed.data;
}
