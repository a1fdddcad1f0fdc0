import { McpServer } from '@modelcontextprotocol/server';
import type { GraphQLSchema } from 'graphql';
import { z } from 'zod';
import type { Log } from '../server/deps.ts';
import { queryArguments, readArguments } from './arguments.ts';
import { graphOver, type Ask } from './ask.ts';
import { graphql, graphqlArguments } from './graphql-tool.ts';
import { metricsQuery } from './metrics-query.ts';
import { graphqlOutput, queryOutput, readOutput, whoOutput } from './output.ts';
import { readFlags } from './read-flags.ts';
import { readNode } from './read-node.ts';
import { readWorkload } from './read-workload.ts';
import { schemaPieces } from './schema-pieces.ts';
import { registerSchema } from './schema-resources.ts';
import { targetOf } from './target.ts';
import { register, type Tool } from './tool.ts';
import { whoAmI } from './whoami.ts';
import { words } from './words.ts';

export interface McpOptions {
  readonly schema: GraphQLSchema;
  /** Whether callers are told what the schema holds. */
  readonly introspection: boolean;
  /** The gateway answers trusted documents alone: the tools' own, and no free ones. */
  readonly trustedOnly: boolean;
  readonly version: string;
  readonly log: Log;
}

/** @returns makes an MCP server for one caller, who asks the graph through `ask` */
export function mcpServers(options: McpOptions): (ask: Ask) => McpServer {
  const { schema, introspection, trustedOnly, version, log } = options;
  const pieces = introspection && !trustedOnly ? schemaPieces(schema) : undefined;
  return (ask) => {
    const server = new McpServer(
      { name: 'gpuql', title: 'GPU fleet monitoring', version },
      { instructions: words.instructions },
    );
    const add = <Input extends z.ZodType>(tool: Tool<Input>): void => register(server, tool, log);
    add({
      ...words.whoami,
      name: 'grid_whoami',
      input: z.strictObject({}),
      output: whoOutput,
      answer: (_args, signal) => whoAmI(graphOver(ask, trustedOnly, signal)),
    });
    add({
      ...words.read,
      name: 'metrics_read',
      input: readArguments,
      output: readOutput,
      answer: (args, signal) => {
        const [graph, target] = [graphOver(ask, trustedOnly, signal), targetOf(args)];
        if (args.action === 'flags') return readFlags(graph, args, target);
        return 'node' in target ? readNode(graph, args, target.node) : readWorkload(graph, args, target);
      },
    });
    add({
      ...words.query,
      name: 'metrics_query',
      input: queryArguments,
      output: queryOutput,
      answer: (args, signal) => metricsQuery(graphOver(ask, trustedOnly, signal), args),
    });
    add({
      ...words.graphql,
      name: 'graphql',
      input: graphqlArguments,
      output: graphqlOutput,
      answer: (args, signal) => graphql(ask, signal, pieces, args),
    });
    if (pieces) registerSchema(server, pieces);
    return server;
  };
}
