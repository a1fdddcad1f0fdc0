import { readFileSync } from 'node:fs';
import { LineCounter, parseDocument } from 'yaml';
import type { Document } from 'yaml';
import { type Limits, usualLimits } from './domain/limits.ts';
import type { Island, Organization, Site } from './domain/site.ts';
import { disagreements } from './config/agreement.ts';
import { openToAll } from './config/credentials.ts';
import { endless } from './config/document.ts';
import { fillIn } from './config/environment.ts';
import type { Environment } from './config/environment.ts';
import { WrongConfiguration } from './config/fault.ts';
import { isLoopback } from './config/loopback.ts';
import { secretFiles } from './config/secret-files.ts';
import type { KeySet, ReadFile, SecretFiles } from './config/secret-files.ts';
import { Shape, StoreUrl } from './config/shape.ts';
import { matchersOf, siteOf } from './config/site.ts';
import { faultsOf, wording } from './config/wording.ts';

/** How to reach one island's store. */
export interface StoreSettings {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutS: number;
  /** Questions in flight at once. */
  readonly concurrency: number;
  readonly writeUrl?: string;
}

/** A bearer token. */
export interface Token {
  readonly text: string;
  readonly isOperator: boolean;
}

/** Other ways than tokens to tell who asks. */
export interface Auth {
  readonly jwt?: Omit<NonNullable<Shape['auth']['jwt']>, 'jwks' | 'jwksFile'> & {
    /** Their address, or the keys. */
    readonly keys: string | KeySet;
  };
  readonly proxy?: NonNullable<Shape['auth']['proxy']>;
}

export interface Config {
  readonly listen: { readonly host: string; readonly port: number };
  /** By island. */
  readonly stores: ReadonlyMap<string, StoreSettings>;
  readonly islands: readonly Island[];
  readonly http: Shape['http'];
  readonly auth: Auth;
  readonly organizations: readonly (Organization & { readonly tokens: readonly Token[] })[];
  readonly site: Site;
  readonly limits: Limits;
  /** The clusters are those that the store shows; none is named here. */
  readonly discover: boolean;
}

/**
 * The configuration that a text means.
 *
 * @param env    what `${VAR}` is read from
 * @param known  the field names of the readings; left out, names under `readings` are taken as they are
 * @param read   how `tokensFile` and `jwksFile` are read
 * @throws       WrongConfiguration: every fault at once, with its path and what would be right
 */
export function readConfig(
  yaml: string,
  env: Environment,
  known?: readonly string[],
  read: ReadFile = (path) => readFileSync(path, 'utf8'),
): Config {
  const { document, faults } = fillIn(parsed(yaml), env);
  const shape = Shape.safeParse(document ?? {}, { error: wording });
  const files = secretFiles(document, read);
  const all = [
    ...faults,
    ...(shape.success ? [] : faultsOf(shape.error)),
    ...files.faults,
    ...disagreements(document, known, files.tokens),
  ];
  if (!shape.success || all.length > 0) throw new WrongConfiguration(all);
  return configOf(shape.data, files);
}

/** The configuration that `--prometheus URL` means: one organization, one store that is its own, clusters found in it. */
export function configForStore(url: string): Config {
  const shape = Shape.parse({
    islands: [{ name: 'default', prometheus: { url: 'http://unset', exclusive: true } }],
    organizations: [{ name: 'default', clusters: [{ name: 'unset', island: 'default', vendor: 'NVIDIA' }] }],
  });
  const checked = StoreUrl.safeParse(url, { error: wording });
  if (!checked.success) {
    throw new WrongConfiguration(
      [{ path: ['--prometheus'], message: checked.error.issues[0]!.message }],
      'The command line',
    );
  }
  const { stores, ...config } = configOf(shape, { tokens: new Map(), keys: undefined });
  const store = { ...stores.get('default')!, url: bare(url) };
  return {
    ...config,
    stores: new Map([['default', store]]),
    organizations: [{ name: 'default', clusters: [], tokens: [] }],
    discover: true,
  };
}

