import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { WorkloadId } from '../domain/workload.ts';
import { CannotReport } from './cannot-report.ts';
import { legalName, workloadForm, workloadOf } from './workload-text.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A run of a gateway, as far as the environment tells it. */
export interface GatewayTarget {
  readonly to: 'gateway';
  readonly run: string;
  readonly url: string;
  readonly token?: string;
  readonly cluster?: string;
  readonly island?: string;
  readonly workload?: WorkloadId;
}

/** Where the numbers of a run go. */
export type Target =
  | { readonly to: 'nowhere' }
  | { readonly to: 'file'; readonly path: string }
  | { readonly to: 'stdout' }
  | GatewayTarget;

const possible =
  'Possible are jsonl:<path>, stdout and gpuql:<run>; where --metrics, GPUQL_METRICS and SEXPGPU_METRICS are all left out, numbers go nowhere.';

/**
 * What the command line and the environment ask for.
 *
 * @param argv  without the program; words that are not for the reporter are left alone
 * @returns     `json`: whether the summary is to be the last line of standard output
 * @throws      CannotReport: the target is none, or what it needs is wrong
 */
export function targetOf(argv: readonly string[], env: Environment): { target: Target; json: boolean } {
  const { metrics, json } = parseArgs({
    args: [...argv],
    options: { metrics: { type: 'string' }, json: { type: 'boolean' } },
    strict: false,
  }).values;
  if (metrics === true || metrics === '') throw new CannotReport(`--metrics names no target. ${possible}`);
  const [source, text] = [
    ['--metrics', metrics] as const,
    ...(['GPUQL_METRICS', 'SEXPGPU_METRICS'] as const).map((name) => [name, env[name]] as const),
  ].find(([, text]) => typeof text === 'string' && text !== '') ?? ['', ''];
  return { target: named(source, String(text), env), json: json === true };
}

function named(source: string, text: string, env: Environment): Target {
  if (text === '') return { to: 'nowhere' };
  if (text === 'stdout') return { to: 'stdout' };
  const [word = '', rest] = split(text);
  if (word === 'jsonl' && rest) return { to: 'file', path: resolve(rest) };
  if (word === 'gpuql' && rest !== undefined) return gateway(source, rest, env);
  if (word === 'syvain')
    throw new CannotReport(
      `${source} ${text}: numbers are not sent to Metrics by 041 from here. Use gpuql:<run>, which sends them to the gpuql gateway at GPUQL_URL, or jsonl:<path>.`,
    );
  throw new CannotReport(`${source} ${JSON.stringify(text.slice(0, 200))} is no target. ${possible}`);
}

/** At the first colon: a path may have more of them. */
function split(text: string): [word: string, rest?: string] {
  const at = text.indexOf(':');
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function gateway(source: string, run: string, env: Environment): GatewayTarget {
  const cluster = nameIn(env, 'GPUQL_CLUSTER');
  const island = env['GPUQL_ISLAND'] || undefined;
  const token = env['GPUQL_TOKEN'] || undefined;
  const workload = env['GPUQL_WORKLOAD'] || undefined;
  if (!legalName.test(run)) throw new CannotReport(notAName(`${source} gpuql:`, run, 'run'));
  const id = workload === undefined ? undefined : workloadOf(workload);
  if (id === null)
    throw new CannotReport(`GPUQL_WORKLOAD is ${JSON.stringify(workload)}, and has to be ${workloadForm}.`);
  return {
    to: 'gateway',
    run,
    url: env['GPUQL_URL'] || 'http://127.0.0.1:4000/graphql',
    ...(token !== undefined && { token }),
    ...(cluster !== undefined && { cluster }),
    ...(island !== undefined && { island }),
    ...(id !== undefined && { workload: id }),
  };
}

function nameIn(env: Environment, variable: string): string | undefined {
  const name = env[variable] || undefined;
  if (name !== undefined && !legalName.test(name)) throw new CannotReport(notAName(`${variable} `, name, 'cluster'));
  return name;
}

const notAName = (where: string, name: string, what: string): string =>
  `${where}${JSON.stringify(name.slice(0, 140))} can be no name of a ${what}: use letters, digits, dots, dashes and underscores, at most 121, the first a letter or digit.`;
