import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { breakingChanges } from './breaking.ts';

const schema = readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8');
const script = fileURLToPath(new URL('./breaking.ts', import.meta.url));

/** The schema with one piece of it replaced. */
function changed(from: string | RegExp, to: string): string {
  const text = schema.replace(from, to);
  expect(text).not.toBe(schema);
  return text;
}

test.each<[string, string | RegExp, string, RegExp]>([
  ['a field that went away', '  peakTempC: Float\n', '  peakC: Float\n', /^FIELD_REMOVED: .*peakTempC/],
  ['a field that may now be null', 'index: Int!', 'index: Int', /^FIELD_CHANGED_KIND: .*Gpu.index/],
  ['a field of another kind', 'tempP95C: Float!', 'tempP95C: String!', /^FIELD_CHANGED_KIND: .*tempP95C/],
  ['a value that went away', /\n {2}"""Heat."""\n {2}THERMAL\n/, '', /^VALUE_REMOVED_FROM_ENUM: .*Check.THERMAL/],
  ['an argument that is now required', /gpuOnly: Boolean = true/, 'gpuOnly: Boolean!', /^ARG_CHANGED_KIND: .*gpuOnly/],
  [
    'a new required field of an input',
    'input WindowInput {',
    'input WindowInput {\n zone: String!',
    /^REQUIRED_INPUT_FIELD_ADDED: .*zone/,
  ],
  ['another default of an argument', 'first: Int = 50', 'first: Int = 20', /^ARG_DEFAULT_VALUE_CHANGE: .*first/],
  [
    'another default of an input',
    'range: WindowRange = LAST_6H',
    'range: WindowRange = LAST_1H',
    /^INPUT_FIELD_DEFAULT_VALUE_CHANGE: .*range/,
  ],
  [
    'a default where there was none',
    /indexes: \[Int!\]/,
    'indexes: [Int!] = [0]',
    /^ARG_DEFAULT_VALUE_ADDED: .*indexes/,
  ],
])('%s breaks clients, and is named', (_case, from, to, named) => {
  expect(breakingChanges(schema, changed(from, to))).toEqual([expect.stringMatching(named)]);
});

test.each<[string, string | RegExp, string]>([
  ['nothing', 'type Cluster {', 'type Cluster  {'],
  ['a new field', 'type Cluster {', 'type Cluster {\n  "Where it stands."\n  site: String\n'],
  ['a new value', 'enum Check {', 'enum Check {\n  "Water."\n  LEAK\n'],
  ['a new optional argument', 'indexes: [Int!]', 'indexes: [Int!], uuids: [String!]'],
  ['a field that is never null any more', 'peakTempC: Float', 'peakTempC: Float!'],
  ['other words', 'Heat.', 'Warmth.'],
])('%s does not', (_case, from, to) => {
  expect(breakingChanges(schema, changed(from, to))).toEqual([]);
});

const run = async (...args: string[]) => {
  const done = promisify(execFile)(process.execPath, [script, ...args]);
  return done.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
  );
};

test('the check fails against a released schema that had more, and a release on purpose ends that', async () => {
  const copy = join(mkdtempSync(join(tmpdir(), 'gpuql-')), 'schema.released.graphql');
  writeFileSync(copy, changed('type Cluster {', 'type Cluster {\n  "Where it stands."\n  site: String\n'));
  const failed = await run('--against', copy);
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('FIELD_REMOVED') });
  expect(failed.stderr).toContain('npm run schema:release');
  expect(await run('--against', copy, '--release')).toMatchObject({ code: 0 });
  expect(readFileSync(copy, 'utf8')).toBe(schema);
  expect(await run('--against', copy)).toEqual({ code: 0, stdout: '', stderr: '' });
});
