import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { errorCodes, Refusal } from '../../src/errors.ts';
import { ask, toyApp } from './toy-app.ts';

interface Answer {
  data?: Record<string, unknown> | null;
  errors?: { message: string; path?: unknown[]; locations?: unknown[]; extensions: Record<string, unknown> }[];
  extensions?: Record<string, unknown>;
}

async function answerTo(query: string, variables?: object, deps = {}) {
  const { app, log } = toyApp(deps);
  const response = await ask(app, query, variables);
  const answer = (await response.json()) as Answer;
  return { status: response.status, headers: response.headers, answer, log };
}

test.each<[string, string, object | undefined, number, string]>([
  ['a refused field that is alone', '{ missing }', undefined, 404, 'NOT_FOUND'],
  ['the first of two refusals, and no field answered', '{ busy missing }', undefined, 429, 'THROTTLED'],
  ['a refusal beside a field that is null', '{ nothing missing }', undefined, 404, 'NOT_FOUND'],
  ['a refusal beside a field that answered', '{ hello missing }', undefined, 200, 'NOT_FOUND'],
  ['text that is not GraphQL', '{ hello', undefined, 400, 'GRAPHQL_PARSE_FAILED'],
  ['a field that does not exist', '{ hullo }', undefined, 400, 'GRAPHQL_VALIDATION_FAILED'],
  ['a literal that a scalar refuses', '{ at(moment: "2026") }', undefined, 422, 'BAD_REQUEST'],
  ['a variable that a scalar refuses', 'query($m: Moment) { at(moment: $m) }', { m: '2026' }, 422, 'BAD_REQUEST'],
  ['a variable of the wrong type', 'query($n: Int) { count(first: $n) }', { n: 'x' }, 422, 'BAD_REQUEST'],
  ['null for an argument that needs a value', 'query($n: Int) { count(must: $n) }', { n: null }, 422, 'BAD_REQUEST'],
  ['a bug of the gateway', '{ broken }', undefined, 500, 'INTERNAL_SERVER_ERROR'],
  ['a value that a scalar cannot write', '{ unwritable }', undefined, 500, 'INTERNAL_SERVER_ERROR'],
])('%s', async (_case, query, variables, status, code) => {
  const { status: got, answer } = await answerTo(query, variables);
  expect([got, answer.errors?.[0]?.extensions['code']]).toEqual([status, code]);
});

test('a refusal stands at its path with its code, status and details; the other root fields answer', async () => {
  const { answer } = await answerTo('{ hello twice }');
  expect(answer.data).toEqual({ hello: 'world', twice: null });
  expect(answer.errors).toEqual([
    {
      message: 'Two islands have it.',
      locations: [{ line: 1, column: 9 }],
      path: ['twice'],
      extensions: { code: 'AMBIGUOUS_CLUSTER', status: 409, candidates: [{ name: 'a', island: 'north' }] },
    },
  ]);
});

test('a scalar says in its own words what is wrong, also in a variable', async () => {
  const literal = await answerTo('{ at(moment: "2026") }');
  const variable = await answerTo('query($m: Moment) { at(moment: $m) }', { m: '2026' });
  for (const { answer } of [literal, variable]) expect(answer.errors?.[0]?.message).toContain('A moment needs a zone.');
});

test('THROTTLED says when to come back, in a header too', async () => {
  const { headers, answer } = await answerTo('{ hello busy }');
  expect(headers.get('retry-after')).toBe('7');
  expect(answer.errors?.[0]?.extensions).toEqual({ code: 'THROTTLED', status: 429, retryAfterS: 7 });
});

test('what is not a refusal is masked for the client, and logged with its cause', async () => {
  const { answer, log } = await answerTo('{ broken }');
  expect(JSON.stringify(answer)).not.toMatch(/secret|10\.0\.0\.1|TypeError|toy-app/);
  expect(answer.errors?.[0]?.message).toMatch(/^Something went wrong in the gateway/);
  const line = log.find(({ level }) => level === 'error');
  expect(line).toMatchObject({ path: 'broken', error: expect.stringContaining('secret') });
  expect(JSON.stringify(line)).toContain('the cause');
});

test('the cause of a refusal is for the debug log alone, once', async () => {
  const refusal = new Refusal('METRICS_UNAVAILABLE', 'The store did not answer.', {
    cause: new Error('http://10.0.0.1'),
  });
  const throwIt = () => {
    throw refusal;
  };
  const { app, log } = toyApp({}, { one: throwIt, two: throwIt });
  const text = await (await ask(app, '{ one two }')).text();
  expect(text).not.toContain('10.0.0.1');
  const lines = log.filter((line) => JSON.stringify(line).includes('10.0.0.1'));
  expect(lines).toEqual([expect.objectContaining({ level: 'debug', event: 'refused', code: 'METRICS_UNAVAILABLE' })]);
});

test('an operation that is refused as a whole has no data', async () => {
  const operation = () => {
    throw new Refusal('UNAUTHENTICATED', 'Send Authorization: Bearer and a token.');
  };
  const { status, answer } = await answerTo('{ hello }', undefined, { operation });
  expect(status).toBe(401);
  expect(answer).toEqual({
    errors: [
      {
        message: 'Send Authorization: Bearer and a token.',
        extensions: { code: 'UNAUTHENTICATED', status: 401 },
      },
    ],
  });
});

test.each([
  ['a text', 'boom'],
  ['an abort that is not the client’s', new DOMException('x', 'TimeoutError')],
  ['several errors', new AggregateError([new Error('a')])],
  ['undefined', undefined],
])('an operation that throws %s is a masked failure', async (_what, thrown) => {
  const operation = () => {
    throw thrown;
  };
  const { status, answer } = await answerTo('{ hello }', undefined, { operation });
  expect([status, answer.errors?.[0]?.extensions['code']]).toEqual([500, 'INTERNAL_SERVER_ERROR']);
  expect(answer.errors?.[0]?.message).toMatch(/^Something went wrong/);
});

test('a partial store is a warning beside whole data', async () => {
  expect((await answerTo('{ partial }')).answer).toEqual({
    data: { partial: 'some of it' },
    extensions: { warnings: ['aurora'] },
  });
  expect((await answerTo('{ hello }')).answer).toEqual({ data: { hello: 'world' } });
});

test('an argument keeps its default where the variable is left out', async () => {
  const { answer } = await answerTo('query($n: Int, $s: Size) { count(first: $n, size: $s) }', {});
  expect(answer).toEqual({ data: { count: 100 } });
});

test('docs/errors.md and the code list name the same errors, with the same status', () => {
  const page = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8');
  const documented = [...page.matchAll(/^\| `([A-Z_]+)` +\| +(\d+) +\|/gm)].map(
    ([, code, status]) => `${code} ${status}`,
  );
  const known = Object.entries(errorCodes).map(([code, { status }]) => `${code} ${status}`);
  expect(documented.sort()).toEqual(known.sort());
});