/** The configuration with another place to listen. @throws WrongConfiguration: it would be open to other machines without tokens */
export function listenOn(config: Config, { host, port }: { host?: string; port?: number }): Config {
  const listen = { host: host ?? config.listen.host, port: port ?? config.listen.port };
  if (isOpen(config) && !isLoopback(listen.host)) {
    throw new WrongConfiguration([{ path: ['--host'], message: openToAll }], 'The command line');
  }
  return { ...config, listen };
}

/** Whether anybody who can reach the gateway may ask. */
export const isOpen = ({ organizations, auth }: Config): boolean =>
  organizations.every(({ tokens }) => tokens.length === 0) && !auth.jwt && !auth.proxy;

function parsed(yaml: string): unknown {
  const lines = new LineCounter();
  // Not `prettyErrors`: they quote the line, and the line may hold a token.
  const document = parseDocument(yaml, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0) {
    const faults = document.errors.map(({ code, pos }) => {
      const { line, col } = lines.linePos(pos[0]);
      return {
        path: [],
        message: `line ${line}, column ${col} is not YAML (${code.toLowerCase().replaceAll('_', ' ')})`,
      };
    });
    throw new WrongConfiguration(faults);
  }
  const value = valueOf(document);
  const fault = endless(value);
  if (fault !== undefined) throw new WrongConfiguration([{ path: [], message: fault }]);
  return value;
}

function valueOf(document: Document.Parsed): unknown {
  try {
    return document.toJS();
  } catch {
    // Aliases that multiply: a small file that means an endless one.
    throw new WrongConfiguration([{ path: [], message: 'has too many aliases (*name); write the values out' }]);
  }
}

function configOf(
  { listen, http, auth, islands, organizations, limits, ...rest }: Shape,
  files: Pick<SecretFiles, 'tokens' | 'keys'>,
): Config {
  const site = siteOf(rest);
  const named = (cluster: string) => [{ label: site.clusterLabel, op: '=' as const, value: cluster }];
  return {
    listen,
    http,
    auth: authOf(auth, files.keys),
    stores: new Map(
      islands.map(({ name, prometheus: { url, headers, timeoutS, concurrency, writeUrl } }) => [
        name,
        { url: bare(url), headers, timeoutS, concurrency, ...(writeUrl !== undefined && { writeUrl }) },
      ]),
    ),
    islands: islands.map(({ name, prometheus: { ingestLagS, exclusive }, sharedPool }) => ({
      name,
      ingestLagS,
      exclusive,
      sharedPool: sharedPool.map(({ cluster, match, model }) => ({
        matchers: match ? matchersOf(match) : named(cluster),
        model: model ?? null,
      })),
    })),
    organizations: organizations.map(({ name, tokens, clusters }, i) => ({
      name,
      tokens: [
        ...tokens.map(({ token, operator }) => ({ text: token, isOperator: operator })),
        ...(files.tokens.get(i) ?? []).map((text) => ({ text, isOperator: false })),
      ],
      clusters: clusters.map(({ match, model, ...cluster }) => ({
        ...cluster,
        model: model ?? null,
        matchers: match ? matchersOf(match) : named(cluster.name),
      })),
    })),
    site,
    limits: { documentCharacters: usualLimits.documentCharacters, ...limits },
    discover: false,
  };
}

function authOf({ jwt, proxy }: Shape['auth'], keysInFile: KeySet | undefined): Auth {
  const { jwks, jwksFile: _, ...rest } = jwt ?? {};
  const keys = jwks ?? keysInFile;
  return {
    ...(jwt && keys !== undefined && { jwt: { ...(rest as Omit<typeof jwt, 'jwks' | 'jwksFile'>), keys } }),
    ...(proxy && { proxy }),
  };
}

const bare = (url: string): string => url.replace(/\/+$/, '');
