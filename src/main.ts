import { readFile } from 'node:fs/promises';
import { CannotStart, WrongUsage } from './commands/failure.ts';
import { commandOf, help } from './commands/arguments.ts';
import type { Command, Source } from './commands/arguments.ts';
import { version } from './commands/version.ts';
import { createLog } from './commands/log.ts';
import { configForStore, listenOn, readConfig } from './config.ts';
import type { Config } from './config.ts';

/** What a person can put right. */
const expected: ReadonlySet<string> = new Set([
  'WrongUsage',
  'WrongConfiguration',
  'CannotStart',
  'EmbeddedStoreError',
  'CannotForward',
  'WrongDestination',
]);

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Runs one command line to its end.
 *
 * @param argv  without the program
 * @returns     the exit code: 0 when it did what it was asked, 1 when it could not, 2 when it did not understand
 */
export async function main(argv: readonly string[], env: Environment): Promise<number> {
  try {
    return await run(commandOf(argv), env);
  } catch (error) {
    // Said without a stack.
    const name = error instanceof Error ? error.name : '';
    const isExpected = expected.has(name);
    console.error(isExpected ? (error as Error).message : error);
    return error instanceof WrongUsage ? 2 : 1;
  }
}

async function run(command: Command, env: Environment): Promise<number> {
  const say = (line: string): void => console.log(line);
  const log = createLog((line) => process.stderr.write(line), env['GPUQL_LOG'] === 'debug');
  switch (command.name) {
    case 'help':
      say(help);
      return 0;
    case 'version':
      say(await version());
      return 0;
    // Imported when they are run, so that `help` need not load a server.
    case 'serve': {
      const { serve } = await import('./commands/serve.ts');
      const { gatewayOver } = await import('./commands/gateway.ts');
      return serve(listenOn(await configFor(command.from, env), command), { gatewayOver, log, say });
    }
    case 'mcp': {
      const { mcp } = await import('./commands/mcp.ts');
      const config = command.from && (await configFor(command.from, env));
      return mcp(config, { log, say: (line) => console.error(line), token: env['GPUQL_TOKEN'] });
    }
    case 'forward': {
      const { forward } = await import('./commands/forward.ts');
      return forward(command, env, (line) => console.error(line));
    }
    case 'demo': {
      const { demo } = await import('./commands/demo.ts');
      return demo(command, { log, say });
    }
  }
}

async function configFor(from: Source, env: Environment): Promise<Config> {
  if ('prometheus' in from) return configForStore(from.prometheus);
  const path = from.config;
  const yaml = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'ENOENT' ? 'there is no such file' : error.message;
    throw new CannotStart(`--config ${path}: ${why}`, { cause: error });
  });
  const { readingNames } = await import('./readings/catalogue.ts');
  return readConfig(yaml, env, readingNames);
}
