import { expect, test } from 'vitest';
import { readEvent } from '../../src/runs/event.ts';
import { LineReader, longestLine } from '../../src/runs/lines.ts';

const good = (step: number): string => `{"kind":"metric","ts_ms":1764573000001,"step":${step},"name":"a","value":1}`;

/** Read in pieces of so many bytes. */
function read(text: string | Buffer, size = 1_000_000) {
  const bytes = Buffer.from(text as string);
  const reader = new LineReader();
  const lines = [];
  for (let at = 0; at < bytes.length; at += size) {
    // The caller may use its bytes again.
    const piece = Buffer.from(bytes.subarray(at, at + size));
    lines.push(...reader.read(piece));
    piece.fill(0);
  }
  return { lines, reader };
}

const words = (text: string | Buffer, size?: number): (string | undefined)[] =>
  read(text, size).lines.map(
    ({ number, reading }) =>
      `${number} ${'event' in reading ? reading.text : 'skipped' in reading ? `skipped ${reading.skipped}` : reading.reason}`,
  );

test.each([1, 2, 3, 7, 64, 1_000])('pieces of %i bytes are the same lines', (size) => {
  const text = `\uFEFF${good(1)}\r\n\n  \n{"kind":"summary","ü":1}\nx\n{"kind":"metric","ts_ms":1764573000001,"name":"é","value":1}\n${good(2)}\n`;
  const { lines, reader } = read(text, size);
  expect(words(text, size)).toEqual([
    `1 ${good(1)}\r`,
    '4 skipped summary',
    '5 it is no JSON',
    '6 {"kind":"metric","ts_ms":1764573000001,"name":"é","value":1}',
    `7 ${good(2)}`,
  ]);
  expect(reader.position).toEqual({ offset: Buffer.byteLength(text), line: 7 });
  // Each end is where a reader that starts anew goes on.
  for (const [i, { end, number }] of lines.entries()) {
    const next = new LineReader({ offset: end, line: number });
    expect(next.read(Buffer.from(text).subarray(end))).toEqual(lines.slice(i + 1));
  }
});

test('a cut last line waits; at the end it is a line if it is whole', () => {
  const { lines, reader } = read(`${good(1)}\n${good(2).slice(0, 20)}`);
  expect(lines).toHaveLength(1);
  expect(reader.isCut).toBe(true);
  expect(reader.end()).toBeNull();
  expect(reader.position).toEqual({ offset: good(1).length + 1, line: 1 });
  expect(reader.read(Buffer.from(`${good(2).slice(20)}\n`))).toMatchObject([{ number: 2 }]);
  const whole = read(`${good(1)}\n${good(2)}`).reader;
  expect(whole.end()).toMatchObject({ number: 2, end: good(1).length + good(2).length + 1 });
  expect(whole.isCut).toBe(false);
  const nan = read('{"kind":"metric","ts_ms":1764573000001,"name":"a","value":NaN}').reader;
  expect(nan.end()).toMatchObject({ number: 1, reading: { event: { value: 'NaN' } } });
});

test.each([5, 4_096, 1_000_000])('a line that is too long is told and not held (%i bytes a piece)', (size) => {
  const long = `{"kind":"metric","x":"${'y'.repeat(longestLine)}"}`;
  const text = `${good(1)}\n${long}\n${long.replaceAll('y', 'é')}\n${good(2)}\n`;
  expect(words(text, size)).toEqual([
    `1 ${good(1)}`,
    '2 it is longer than 65536 bytes',
    '3 it is longer than 65536 bytes',
    `4 ${good(2)}`,
  ]);
});

test('the longest line is one', () => {
  const line = good(1).padEnd(longestLine, ' ');
  expect(words(`${line}\n`)).toEqual([`1 ${line}`]);
  expect(words(`${line} \n`)).toEqual(['1 it is longer than 65536 bytes']);
});

test('what is no UTF-8 is a bad line, and the next is not', () => {
  const text = Buffer.concat([Buffer.from('{"kind":"'), Buffer.from([0xff, 0xc3]), Buffer.from(`"}\n${good(2)}\n`)]);
  expect(words(text)).toEqual(['1 it is no UTF-8', `2 ${good(2)}`]);
});

test.each([
  ['NaN', 'NaN', '"NaN"'],
  ['Infinity', '+Inf', '"Infinity"'],
  ['-Infinity', '-Inf', '"-Infinity"'],
  ['null', 'null', 'null'],
  ['1e999', '+Inf', '1e999'],
  ['"-inf"', '-Inf', '"-inf"'],
])('%s is the finding %s', (word, value, sent) => {
  const line = (word: string): string =>
    `{"kind":"metric","ts_ms":1764573000001,"name":"NaN, \\"Infinity","value":${word},"metadata":{"k":"NaN\\\\"}}`;
  const [{ reading }] = read(`${line(word)}\n`).lines as [ReturnType<typeof read>['lines'][number]];
  expect(reading).toEqual({
    event: expect.objectContaining({ value, name: 'NaN, "Infinity', metadata: { k: 'NaN\\' } }),
    text: line(sent),
  });
  expect(() => JSON.parse((reading as { text: string }).text)).not.toThrow();
});

test.each(['xNaN', '1NaN', 'NaNNaN', '-NaN', 'nan', '[NaN'])('%s is no JSON', (word) => {
  expect(words(`{"kind":"metric","ts_ms":1764573000001,"name":"a","value":${word}}\n`)).toEqual(['1 it is no JSON']);
});

test('a text without its end is looked through once', () => {
  // If each quote began anew, this would take minutes.
  expect(words(`{"kind":${'"\\'.repeat(30_000)}\n`)).toEqual(['1 it is no JSON']);
});

test('only the event is sent of a line that carries more', () => {
  const extra = `{"kind":"metric","ts_ms":1764573000005,"step":null,"name":"a","value":NaN,"metadata":{"k":1.50},"more":${JSON.stringify(Array(10_000).fill(1))}}`;
  expect(words(`${extra}\n{"kind":"annotation","ts_ms":1764573000005,"name":"b","value":[1,2]}\n`)).toEqual([
    '1 {"kind":"metric","ts_ms":1764573000005,"step":null,"name":"a","value":"NaN","metadata":{"k":1.5}}',
    '2 {"kind":"annotation","ts_ms":1764573000005,"step":null,"name":"b","metadata":{}}',
  ]);
});

test.each([
  [1_764_573_000, /ts_ms lies before March 1973; it is milliseconds since 1970, not seconds/],
  [0, /ts_ms lies before March 1973/],
  [-1, /ts_ms lies before March 1973/],
  [1_764_573_000.5, /ts_ms is no whole number of milliseconds/],
  [8.64e15 + 1, /ts_ms/],
])('a time of %d is none', (ts_ms, reason) => {
  expect(readEvent({ kind: 'metric', ts_ms, name: 'a', value: 1 })).toEqual({ reason: expect.stringMatching(reason) });
});
