import type { App } from '../../src/server/app.ts';
import type { Reply } from './gateway.ts';

export interface Events {
  readonly status: number;
  readonly headers: Headers;
  /** The next result, null where the stream is complete. */
  next(): Promise<Omit<Reply, 'status'> | null>;
  /** So many of them. */
  take(count: number): Promise<Omit<Reply, 'status'>[]>;
  /** What is there within a moment. */
  rest(withinMs?: number): Promise<Omit<Reply, 'status'>[]>;
  /** How often the stream said that it lives, as far as it was read. */
  pings(): number;
  leave(): void;
}

/** Subscribes without a socket. */
export async function subscribe(
  app: App,
  query: string,
  variables: object = {},
  headers: Record<string, string> = {},
): Promise<Events> {
  const client = new AbortController();
  const response = await app.fetch('http://gpuql/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
    body: JSON.stringify({ query, variables }),
    signal: client.signal,
  });
  const reader = response.body!.getReader();
  const text = new TextDecoder();
  let [held, pings] = ['', 0];
  let reading: Promise<boolean> | undefined;

  async function more(): Promise<boolean> {
    const { done, value } = await reader.read();
    if (!done) held += text.decode(value, { stream: true });
    return !done;
  }
  /** One event: the text of it, or null at the end of the stream. */
  async function event(): Promise<string | null> {
    for (;;) {
      const at = held.indexOf('\n\n');
      if (at >= 0) {
        const found = held.slice(0, at);
        held = held.slice(at + 2);
        if (found === ':') pings += 1;
        else return found;
        continue;
      }
      reading ??= more();
      const isMore = await reading;
      reading = undefined;
      if (!isMore) return null;
    }
  }
  const next = async () => {
    const found = await event();
    if (found === null) throw new Error(`The stream ended without saying so, with ${JSON.stringify(held)}`);
    const [type, data] = found.split('\n');
    if (type === 'event: complete') return null;
    return JSON.parse(data!.replace('data: ', '')) as Omit<Reply, 'status'>;
  };
  let waiting: ReturnType<typeof next> | undefined;
  const once = () => {
    waiting ??= next();
    return waiting.finally(() => (waiting = undefined));
  };
  return {
    status: response.status,
    headers: response.headers,
    next: once,
    async take(count) {
      const found = [];
      for (let i = 0; i < count; i += 1) found.push((await once())!);
      return found;
    },
    async rest(withinMs = 150) {
      const found: Omit<Reply, 'status'>[] = [];
      for (;;) {
        waiting ??= next();
        const late = new Promise<'late'>((resolve) => setTimeout(() => resolve('late'), withinMs));
        const one = await Promise.race([waiting, late]);
        if (one === 'late') return found;
        waiting = undefined;
        if (one === null) return found;
        found.push(one);
      }
    },
    pings: () => pings,
    leave() {
      client.abort();
      reader.cancel().catch(() => {});
    },
  };
}
