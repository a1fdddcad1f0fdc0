import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CannotStart } from './failure.ts';
import { front } from './front.ts';
import type { HostNames } from './host-names.ts';

export interface Listening {
  /** `http://127.0.0.1:4000` */
  readonly url: string;
  /** Takes no more connections, lets the requests that are under way finish, and cuts off those that take longer than that. */
  readonly drain: (withinS: number) => Promise<void>;
}

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** Left out, it answers to any name. */
  readonly names?: HostNames;
  /** What failed before the app could say so itself. */
  readonly onFailure?: (error: unknown) => void;
}

/** @throws CannotStart: the address is taken, or not this machine's */
export async function listen(app: RequestListener, options: ListenOptions): Promise<Listening> {
  const { host, port, names, onFailure = () => {} } = options;
  const server = createServer(front(app, names, onFailure));
  await open(server, host, port);
  const address = server.address() as AddressInfo;
  const spelled = bare(host).includes(':') ? `[${bare(host)}]` : host;
  return { url: `http://${spelled}:${address.port}`, drain: (withinS) => drain(server, withinS) };
}

/** Says whether one could listen there, before other things are made ready for it. @throws CannotStart, as listen does */
export async function tryToListen({ host, port }: { host: string; port: number }): Promise<void> {
  const server = createServer();
  await open(server, host, port);
  server.close();
  await once(server, 'close');
}

async function open(server: Server, host: string, port: number): Promise<void> {
  server.listen(port, bare(host));
  await once(server, 'listening').catch((cause: NodeJS.ErrnoException) => {
    const why = reasons[cause.code ?? ''] ?? cause.message;
    throw new CannotStart(`Cannot listen on ${host}, port ${port}: ${why}.`, { cause });
  });
}

const bare = (host: string): string => host.replace(/^\[|\]$/g, '');

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program has it; give --port with another number, or --port 0',
  EADDRNOTAVAIL: 'it is no address of this machine',
  EACCES: 'this user may not; ports from 1024 on are free to use',
  ENOTFOUND: 'no such host is known',
};

async function drain(server: Server, withinS: number): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  // A kept-alive connection falls idle when its answer is out, and would stay for seconds.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const cut = setTimeout(() => server.closeAllConnections(), withinS * 1000);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
}
