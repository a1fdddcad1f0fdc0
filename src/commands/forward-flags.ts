import type { WorkloadId } from '../domain/workload.ts';
import { workloadForm, workloadOf } from '../report/workload-text.ts';
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
    ...(workload !== undefined && { workload: workloadNamed(workload) }),
    ...(file && {
      file: { path: file, follows: follow !== undefined, statePath: state ?? `${file}.gpuql-forward.json` },
    }),
    ...(status && { status }),
    ...(url && { url }),
  };
}

function workloadNamed(text: string): WorkloadId {
  const workload = workloadOf(text);
  if (workload !== null) return workload;
  throw new WrongUsage(`--workload has to be ${workloadForm}; it cannot be "${text}".`);
}
