import { expect, test } from 'vitest';
import { AnswerBody } from '../../src/prometheus/answer-body.ts';
import { RowScanner } from '../../src/prometheus/row-scanner.ts';

/** Mulberry32: the same numbers on every machine, so that a failing case can be found again. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const labelValues = [
  'node-1',
  '',
  ']]}',
  '},"values":[',
  '{"metric":{"a":"b"},"values":[[1,"2"]]}',
  '"result":[{',
  '\\',
  '\\"',
  'a"b',
  'Zürich 東京 🔥',
  '\u2028\u0000\n',
  '},"value":[1,"2"]}],"warnings":["x"]',
];
const spellings = [
  'NaN',
  '+Inf',
  '-Inf',
  '0',
  '-0',
  '1e-7',
  '1.5e+21',
  '4.940656458412465e-324',
  '1.7976931348623157e+308',
  '9007199254740993',
  '123456789012345678901234567890',
  '0.000000000000000000000000123',
  '-12.50',
  '+3',
];

function randomBody(random: () => number): string {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const spaced = random() < 0.3;
  const gap = (): string => (spaced ? pick(['', ' ', '\n', '  \t']) : '');
  const value = (): string =>
    pick([
      () => pick(spellings),
      () => String(Math.floor(random() * 100)),
      () => (random() * 100).toFixed(3),
      () => String((random() - 0.5) * 10 ** (random() * 30 - 10)),
    ])();
  const time = (): string => {
    const seconds = 1_758_456_000 + Math.floor(random() * 1e6);
    return pick([
      String(seconds),
      `${seconds}.${String(Math.floor(random() * 1000)).padStart(3, '0')}`,
      `${seconds / 10}e1`,
    ]);
  };
  const sample = (): string => `[${gap()}${time()}${gap()},${gap()}${JSON.stringify(value())}${gap()}]`;
  const list = (length: number, item: () => string): string =>
    `[${gap()}${Array.from({ length }, item).join(`${gap()},${gap()}`)}${gap()}]`;
  const metric = (): string =>
    JSON.stringify(
      Object.fromEntries(
        Array.from({ length: Math.floor(random() * 5) }, (_, i) => [
          pick(['a', 'metric', 'values', 'result', '__proto__', `l${i}`]),
          pick(labelValues),
        ]),
      ),
    );
  const vector = random() < 0.3;
  const row = (): string => {
    const fields = [`"metric"${gap()}:${gap()}${metric()}`];
    if (random() < 0.95)
      fields.push(
        vector ? `"value":${gap()}${sample()}` : `"values"${gap()}:${list(Math.floor(random() * 40), sample)}`,
      );
    if (random() < 0.1) fields.push('"histograms":[[1,{"count":"2","sum":"3","buckets":[[0,"]]}","1","2"]]}]]');
    if (random() < 0.1) fields.push(`"group":${pick(['1', 'null', 'true', '"x]}"', '{}', '[]'])}`);
    if (random() < 0.2) fields.reverse();
    return `{${gap()}${fields.join(`${gap()},${gap()}`)}${gap()}}`;
  };
  const data = [
    `"resultType":"${vector ? 'vector' : 'matrix'}"`,
    `"result"${gap()}:${gap()}${list(1 + Math.floor(random() * 12), row)}`,
  ];
  if (random() < 0.2) data.reverse();
  const fields = ['"status":"success"', `"data":{${data.join(',')}}`];
  if (random() < 0.3) fields.splice(1, 0, '"isPartial":true');
  if (random() < 0.3) fields.push('"warnings":["one","\\"result\\":[{"]');
  if (random() < 0.3) fields.push('"stats":{"seriesFetched": "1","executionTimeMsec":0}');
  return `${gap()}{${fields.join(`${gap()},${gap()}`)}}${gap()}`;
}

interface Parsed {
  readonly data: {
    readonly result: readonly {
      metric: Record<string, string>;
      value?: [number, string];
      values?: [number, string][];
    }[];
  };
}

function expectedRows(body: string): { labels: Record<string, string>; times: number[]; values: number[] }[] {
  const number = (text: string): number => Number(text.replace(/^([+-]?)Inf$/, '$1Infinity'));
  return (JSON.parse(body) as Parsed).data.result.map(({ metric, value, values }) => {
    const samples = values ?? (value ? [value] : []);
    return { labels: metric, times: samples.map(([time]) => time), values: samples.map(([, text]) => number(text)) };
  });
}

const plain = ({ rows }: Pick<RowScanner, 'rows'>) =>
  rows.map(({ labels, times, values }) => ({ labels, times: [...times], values: [...values] }));

function* piecesOf(bytes: Buffer, length: () => number): Generator<Buffer> {
  for (let at = 0; at < bytes.length;) {
    const next = at + Math.max(1, length());
    yield bytes.subarray(at, next);
    at = next;
  }
}

test('rows scanned from 800 random answers, cut anywhere, equal what JSON.parse and Number make of them', () => {
  for (let seed = 1; seed <= 800; seed += 1) {
    const random = seeded(seed);
    const body = randomBody(random);
    const first = /"result"\s*:\s*\[/.exec(body)!;
    const bytes = Buffer.from(body.slice(first.index + first[0].length));
    const longest = random() < 0.5 ? 3 : 400;
    const scanner = new RowScanner(false);
    const rest: Buffer[] = [];
    for (const piece of piecesOf(bytes, () => Math.floor(random() * longest))) {
      if (scanner.done) rest.push(piece);
      else {
        scanner.push(piece);
        if (scanner.done) rest.push(scanner.rest);
      }
    }
    expect({ seed, rows: plain(scanner) }).toEqual({ seed, rows: expectedRows(body) });
    expect(() =>
      JSON.parse(body.slice(0, first.index + first[0].length) + Buffer.concat(rest).toString()),
    ).not.toThrow();
  }
});

/** Past the size from which the scanner reads. */
const large = (rows: readonly string[]): Buffer => {
  const filler = `{"metric":{"pad":"${'x'.repeat(70_000)}"},"values":[[1,"1"]]}`;
  return Buffer.from(
    `{"status":"success","data":{"resultType":"matrix","result":[${[filler, ...rows].join(',')}]},"warnings":["w"]}`,
  );
};

