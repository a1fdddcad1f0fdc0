import type { Organization } from './site.ts';

/** Who asks. Both come from the credential, and from nothing else that a request says. */
export interface Caller<Tenant extends Organization = Organization> {
  readonly organization: Tenant;
  /** Runs the gateway: may also see what is of its inside, like the text that a store was sent. */
  readonly isOperator: boolean;
}
