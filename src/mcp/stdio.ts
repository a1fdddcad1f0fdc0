import { once } from 'node:events';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Ask } from './ask.ts';
import { mcpServers, type McpOptions } from './server.ts';

/** MCP over standard input and output, for one caller, until the client closes its end. */
export async function mcpOverStdio(options: McpOptions, ask: Ask): Promise<void> {
  const serverFor = mcpServers(options);
  const ended = Promise.race([once(process.stdin, 'end'), once(process.stdin, 'close')]);
  const { close } = serveStdio(() => serverFor(ask), {
    maxSubscriptions: 0,
    onerror: (error) => options.log({ level: 'debug', event: 'mcp', error: String(error) }),
  });
  await ended;
  await close();
}
