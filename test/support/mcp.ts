import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { gatewayOver } from '../../src/commands/gateway.ts';
import { listen } from '../../src/commands/listen.ts';
import { openStores } from '../../src/commands/open-stores.ts';
import { readConfig } from '../../src/config.ts';
import { mcpEndpoint } from '../../src/mcp/endpoint.ts';
import { readingNames } from '../../src/readings/catalogue.ts';
import { createApp } from '../../src/server/app.ts';

/** What a tool answers is as each test says. */
type Json = ReturnType<typeof JSON.parse>;

export interface Told {
  readonly isError: boolean;
  /** The text, as JSON. */
  readonly answer: Json;
  readonly structured: Json;
  readonly text: string;
}

/** A client of the SDK's, connected. */
export interface McpClient {
  readonly client: Client;
  call(tool: string, args?: object): Promise<Told>;
  /** Of the gateway, where it is in this process. */
  readonly log: readonly Record<string, unknown>[];
  close(): Promise<void>;
}

export interface Connecting {
  readonly config: string;
  /** Epoch seconds. */
  readonly now: number;
  readonly token?: string;
  /** `legacy` is the handshake of the revisions before 2026-07-28. */
  readonly era?: 'legacy' | 'auto';
}

async function connected(
  transport: Parameters<Client['connect']>[0],
  era: Connecting['era'] = 'auto',
  close: () => Promise<void> = async () => {},
  log: McpClient['log'] = [],
): Promise<McpClient> {
  const client = new Client({ name: 'a test', version: '1' }, { versionNegotiation: { mode: era } });
  await client.connect(transport);
  return {
    client,
    log,
    async call(tool, args = {}) {
      const result = await client.callTool({ name: tool, arguments: { ...args } });
      const [content] = result.content as unknown as [{ text: string }];
      const structured: Json = result.structuredContent;
      return { isError: result.isError === true, answer: JSON.parse(content.text), structured, text: content.text };
    },
    async close() {
      await client.close();
      await close();
    },
  };
}

/** A gateway on a socket of this machine, with MCP as the commands serve it. */
export async function serveMcp({ config, now, introspection = true }: Connecting & { introspection?: boolean }) {
  const settings = readConfig(config, {}, readingNames);
  const log: Record<string, unknown>[] = [];
  const write = (line: Record<string, unknown>): void => void log.push(line);
  const stores = openStores(settings, write);
  const gateway = gatewayOver({
    config: settings,
    askFor: stores.askFor,
    writeFor: stores.writeFor,
    now: () => now,
    log: write,
  });
  const trustedOnly = gateway.trusted?.only ?? false;
  const mcp = mcpEndpoint({ schema: gateway.schema, introspection, trustedOnly, version: '0', log: write });
  const app = createApp({ ...gateway, endpoints: { '/mcp': mcp }, ready: stores.ready, log: write });
  const { url, drain } = await listen(app, { host: '127.0.0.1', port: 0 });
  return { url: `${url}/mcp`, log, close: async () => (await drain(0), await stores.close()) };
}

export async function overHttp(options: Connecting): Promise<McpClient> {
  const { url, close, log } = await serveMcp(options);
  const headers = options.token === undefined ? {} : { authorization: `Bearer ${options.token}` };
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  return connected(transport, options.era, close, log);
}

export function overStdio({ config, now, token, era }: Connecting): Promise<McpClient> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [fileURLToPath(new URL('mcp-child.ts', import.meta.url))],
    env: { GPUQL_TEST_CONFIG: config, GPUQL_TEST_NOW: String(now), ...(token !== undefined && { GPUQL_TOKEN: token }) },
    stderr: 'ignore',
  });
  return connected(transport, era);
}

export const transports = [
  ['Streamable HTTP', overHttp],
  ['standard input and output', overStdio],
] as const;