function read(bytes: Buffer, chunk = 16_384) {
  const body = new AnswerBody({ kind: 'range' });
  for (const piece of piecesOf(bytes, () => chunk)) body.push(piece);
  return body.end();
}

test('a large answer keeps what stands around its rows', () => {
  const answer = read(large(['{"metric":{"a":"]]}"},"values":[[1758456000.123,"1"],[1758456030.123,"NaN"]]}']));
  expect(answer.omissions).toEqual(['w']);
  expect(answer.samples).toBe(3);
  expect([...answer.rows[1]!.times]).toEqual([1758456000.123, 1758456030.123]);
});

test('a large answer that is cut anywhere is refused, never shortened', () => {
  const whole = large(['{"metric":{"a":"b"},"values":[[1,"1"],[2,"2"]]}']);
  for (let length = whole.length - 120; length < whole.length; length += 1) {
    expect(() => read(whole.subarray(0, length)), `${length} of ${whole.length} bytes`).toThrow(
      /ends inside its rows|JSON/,
    );
  }
});

test.each([
  ['a value that is no number', '{"metric":{},"values":[[1,"one"]]}', 'not a number: one'],
  ['an empty value', '{"metric":{},"values":[[1,""]]}', 'not a number: '],
  ['a value that is not a string', '{"metric":{},"values":[[1,2]]}', 'expected string'],
  ['a label that is not a string', '{"metric":{"a":1},"values":[[1,"2"]]}', 'not a label set'],
  ['a row without a metric', '{"values":[[1,"2"]]}', 'a row without a metric'],
  ['a row that is a list', '[1,2]', 'not a row'],
  ['samples that are an object', '{"metric":{},"values":{}}', 'not a list of samples'],
])('%s makes a large answer malformed', (_what, row, words) => {
  expect(() => read(large([row]))).toThrow(words);
});

test('rows on one grid share their times, and no row holds more than its samples and part of a slab', () => {
  const row = (i: number): string =>
    `{"metric":{"i":"${i}"},"values":[${Array.from({ length: 48 }, (_, k) => `[${k * 75},"${i}.5"]`).join(',')}]}`;
  const { rows } = read(large(Array.from({ length: 2_000 }, (_, i) => row(i))));
  expect(new Set(rows.slice(1).map(({ times }) => times)).size).toBe(1);
  const held = new Set(rows.flatMap(({ times, values }) => [times.buffer, values.buffer]));
  const bytes = [...held].reduce((sum, buffer) => sum + buffer.byteLength, 0);
  expect(bytes).toBeLessThan(2 * 16 * 48 * 2_000);
});
