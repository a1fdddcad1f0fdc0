import type { Limits } from '../domain/limits.ts';
import type { Island, Organization, Site } from '../domain/site.ts';
import type { KeySet } from './secret-files.ts';
import type { Shape } from './shape.ts';
import type { Documents } from './trusted-documents.ts';

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
  /** The documents that clients may ask for by their hash; left out, there are none. */
  readonly trustedDocuments?: {
    readonly documents: Documents;
    /** Whether any other document is refused. */
    readonly only: boolean;
  };
  /** The clusters are those that the store shows; none is named here. */
  readonly discover: boolean;
}
