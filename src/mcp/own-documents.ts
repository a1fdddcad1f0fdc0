import { createHash } from 'node:crypto';
import * as generated from './generated/graphql.ts';

/** The SHA-256 of a document's text: the name under which a gateway of trusted documents knows it. */
export const documentHash = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The name of one of the tools' own. */
export const ownHash = (document: { toString(): string }): string => documentHash(document.toString());

/** The documents of the tools, by the SHA-256 of their texts. */
export const ownDocuments: ReadonlyMap<string, string> = new Map(
  Object.values(generated)
    .filter((value) => value instanceof generated.TypedDocumentString)
    .map((document) => document.toString())
    .filter((text) => /^\s*query\b/m.test(text))
    .map((text) => [documentHash(text), text]),
);
