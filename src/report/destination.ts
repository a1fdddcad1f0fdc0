import type { WorkloadId } from '../domain/workload.ts';

/** Where the events of one run go. */
export interface Destination {
  /** Of the gateway, with or without `/graphql`. A name and password in it are sent as HTTP's basic authentication. */
  readonly url: string;
  /** Sent as a bearer token; wins over a name and password in the address. */
  readonly token?: string;
  readonly cluster: string;
  /** Needed where two islands have a cluster of that name. */
  readonly island?: string;
  readonly run: string;
  /** What ran it in Kubernetes. */
  readonly workload?: WorkloadId;
}

/** The address to send to, and what to prove who sends. No message holds anything of `secrets`. */
export interface Endpoint {
  /** Without a name and password. */
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
}

/** @throws WrongDestination */
export function endpointOf({ url: given, token }: Pick<Destination, 'url' | 'token'>): Endpoint {
  // What is wrong with it is not shown: it may hold a password.
  if (!URL.canParse(given)) throw new WrongDestination(`${what} is no address; it has to look like ${example}.`);
  const url = new URL(given);
  if (!['http:', 'https:'].includes(url.protocol))
    throw new WrongDestination(`${what} has to begin with http:// or https://, as ${example} does.`);
  const name = decoded(url.username);
  const password = decoded(url.password);
  url.username = '';
  url.password = '';
  url.hash = '';
  if (!url.pathname.endsWith('/graphql')) url.pathname = `${url.pathname.replace(/\/+$/, '')}/graphql`;
  const basic = Buffer.from(`${name}:${password}`).toString('base64');
  const credential = token ? `Bearer ${token}` : name || password ? `Basic ${basic}` : undefined;
  if (credential !== undefined && !/^[\t\x20-\x7e]+$/.test(credential))
    throw new WrongDestination(
      'The token for gpuql holds a character that no token can have, perhaps the end of a line.',
    );
  return {
    address: url.href,
    headers: credential === undefined ? {} : { authorization: credential },
    secrets: [token ?? '', password, new URL(given).password, basic].filter((text) => text.length > 1),
  };
}

/** An address or token that cannot be. */
export class WrongDestination extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'WrongDestination';
  }
}

const what = "The gateway's URL";
const example = 'http://127.0.0.1:4000/graphql';

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
