import { parseArgs } from 'node:util';
import { suggestion } from '../config/nearest.ts';
import { WrongUsage } from './failure.ts';
import { type ForwardFlags, forwardFlags } from './forward-flags.ts';

/** Where to listen, if not where the configuration says. */
export interface ListenFlags {
  readonly port?: number;
  readonly host?: string;
}

/** Whose stores. */
export type Source = { readonly config: string } | { readonly prometheus: string };

export type Command =
  | ({ readonly name: 'demo' } & ListenFlags)
  | ({ readonly name: 'serve'; readonly from: Source } & ListenFlags)
  | { readonly name: 'mcp'; readonly from?: Source }
  | ({ readonly name: 'forward' } & ForwardFlags)
  | { readonly name: 'help' }
  | { readonly name: 'version' };

export const help = `gpuql: GraphQL over the GPU telemetry in Prometheus

  gpuql                              the gateway over a built-in demo fleet
  gpuql serve --config gpuql.yaml    the gateway over your stores
  gpuql serve --prometheus URL       the gateway over one store, its clusters found in it
  gpuql mcp                          MCP over standard input and output, over the demo; takes --config or --prometheus too
  gpuql forward --run R --cluster C  the events of a training run, from standard input or a file, to a gateway
  gpuql help                         this text
  gpuql --version                    the version

  --port N    where to listen, instead of what the configuration says (4000); 0 takes a free one
  --host H    an address of this machine (127.0.0.1)

  forward takes too:
  --workload Kind/namespace/name   what runs it: a Job, JobSet, MPIJob, Deployment, StatefulSet or Pod
  --island I                       where two islands have a cluster of that name
  --file x.jsonl                   instead of standard input; goes on where it stopped. --follow waits for more;
                                   --state FILE keeps how far it came (x.jsonl.gpuql-forward.json)
  --status FILE                    the run's status file, whose last state is kept with it
  --url URL                        of the gateway, instead of GPUQL_URL (http://127.0.0.1:4000/graphql); the token is in GPUQL_TOKEN

gpuql mcp asks with the token in GPUQL_TOKEN, where the configuration has tokens. A gateway that serves has MCP at /mcp.
GPUQL_LOG=debug in the environment logs the stores' own words too, and their addresses.`;

/** Flags without a value. */
const switches: ReadonlySet<string> = new Set(['follow']);

const flagsOf: Readonly<Record<Command['name'], readonly string[]>> = {
  demo: ['port', 'host'],
  serve: ['config', 'prometheus', 'port', 'host'],
  mcp: ['config', 'prometheus'],
  forward: ['run', 'cluster', 'island', 'workload', 'file', 'follow', 'state', 'status', 'url'],
  help: [],
  version: [],
};

/**
 * What a command line asks for.
 *
 * @param argv  without the program
 * @throws      WrongUsage: an unknown command or flag, or flags that do not go together
 */
export function commandOf(argv: readonly string[]): Command {
  if (argv.some((word) => word === '--help' || word === '-h')) return { name: 'help' };
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-v')) return { name: 'version' };
  const hasName = argv[0] !== undefined && !argv[0].startsWith('-');
  const name = hasName ? argv[0]! : 'demo';
  if (!isCommand(name)) throw new WrongUsage(`There is no command "${name}"${suggestion(name, Object.keys(flagsOf))}`);

  const flags = flagValues(name, argv.slice(hasName ? 1 : 0));
  if (name === 'forward') return { name, ...forwardFlags(flags) };
  const { config, prometheus, ...listen } = flags;
  const where = {
    ...(listen.port !== undefined && { port: portOf(listen.port) }),
    ...(listen.host && { host: listen.host }),
  };
  if (config !== undefined && prometheus !== undefined)
    throw new WrongUsage('Give --config or --prometheus, not both.');
  const from = config !== undefined ? { config } : prometheus !== undefined ? { prometheus } : undefined;
  switch (name) {
    case 'serve':
      if (from === undefined) throw new WrongUsage('serve needs --config FILE or --prometheus URL.');
      return { name, from, ...where };
    case 'mcp':
      return { name, ...(from && { from }) };
    case 'demo':
      return { name, ...where };
    default:
      return { name };
  }
}

const isCommand = (name: string): name is Command['name'] => Object.hasOwn(flagsOf, name);

function flagValues(command: Command['name'], words: readonly string[]): Partial<Record<string, string>> {
  const known = flagsOf[command];
  for (const word of words.filter((word) => word.startsWith('-'))) {
    const flag = word.replace(/^-+/, '').split('=')[0]!;
    if (known.includes(flag)) continue;
    const spelled = known.map((name) => `--${name}`);
    const hint = spelled.length > 0 ? suggestion(`--${flag}`, spelled) : '; it takes none';
    throw new WrongUsage(`${command} has no flag "${word.split('=')[0]}"${hint}`);
  }
  const options = Object.fromEntries(
    known.map((flag) => [flag, { type: switches.has(flag) ? ('boolean' as const) : ('string' as const) }]),
  );
  try {
    const { values } = parseArgs({ args: [...words], options, strict: true });
    return Object.fromEntries(Object.entries(values).map(([flag, value]) => [flag, String(value)]));
  } catch (error) {
    // A flag without its value, or a word that belongs to no flag; Node's first sentence says which.
    throw new WrongUsage((error as Error).message.split('. ')[0]!);
  }
}

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new WrongUsage(`--port must be a whole number from 0 to 65535, not "${text}".`);
}
