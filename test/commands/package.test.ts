import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
let folder: string;
let binary: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gpuql-package-'));
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: root });
  await run('tar', ['-xzf', join(folder, stdout.trim().split('\n').at(-1)!), '-C', folder]);
  await symlink(join(root, 'node_modules'), join(folder, 'package', 'node_modules'));
  binary = join(folder, 'package', 'dist', 'gpuql.js');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('the packed binary runs, as plain JavaScript', async () => {
  const { stdout } = await run(process.execPath, [binary, '--version']);
  expect(stdout.trim()).toMatch(/^\d+\.\d+\.\d+$/);
});

test('the packed binary loads a server', async () => {
  const failing = run(process.execPath, [binary, 'serve', '--config', join(folder, 'none.yaml')]);
  await expect(failing).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('there is no such file') });
});

test('on a Node that is too old it says which one it needs, and nothing else', async () => {
  const older = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })`;
  const failing = run(process.execPath, [
    '--import',
    `data:text/javascript,${encodeURIComponent(older)}`,
    binary,
    '--version',
  ]);
  await expect(failing).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^[^\n]*22\.19[^\n]*\n$/),
  });
});
