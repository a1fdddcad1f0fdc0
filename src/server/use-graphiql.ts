import { createHash } from 'node:crypto';
import { shouldRenderGraphiQL } from 'graphql-yoga';
import type { Plugin } from 'graphql-yoga';
// The page carries its own scripts: a gateway inside a site often has no way out.
import { renderGraphiQL } from '@graphql-yoga/render-graphiql';

/**
 * The page for browsers, with a tab for each query.
 *
 * Not yoga's own way to it, which comes before every check of ours.
 */
export function useGraphiql(queries: readonly string[]): Plugin {
  let page: ReturnType<typeof pageOf> | undefined;
  return {
    onRequest({ request, endResponse, fetchAPI }) {
      if (!shouldRenderGraphiQL(request)) return;
      // Nine megabytes, made once, and only where somebody looks at it.
      page ??= pageOf(queries);
      endResponse(new fetchAPI.Response(page.html, { headers: page.headers }));
    },
  };
}

function pageOf(queries: readonly string[]) {
  const html = renderGraphiQL({ title: 'gpuql', defaultTabs: queries.map((query) => ({ query })) });
  const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policyFor(html) };
  return { html, headers };
}

/** What the page is made of, and nothing else: its one script by its digest, workers that it makes itself, its styles. */
function policyFor(html: string): string {
  const script = html.slice(html.indexOf('<script>') + '<script>'.length, html.lastIndexOf('</script>'));
  const digest = createHash('sha256').update(script.replace(/\r\n?/g, '\n')).digest('base64');
  return [
    "default-src 'none'",
    `script-src 'sha256-${digest}'`,
    'worker-src blob:',
    "style-src 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
