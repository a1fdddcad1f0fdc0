import { usualLimits } from '../domain/limits.ts';
import type { KeySet, SecretFiles } from './secret-files.ts';
import type { Auth, Config } from './settings.ts';
import type { Shape } from './shape.ts';
import { matchersOf, siteOf } from './site.ts';
import type { Documents } from './trusted-documents.ts';

/** What a document of the right shape means, with what stands in files of its own. */
export function configOf(
  { listen, http, auth, islands, organizations, limits, trustedDocuments, ...rest }: Shape,
  files: Pick<SecretFiles, 'tokens' | 'keys'> & { readonly trusted: Documents | undefined },
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
    ...(trustedDocuments &&
      files.trusted && { trustedDocuments: { documents: files.trusted, only: trustedDocuments.only } }),
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

/** An address without a slash at its end. */
export const bare = (url: string): string => url.replace(/\/+$/, '');
