import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { gatewayOver } from '../../src/commands/gateway.ts';
import { readConfig } from '../../src/config.ts';

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const clusters = 'query Clusters { clusters { name } }';
const manifestOf = (...documents: string[]): string =>
  JSON.stringify(Object.fromEntries(documents.map((text) => [hash(text), text])));

/** The start of a gateway whose manifest holds that. @throws what stops the start */
function start(manifest: string, settings: object = {}, more: object = {}) {
  const yaml = stringify({
    islands: [{ name: 'north', prometheus: { url: 'http://127.0.0.1:9' } }],
    organizations: [{ name: 'acme', clusters: [{ name: 'aurora', island: 'north', vendor: 'nvidia' }] }],
    trustedDocuments: { manifest: 'documents.json', ...settings },
    ...more,
  });
  const config = readConfig(yaml, {}, undefined, (path) => {
    if (path === 'documents.json') return manifest;
    throw Object.assign(new Error('secret'), { code: 'ENOENT' });
  });
  const foundation = { config, askFor: () => () => () => Promise.reject(new Error('not asked')) };
  return gatewayOver({ ...foundation, now: () => 0, log: () => undefined } as never);
}
function faultOf(manifest: string, settings: object = {}, more: object = {}): string {
  try {
    start(manifest, settings, more);
  } catch (error) {
    const { name, message } = error as Error;
    return name === 'WrongConfiguration' ? message : `${name}, which is no fault of the configuration`;
  }
  return 'started';
}

test('a manifest as graphql-codegen writes it is there to ask', () => {
  const { trusted } = start(manifestOf(clusters), { only: true });
  // Beside those of the project's own tools.
  expect([trusted?.documents.get(hash(clusters)), trusted?.only]).toEqual([clusters, true]);
  const prefixed = JSON.stringify({ [`sha256:${hash(clusters)}`]: clusters });
  const both = start(prefixed).trusted;
  expect([both?.documents.get(hash(clusters)), both?.only]).toEqual([clusters, false]);
});

const at = '  trustedDocuments.manifest: ';
test.each<[string, string, string]>([
  ['a field that is not there', 'query Old { clusters { nme } }', 'Cannot query field "nme" on type "Cluster".'],
  ['what is no GraphQL', 'query {', 'Syntax Error: Expected Name, found <EOF>. (line 1)'],
  ['a fragment alone', 'fragment F on Cluster { name }', 'It holds no operation.'],
  ['a document that is too long', `{ clusters { name } } #${'x'.repeat(70_000)}`, 'more than the 65,536'],
  ['a document of too much', `{ clusters { ${'name '.repeat(11_000)} } }`, 'more than the 10,000'],
  ['brackets without end', `${'{ a '.repeat(5000)}`, 'brackets within brackets'],
])('%s stops the start, by its hash', (_case, text, why) => {
  const fault = faultOf(manifestOf(clusters, text));
  expect(fault).toContain(`${at}the document sha256:${hash(text)} cannot be asked here: `);
  expect(fault).toContain(why);
  expect(fault).not.toContain(hash(clusters));
});

test('every document that cannot be asked is named at once', () => {
  const wrong = ['{ a }', '{ b }'];
  expect(wrong.every((text) => faultOf(manifestOf(...wrong)).includes(hash(text)))).toBe(true);
});

test('a document that asks for the schema goes only where anybody may ask for it', () => {
  const introspection = manifestOf('{ __schema { queryType { name } } }');
  expect(faultOf(introspection)).toBe('started');
  expect(faultOf(introspection, { only: true })).toContain('introspection');
  expect(faultOf(introspection, {}, { http: { introspection: false } })).toContain('introspection');
});

test('a key is the hash of its document', () => {
  const changed = JSON.stringify({ [hash(clusters)]: `${clusters} ` });
  expect(faultOf(changed)).toContain(`${at}holds under ${hash(clusters)} a document whose SHA-256 is`);
  const sha1 = createHash('sha1').update(clusters).digest('hex');
  expect(faultOf(JSON.stringify({ [sha1]: clusters }))).toContain("set persistedDocuments.hashAlgorithm to 'sha256'");
});

test.each([
  ['a list', '["query"]', 'must name a JSON file like {"<sha256 of the document>": "query ..."}'],
  ['no JSON', 'query Clusters', 'must name a JSON file'],
  ['documents that are no text', '{"a": {"document": "{ clusters }"}}', 'must name a JSON file'],
  ['nothing', '{}', 'names a file without a document'],
])('a manifest that is %s stops the start', (_case, manifest, why) => {
  expect(faultOf(manifest)).toContain(`${at}${why}`);
});

test('a manifest that is not there stops the start, and its path is not repeated', () => {
  const fault = faultOf('', { manifest: '/etc/secret/place.json' });
  expect(fault).toContain(`${at}names a file that cannot be read: there is no such file`);
  expect(fault).not.toMatch(/secret|place/);
  expect(faultOf('{}', { manifest: '' })).toContain(`${at}must not be empty`);
  expect(faultOf(manifestOf(clusters), { only: 'yes' })).toContain('trustedDocuments.only: must be');
});
