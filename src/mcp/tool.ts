import type { CallToolResult, McpServer } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { Log } from '../server/deps.ts';
import { advertised, parsed } from './arguments.ts';
import { ToolRefusal } from './refusal.ts';

export interface Tool<Input extends z.ZodType> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output: z.ZodType;
  readonly answer: (args: z.infer<Input>, signal: AbortSignal) => Promise<object>;
}

/** Every tool reads, and asking again changes nothing; what is answered are machines of this site, no open world. */
const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const;

/** Answers with structured content, and the same as JSON text for clients that know of text alone. */
export function register<Input extends z.ZodType>(server: McpServer, tool: Tool<Input>, log: Log): void {
  const { name, title, description, input, output } = tool;
  server.registerTool<typeof output, ReturnType<typeof advertised>>(
    name,
    { title, description, inputSchema: advertised(input), outputSchema: output, annotations },
    async (given, { mcpReq: { signal } }): Promise<CallToolResult> => {
      try {
        const answer = await tool.answer(parsed(input, given), signal);
        return { structuredContent: { ...answer }, content: [{ type: 'text', text: JSON.stringify(answer) }] };
      } catch (error) {
        if (!(error instanceof ToolRefusal) && !signal.aborted) {
          log({
            level: 'error',
            event: 'internal error',
            tool: name,
            error: error instanceof Error ? error.stack : String(error),
          });
        }
        const refusal = error instanceof ToolRefusal ? error : internal;
        return { isError: true, content: [{ type: 'text', text: JSON.stringify(refusal) }] };
      }
    },
  );
}

const internal = new ToolRefusal(
  'internal-server-error',
  500,
  'Something went wrong in the gateway. It is not the question; ask again, and report it if it stays.',
);
