import { readFileSync } from 'node:fs';
import { disagreements } from './config/agreement.ts';
import { openToAll } from './config/credentials.ts';
import type { Environment } from './config/environment.ts';
import { fillIn } from './config/environment.ts';
import { WrongConfiguration } from './config/fault.ts';
import { isLoopback } from './config/loopback.ts';
import { bare, configOf } from './config/meaning.ts';
import type { ReadFile } from './config/named-file.ts';
import { secretFiles } from './config/secret-files.ts';
import type { Config } from './config/settings.ts';
import { Shape, StoreUrl } from './config/shape.ts';
import { trustedDocuments } from './config/trusted-documents.ts';
import { faultsOf, wording } from './config/wording.ts';
import { parsed } from './config/yaml-text.ts';

export type { Auth, Config, StoreSettings, Token } from './config/settings.ts';

/**
 * The configuration that a text means.
 *
 * @param env    what `${VAR}` is read from
 * @param known  the field names of the readings; left out, names under `readings` are taken as they are
 * @param read   how `tokensFile`, `jwksFile` and `manifest` are read
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
  const trusted = trustedDocuments(document, read);
  const all = [
    ...faults,
    ...(shape.success ? [] : faultsOf(shape.error)),
    ...files.faults,
    ...trusted.faults,
    ...disagreements(document, known, files.tokens),
  ];
  if (!shape.success || all.length > 0) throw new WrongConfiguration(all);
  return configOf(shape.data, { ...files, trusted: trusted.documents });
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
  const { stores, ...config } = configOf(shape, { tokens: new Map(), keys: undefined, trusted: undefined });
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
