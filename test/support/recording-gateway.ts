import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

interface Reported {
  readonly cluster: string;
  readonly island?: string;
  readonly run: string;
  readonly workload?: unknown;
  readonly events?: readonly { readonly ts_ms: number; readonly step?: number; readonly name: string }[];
  readonly status?: { readonly at: number; readonly state: Record<string, unknown> };
}

interface Request {
  readonly authorization: string | undefined;
  readonly query: string;
  readonly variables?: Reported;
}

export interface RecordingGateway {
  readonly url: string;
  /** Every request, in order. */
  readonly requests: Request[];
  /** What reports held, in the order they came. */
  readonly events: () => NonNullable<Reported['events']>[number][];
  readonly states: () => Record<string, unknown>[];
}

/** What an answer counts; the rest of the events is written. */
export interface Counts {
  readonly repeated?: number;
  readonly conflicting?: number;
  readonly refused?: number;
  readonly rejected?: number;
  readonly note?: string;
}

/**
 * A server in a gateway's place, for what a real one does not do on demand: to refuse, to count as told, to say nothing.
 *
 * @param clusters  what it has; a function answers the question itself
 * @param report    what it does with a report: counts, or an answer of its own
 */
export async function recordingGateway({
  clusters = [{ name: 'aurora-prod', island: 'north' }],
  report = () => ({}),
}: {
  clusters?: readonly { name: string; island: string }[] | ((response: ServerResponse) => void);
  report?: (events: number, response: ServerResponse) => Counts | null;
} = {}): Promise<RecordingGateway> {
  const requests: Request[] = [];
  const server = createServer(async (request, response) => {
    const body = JSON.parse((await request.toArray()).join('')) as Omit<Request, 'authorization'>;
    requests.push({ ...body, authorization: request.headers.authorization });
    if (!body.query.startsWith('mutation')) {
      if (typeof clusters === 'function') return clusters(response);
      return answer(response, { data: { clusters } });
    }
    const given = body.variables?.events?.length ?? 0;
    const counts = report(given, response);
    if (counts === null) return;
    const { repeated = 0, conflicting = 0, refused = 0, rejected = 0, note = null } = counts;
    const written = given - repeated - conflicting - refused - rejected;
    const rejections = Array.from({ length: rejected }, (_, index) => ({ index, reason: 'no' }));
    answer(response, {
      data: { reportRun: { written, repeated, conflicting, refused, skipped: [], rejected: rejections, note } },
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const reports = (): Reported[] => requests.flatMap(({ variables }) => (variables ? [variables] : []));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`,
    requests,
    events: () => reports().flatMap(({ events = [] }) => events),
    states: () => reports().flatMap(({ status }) => (status ? [status.state] : [])),
  };
}

/** @param status  of HTTP */
export function answer(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
