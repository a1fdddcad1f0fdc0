import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Endpoint } from '../server/endpoint.ts';
import { mcpServers, type McpOptions } from './server.ts';

/**
 * MCP over Streamable HTTP, without sessions: each message is one request, with the caller's credentials on it. What it
 * asks of the graph is admitted there; any other message counts as one request of its organization.
 */
export function mcpEndpoint(options: McpOptions): Endpoint {
  const serverFor = mcpServers(options);
  const onerror = (error: Error): void => options.log({ level: 'debug', event: 'mcp', error: String(error) });
  return async (request, { text, ask, count }) => {
    if (!callsTool(text)) await count();
    const { fetch } = createMcpHandler(() => serverFor(ask), {
      // Nothing of it changes while a client listens, and an open stream would hold a connection.
      maxSubscriptions: 0,
      onerror,
    });
    const { url, method, headers, signal } = request;
    return fetch(new Request(url, { method, headers: [...headers], signal, ...(method === 'POST' && { body: text }) }));
  };
}

function callsTool(text: string): boolean {
  try {
    return (JSON.parse(text) as { method?: unknown } | null)?.method === 'tools/call';
  } catch {
    return false;
  }
}
