import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { securityHeaders } from '../server/security-headers.ts';
import { namesHost, type HostNames } from './host-names.ts';

/**
 * What stands before the app: a request that has no address is refused here, because the app's own plugins come after
 * its address was read, and whatever fails before them would be answered with a stack.
 */
export function front(app: RequestListener, names: HostNames | undefined, onFailure: (error: unknown) => void) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    if (!hasAddress(request)) return refuse(response, 400, noAddress);
    if (names !== undefined && !namesHost(names, request.headers.host)) {
      return refuse(response, 421, `This gateway answers at ${names.join(', ')} only: send one of them as the Host.`);
    }
    keepStacksIn(response, onFailure);
    const failed = (error: unknown): void => {
      onFailure(error);
      if (response.headersSent) response.destroy();
      else refuse(response, 500, masked, 'INTERNAL_SERVER_ERROR');
    };
    try {
      Promise.resolve(app(request, response) as unknown).catch(failed);
    } catch (error) {
      failed(error);
    }
  };
}

const noAddress = 'The request has no usable address: send a Host header like gateway:4000, and a path like /graphql.';
const masked = 'Something went wrong in the gateway. Ask again, and report it if it stays.';

/** HTTP/1.0 knows no Host; such a request is at the address that it came to. */
function hasAddress({ headers: { host = 'localhost' }, url = '' }: IncomingMessage): boolean {
  return !/[\s@/?#\\]/.test(host) && url.startsWith('/') && URL.canParse(`http://${host}${url}`);
}

function refuse(response: ServerResponse, status: number, message: string, code = 'BAD_REQUEST'): void {
  response.writeHead(status, { ...securityHeaders, 'Content-Type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify({ errors: [{ message, extensions: { code, status } }] }));
}

/** The HTTP library answers what it did not expect with a text that is the stack. All failures of ours are JSON. */
function keepStacksIn(response: ServerResponse, onFailure: (error: unknown) => void): void {
  const own = { writeHead: response.writeHead, write: response.write, end: response.end };
  response.writeHead = function (this: ServerResponse, status: number, ...rest: unknown[]) {
    if (status !== 500 || isJson(response, rest)) return Reflect.apply(own.writeHead, this, [status, ...rest]);
    Object.assign(response, own);
    for (const name of response.getHeaderNames()) response.removeHeader(name);
    refuse(response, status, masked, 'INTERNAL_SERVER_ERROR');
    // What it writes now is the stack: for the log alone.
    response.write = (chunk: unknown) => {
      onFailure(String(chunk));
      return true;
    };
    response.end = () => response;
    return response;
  } as ServerResponse['writeHead'];
}

function isJson(response: ServerResponse, rest: readonly unknown[]): boolean {
  const given = new Map(
    Object.entries(Object(rest.at(-1)) as object).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return /json/.test(String(given.get('content-type') ?? response.getHeader('content-type')));
}
