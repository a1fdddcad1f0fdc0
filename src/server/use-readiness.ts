import type { Plugin } from 'graphql-yoga';

/** `/readyz` answers 200 only while the stores answer; `/healthz`, which is yoga's own, while the process lives. */
export const useReadiness = (ready: () => Promise<boolean>): Plugin => ({
  async onRequest({ url, endResponse, fetchAPI }) {
    if (url.pathname !== '/readyz') return;
    const isReady = await ready().catch(() => false);
    const text = isReady ? 'ready\n' : 'not ready: a store does not answer\n';
    const headers = { 'Content-Type': 'text/plain; charset=utf-8' };
    endResponse(new fetchAPI.Response(text, { status: isReady ? 200 : 503, headers }));
  },
});
