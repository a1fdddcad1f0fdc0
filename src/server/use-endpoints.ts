import { GraphQLError } from 'graphql';
import type { Plugin, YogaServerInstance } from 'graphql-yoga';
import { forClient } from './client-error.ts';
import type { Deps } from './deps.ts';
import { peerOf } from './peer.ts';
import { refusalHeaders } from './use-answers.ts';

/** Serves them to whoever the graph would be served to, behind all that guards it. */
export const useEndpoints = <Operation extends object>(
  { endpoints = {}, operation, admit, log }: Pick<Deps<Operation>, 'endpoints' | 'operation' | 'admit' | 'log'>,
  bodyLimit: number,
  graph: () => Pick<YogaServerInstance<object, object>, 'fetch'>,
): Plugin => {
  return {
    async onRequest({ request, url, endResponse, fetchAPI, serverContext }) {
      const path = url.pathname.replace(/(?<=.)\/$/, '');
      const endpoint = Object.hasOwn(endpoints, path) ? endpoints[path] : undefined;
      if (endpoint === undefined) return;
      const context = serverContext as Parameters<typeof peerOf>[0];
      try {
        const caller = await operation(request, peerOf(context));
        const count = async (): Promise<void> => (await admit?.(caller))?.();
        const ask = async (body: object, signal: AbortSignal = request.signal): Promise<Response> => {
          const whileWanted = AbortSignal.any([signal, request.signal]);
          const [address, init] = [new URL('/graphql', url).href, messageOf(request.headers, body, whileWanted)];
          return graph().fetch(address, init, { ...(context.req && { req: context.req }) });
        };
        const answer = await endpoint(request, { text: await textOf(request, bodyLimit), ask, count });
        const { status, headers } = answer;
        // Ours, as on every answer.
        headers.delete('cache-control');
        endResponse(new fetchAPI.Response(answer.body && (await answer.text()), { status, headers: [...headers] }));
      } catch (error) {
        const { error: told, thrown } = forClient(error);
        if (told.extensions.status === 500) log({ level: 'error', event: 'internal error', error: stackOf(thrown) });
        const headers = { 'Content-Type': 'application/json; charset=utf-8', ...refusalHeaders([told]) };
        endResponse(
          new fetchAPI.Response(JSON.stringify({ errors: [told] }), { status: told.extensions.status, headers }),
        );
      }
    },
  };
};

/** The headers of a request but for those that are about its body, and the answer's. */
function messageOf(given: Headers, body: object, signal: AbortSignal): RequestInit {
  const headers = new Headers([...given]);
  for (const name of ofBody) headers.delete(name);
  headers.set('content-type', 'application/json');
  headers.set('accept', 'application/json');
  return { method: 'POST', headers, body: JSON.stringify(body), signal };
}

const ofBody = ['content-length', 'content-encoding', 'transfer-encoding', 'connection', 'expect', 'accept-encoding'];

/** @throws GraphQLError where the body is longer */
async function textOf({ body, headers }: Request, limit: number): Promise<string> {
  const tooLarge = () =>
    new GraphQLError('The request is too large', { extensions: { code: 'REQUEST_ENTITY_TOO_LARGE' } });
  if (Number(headers.get('content-length') ?? 0) > limit) throw tooLarge();
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) {
    length += piece.byteLength;
    if (length > limit) throw tooLarge();
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

const stackOf = (thrown: unknown): string =>
  thrown instanceof Error ? (thrown.stack ?? String(thrown)) : String(thrown);
