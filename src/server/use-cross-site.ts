import type { Plugin } from 'graphql-yoga';
import type { Log } from './deps.ts';

/**
 * Refuses what a page of another site makes a browser send, before it is read: a browser adds what it has for this
 * address (a cookie for the proxy before us, its place inside the network), and the person before it knows of nothing.
 *
 * Browsers say where a request comes from. Whoever sends nothing of that is no browser, or one that holds nothing here.
 */
export const useCrossSite = (allowed: readonly string[], log: Log): Plugin => ({
  onRequest({ request, url, endResponse, fetchAPI }) {
    if (!isFromElsewhere(request.headers, url, allowed) || isVisit(request, url)) return;
    log({ level: 'info', event: 'refused a request from a page of another site', status: 403 });
    const body = { errors: [{ message, extensions: { code: 'BAD_REQUEST', status: 403 } }] };
    const headers = { 'Content-Type': 'application/json; charset=utf-8' };
    endResponse(new fetchAPI.Response(JSON.stringify(body), { status: 403, headers }));
  },
});

const message =
  'This request comes from a page of another site. Ask from this gateway’s own address or from a server, or have that page’s origin added to http.corsOrigins.';

function isFromElsewhere(headers: Headers, url: URL, allowed: readonly string[]): boolean {
  const origin = headers.get('origin');
  if (origin !== null && allowed.includes(origin)) return false;
  const site = headers.get('sec-fetch-site');
  // `none`: somebody has typed the address.
  if (site !== null) return site !== 'same-origin' && site !== 'none';
  return origin !== null && !isOwn(origin, url);
}

/** By host and port: behind a proxy that speaks TLS, the browser's scheme is not ours. */
function isOwn(origin: string, { host }: URL): boolean {
  const page = URL.parse(origin);
  return page !== null && page.host !== '' && page.host === URL.parse(`${page.protocol}//${host}`)?.host;
}

/** Somebody follows a link to the page for browsers; it asks nothing by itself. */
const isVisit = ({ method, headers }: Request, { searchParams }: URL): boolean =>
  method === 'GET' &&
  headers.get('sec-fetch-mode') === 'navigate' &&
  !['query', 'documentId', 'extensions'].some((name) => searchParams.has(name));
