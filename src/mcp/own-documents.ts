import { createHash } from 'node:crypto';
import * as generated from './generated/graphql.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The name under which a gateway of trusted documents knows one of the tools' own. */
export const ownHash = (document: { toString(): string }): string => sha256(document.toString());

/** The documents of the tools, by the SHA-256 of their texts. */
export const ownDocuments: ReadonlyMap<string, string> = new Map(
  Object.values(generated)
    .filter((value) => value instanceof generated.TypedDocumentString)
    .map((document) => document.toString())
    .filter((text) => /^\s*query\b/m.test(text))
    .map((text) => [sha256(text), text]),
);
