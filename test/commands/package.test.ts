import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
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
  // A project that has it installed.
  await mkdir(join(folder, 'project', 'node_modules'), { recursive: true });
  await symlink(join(folder, 'package'), join(folder, 'project', 'node_modules', 'gpuql'));
  await symlink(join(root, 'node_modules', '@types'), join(folder, 'project', 'node_modules', '@types'));
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

const training = `
import { CannotReport, openReporter, type Reporter, type Summary } from 'gpuql/report';

const reporter: Reporter = await openReporter({ counters: { tokens: 0 } }).catch((error: unknown) => {
  console.error(error instanceof CannotReport ? error.message : error);
  process.exit(1);
});
const step = reporter.step(0);
const loss: number = step.metric('train/loss', 2.5, { layer: 1 });
step.count('tokens', loss);
step.end();
const summary: Summary = await reporter.finish();
if (summary.delivered !== 6) throw new Error(JSON.stringify(summary));
`;

test('a training tool imports gpuql/report from the installed package, with its types', async () => {
  const project = join(folder, 'project');
  await writeFile(join(project, 'package.json'), '{ "type": "module" }');
  await writeFile(join(project, 'train.ts'), training);
  const compiler = [
    '--strict',
    '--target',
    'es2024',
    '--module',
    'nodenext',
    '--types',
    'node',
    '--lib',
    'es2024,esnext.disposable',
  ];
  await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...compiler, 'train.ts'], {
    cwd: project,
  });
  const { stdout, stderr } = await run(process.execPath, ['train.js', '--metrics', 'stdout'], { cwd: project });
  expect(stdout.trim().split('\n')).toHaveLength(6);
  expect(stderr).toBe('metrics: stdout\n');
  const wrong = run(process.execPath, ['train.js', '--metrics', 'nowhere'], { cwd: project });
  await expect(wrong).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('is no target') });
});

test.each(['package.json', 'schema.graphql', 'dist/schema/index.js', 'report'])(
  'gpuql/%s can be found from the installed package',
  async (path) => {
    const find = `console.log(import.meta.resolve('gpuql/${path}'))`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', find], {
      cwd: join(folder, 'project'),
    });
    expect(stdout).toMatch(/^file:/);
  },
);
