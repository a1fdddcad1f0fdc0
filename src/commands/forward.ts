import { forward as forwardEvents } from '../forward/forward.ts';
import type { ForwardFlags } from './forward-flags.ts';

/** Of a gateway on this machine, as `gpuql` starts it. */
const usualUrl = 'http://127.0.0.1:4000/graphql';

/**
 * Forwards a run's events until they end, or somebody ends it.
 *
 * @param env  GPUQL_URL and GPUQL_TOKEN, which no list of processes shows
 * @returns    the exit code
 */
export async function forward(
  { file, status, url, ...run }: ForwardFlags,
  env: Readonly<Record<string, string | undefined>>,
  say: (line: string) => void,
): Promise<number> {
  const token = env['GPUQL_TOKEN'];
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort());
  const isWhole = await forwardEvents({
    destination: { ...run, url: url ?? (env['GPUQL_URL'] || usualUrl), ...(token && { token }) },
    source: file ?? { stream: process.stdin },
    ...(status !== undefined && { statusPath: status }),
    say: (line) => say(`gpuql forward: ${line}`),
    stop: stop.signal,
  });
  return isWhole ? 0 : 1;
}
