import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { EmbeddedStoreError } from './failure.ts';

/** One entry of apt's source lists: its fields, by lower-case name, as they stand in the file. */
type Source = Readonly<Record<string, string>>;

/** What is carried over to our own entry: where to fetch from, and whom to trust for it. */
const carried = ['URIs', 'Signed-By', 'Trusted', 'Check-Valid-Until'] as const;

/**
 * An apt source for another suite of the archive that this machine already uses and trusts.
 *
 * @throws EmbeddedStoreError when apt has no entry for this machine's own release
 */
export async function sourceFor(suite: string, root = '/etc'): Promise<string> {
  const release = await readFile(join(root, 'os-release'), 'utf8').catch(() => '');
  const codename = /^VERSION_CODENAME="?([\w-]+)/m.exec(release)?.[1] ?? 'stable';
  const names = new Set([codename, 'stable', 'testing', 'unstable', 'sid']);
  const sources = await readSources(join(root, 'apt'));
  // The first entry for the release itself; its updates and other vendors' archives have suites of other names.
  const own = sources.find((source) => source['suites']?.split(/\s+/).some((name) => names.has(name)));
  if (own === undefined) throw new EmbeddedStoreError(`apt's sources have no entry for this release (${codename})`);
  const fields = carried.flatMap((name) => {
    const value = own[name.toLowerCase()];
    return value === undefined ? [] : [`${name}: ${value}`];
  });
  return [`Types: deb`, `Suites: ${suite}`, 'Components: main', ...fields, ''].join('\n');
}

async function readSources(aptDir: string): Promise<Source[]> {
  const parts = join(aptDir, 'sources.list.d');
  const names = await readdir(parts).catch(() => []);
  const paths = [join(aptDir, 'sources.list'), ...names.sort().map((name) => join(parts, name))];
  const found = await Promise.all(
    paths.map(async (path) => {
      if (!/\.(list|sources)$/.test(path)) return [];
      const text = (await readFile(path, 'utf8').catch(() => '')).replaceAll(/^#.*\n?/gm, '');
      return path.endsWith('.list') ? oneLineEntries(text) : stanzas(text);
    }),
  );
  return found.flat();
}

/** `deb [signed-by=/key arch=amd64] http://archive/debian bookworm main` */
function oneLineEntries(text: string): Source[] {
  return [...text.matchAll(/^\s*deb\s+(?:\[(.*?)\]\s+)?(\S+)\s+(\S+)/gm)].map(([, options = '', uris, suites]) => {
    const named = [...options.matchAll(/([\w-]+)=(\S+)/g)].map(([, name, value]) => [name!.toLowerCase(), value!]);
    return Object.fromEntries([...named, ['uris', uris!], ['suites', suites!]]);
  });
}

/** deb822: fields in paragraphs; a line that begins with a space goes on with the field above it. */
function stanzas(text: string): Source[] {
  return text
    .split(/\n\s*\n/)
    .map((stanza) =>
      Object.fromEntries(
        [...stanza.matchAll(/^([\w-]+):[ \t]*(.*(?:\n[ \t].*)*)/gm)].map(([, name, value]) => [
          name!.toLowerCase(),
          value!,
        ]),
      ),
    )
    .filter((source) => source['types']?.split(/\s+/).includes('deb') && source['enabled']?.trim() !== 'no');
}
