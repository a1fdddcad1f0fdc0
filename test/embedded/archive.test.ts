import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { sourceFor } from '../../src/embedded/archive.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gpuql-archive-'));
  put('os-release', 'NAME="Debian"\nVERSION_CODENAME=bookworm\n');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const vendor = 'Types: deb\nURIs: http://vendor.example/apt\nSuites: nodistro\nComponents: main\n';

test('deb822: the entry of the release itself, its key inline', async () => {
  put('apt/sources.list.d/a.sources', vendor);
  put(
    'apt/sources.list.d/debian.sources',
    [
      'Types: deb\nURIs: http://off.example/debian\nSuites: bookworm\nEnabled: no\n',
      '# security\nTypes: deb\nURIs: http://security.example/debian\nSuites: bookworm-security\nComponents: main\n',
      'Types: deb deb-src\n# mirror\nURIs: http://mirror.example/debian\nSuites: bookworm bookworm-updates\n' +
        'Components: main\nSigned-By:\n -----BEGIN\n .\n key\n',
    ].join('\n'),
  );
  expect(await sourceFor('sid', root)).toBe(
    'Types: deb\nSuites: sid\nComponents: main\nURIs: http://mirror.example/debian\nSigned-By: \n -----BEGIN\n .\n key\n',
  );
});

test('one line: with and without options', async () => {
  put(
    'apt/sources.list',
    '# deb http://off.example/debian bookworm main\ndeb http://mirror.example/debian bookworm main\n',
  );
  expect(await sourceFor('sid', root)).toBe(
    'Types: deb\nSuites: sid\nComponents: main\nURIs: http://mirror.example/debian\n',
  );
  put(
    'apt/sources.list',
    'deb [arch=amd64 signed-by=/keys/a.gpg] http://mirror.example/debian/ bookworm main contrib\n',
  );
  expect(await sourceFor('sid', root)).toContain('URIs: http://mirror.example/debian/\nSigned-By: /keys/a.gpg\n');
});

test('a machine whose sources do not know its release is told so', async () => {
  put('apt/sources.list.d/vendor.sources', vendor);
  await expect(sourceFor('sid', root)).rejects.toThrow(/no entry for this release \(bookworm\)/);
});
