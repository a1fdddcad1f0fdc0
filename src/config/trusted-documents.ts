import { createHash } from 'node:crypto';
import { isText, keysOf } from './document.ts';
import type { Fault } from './fault.ts';
import { jsonOf, type ReadFile, textOf, WrongFile } from './named-file.ts';

/** Documents by the SHA-256 of their text, in hex. */
export type Documents = ReadonlyMap<string, string>;

const path = ['trustedDocuments', 'manifest'] as const;
const example = 'must name a JSON file like {"<sha256 of the document>": "query ..."}';

/**
 * Reads the manifest that a configuration names: a JSON object of hash and document, as the client preset of
 * graphql-codegen writes it.
 *
 * A hash must be the document's own. Clients ask by it, so under a wrong one they would be answered something that they
 * were not built for.
 */
export function trustedDocuments(
  document: unknown,
  read: ReadFile,
): { readonly documents: Documents | undefined; readonly faults: readonly Fault[] } {
  const { manifest } = keysOf(keysOf(document)['trustedDocuments']);
  if (!isText(manifest) || manifest === '') return { documents: undefined, faults: [] };
  try {
    const entries = entriesIn(textOf(manifest, read));
    const faults = entries.flatMap(([key, text]) => faultOf(key, text));
    return { documents: new Map(entries.map(([key, text]) => [bare(key), text])), faults };
  } catch (error) {
    if (!(error instanceof WrongFile)) throw error;
    return { documents: undefined, faults: [{ path, message: error.message }] };
  }
}

function entriesIn(text: string): [key: string, document: string][] {
  const held = jsonOf(text);
  if (typeof held !== 'object' || held === null || Array.isArray(held)) throw new WrongFile(example);
  const entries = Object.entries(held);
  if (entries.length === 0) throw new WrongFile('names a file without a document');
  if (!entries.every((entry): entry is [string, string] => isText(entry[1]))) throw new WrongFile(example);
  return entries;
}

function faultOf(key: string, text: string): Fault[] {
  const own = createHash('sha256').update(text).digest('hex');
  if (bare(key) === own) return [];
  const message = /^(sha256:)?[0-9a-f]{64}$/.test(key)
    ? `holds under ${key} a document whose SHA-256 is ${own}: it was changed by hand; generate it again`
    : `holds the key ${JSON.stringify(key.slice(0, 80))}, which is no SHA-256 in small hex; with graphql-codegen's client preset set persistedDocuments.hashAlgorithm to 'sha256'`;
  return [{ path, message }];
}

const bare = (key: string): string => key.replace(/^sha256:/, '');
