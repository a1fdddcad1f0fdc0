import type { WorkloadId } from '../domain/workload.ts';
import { type KindName, workloadKinds } from '../mcp/names.ts';
import { WrongUsage } from './failure.ts';

/** What `gpuql forward` was asked for. */
export interface ForwardFlags {
  readonly run: string;
  readonly cluster: string;
  readonly island?: string;
  readonly workload?: WorkloadId;
  readonly file?: { readonly path: string; readonly follows: boolean; readonly statePath: string };
  readonly status?: string;
  readonly url?: string;
}

/** @throws WrongUsage */
export function forwardFlags(flags: Partial<Record<string, string>>): ForwardFlags {
  const { run, cluster, island, workload, file, follow, state, status, url } = flags;
  if (!run || !cluster) throw new WrongUsage('forward needs --run NAME and --cluster NAME.');
  const stray = follow !== undefined ? '--follow' : state !== undefined ? '--state' : undefined;
  if (!file && stray !== undefined)
    throw new WrongUsage(`${stray} goes with --file; standard input is read to its end.`);
  return {
    run,
    cluster,
    ...(island && { island }),
    ...(workload !== undefined && { workload: workloadOf(workload) }),
    ...(file && {
      file: { path: file, follows: follow !== undefined, statePath: state ?? `${file}.gpuql-forward.json` },
    }),
    ...(status && { status }),
    ...(url && { url }),
  };
}

function workloadOf(text: string): WorkloadId {
  const [kind = '', ...names] = text.split('/');
  const [namespace, name] = names.length === 1 ? ['default', names[0]] : names;
  if (Object.hasOwn(workloadKinds, kind) && namespace && name && names.length <= 2)
    return { kind: workloadKinds[kind as KindName], namespace, name };
  const all = Object.keys(workloadKinds).join(', ');
  throw new WrongUsage(`--workload is Kind/namespace/name, and the kind one of ${all}; it cannot be "${text}".`);
}
