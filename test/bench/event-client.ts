import { Agent, request } from 'node:http';

/** One subscriber, that counts what it is told. */
export interface Subscriber {
  /** Events with data, by what they say in `change`. */
  readonly counts: ReadonlyMap<string, number>;
  leave(): void;
}

/** @returns when the stream has begun */
export function subscribeTo(url: string, query: string, agent: Agent): Promise<Subscriber> {
  const { promise, resolve, reject } = Promise.withResolvers<Subscriber>();
  const headers = { 'content-type': 'application/json', accept: 'text/event-stream' };
  const sent = request(url, { method: 'POST', headers, agent });
  sent.once('error', reject);
  sent.once('response', (answer) => {
    if (answer.statusCode !== 200) return reject(new Error(`the gateway answered ${answer.statusCode}`));
    const counts = new Map<string, number>();
    let held = '';
    answer.setEncoding('utf8');
    answer.on('error', () => {});
    answer.on('data', (chunk: string) => {
      const lines = (held + chunk).split('\n');
      held = lines.pop()!;
      for (const line of lines) {
        const change = /^data: .*"change":"(\w+)"/.exec(line)?.[1];
        if (change) counts.set(change, (counts.get(change) ?? 0) + 1);
        else if (line.includes('"errors"')) reject(new Error(line));
      }
    });
    resolve({ counts, leave: () => sent.destroy() });
  });
  sent.end(JSON.stringify({ query }));
  return promise;
}
