import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { demoTraining } from '../../src/commands/demo-training.ts';
import { history } from '../../src/demo/history.ts';
import { startStore } from '../../src/embedded/store.ts';
import { type ClientGateway, clientGateway } from '../support/client-gateway.ts';

// Installs the examples, generates and checks their types, and runs each against the demo's fleet.

const folder = fileURLToPath(new URL('../../docs/examples', import.meta.url));

/** One example: what runs it, and what it must print. */
interface Example {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly prints: RegExp;
  /** Against a gateway that answers trusted documents alone. */
  readonly trusted?: true;
}

const node = process.execPath;
const hot = /GPU 3 reached 91 °C: 1\d\d\d(\.\d+)? s throttled by heat/;
const examples: readonly Example[] = [
  { name: 'urql', command: [node, 'urql/main.ts'], prints: new RegExp(`${hot.source}\\nTwo windows of one GPU`) },
  { name: 'urql, by hash', command: [node, 'urql/main.ts'], prints: hot, trusted: true },
  { name: 'gql.tada', command: [node, 'gql-tada/main.ts'], prints: /^HIGH: GPU 3 on aurora-prod-n2 held/m },
  {
    name: 'graphql-request',
    command: [node, 'graphql-request/main.ts'],
    prints: /GPU 3: at most 91 °C[^]*refused: NOT_FOUND/,
  },
  { name: 'Python', command: ['python3', 'python/slow_run.py'], prints: /^HIGH: GPU 3 on aurora-prod-n2 held/m },
  { name: 'curl', command: ['sh', 'curl/hot_node.sh'], prints: /"index":3,"peakTempC":91,/ },
  { name: 'picture', command: [node, 'picture/main.ts'], prints: /^<svg[^]*1\.42 × for 39 min/ },
];

async function run([program, ...args]: readonly [string, ...string[]], env: object = {}) {
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  return { code: code as number | null, out, err };
}

async function must(...command: [string, ...string[]]): Promise<void> {
  console.log(command.join(' '));
  const { code, out, err } = await run(command);
  if (code !== 0) throw new Error(`${command.join(' ')} has failed:\n${out}${err}`);
}

async function tryOut({ name, command, prints, trusted }: Example, { url, token }: ClientGateway): Promise<boolean> {
  const env = { GPUQL_URL: url, GPUQL_TOKEN: token, ...(trusted && { GPUQL_TRUSTED: '1' }) };
  const { code, out, err } = await run(command, env);
  const isGood = code === 0 && prints.test(out);
  console.log(`${isGood ? 'ok    ' : 'FAILED'} ${name}`);
  if (!isGood) console.log(`exit code ${code}, not ${prints.source}:\n${out}${err}`);
  return isGood;
}

await must('npm', 'ci', '--no-audit', '--no-fund');
await must('npm', 'run', '--silent', 'generate');
await must('npm', 'run', '--silent', 'check');

const t0 = Math.floor(Date.now() / 1000);
await using stack = new AsyncDisposableStack();
const store = stack.adopt(await startStore({ onProgress: console.log }), (store) => store.close());
await store.load(history(t0, 7));
stack.adopt(await demoTraining(store.url, t0), (training) => training.stop());
const open = async (settings: object) =>
  stack.adopt(await clientGateway(store.url, { now: () => t0, settings }), (gateway) => gateway.close());
const usual = await open({});
const manifest = `${folder}/urql/generated/persisted-documents.json`;
const strict = await open({ trustedDocuments: { manifest, only: true } });

let failed = 0;
for (const example of examples) if (!(await tryOut(example, example.trusted ? strict : usual))) failed += 1;
console.log(`${examples.length - failed} of ${examples.length} examples ran.`);
process.exitCode = failed > 0 ? 1 : 0;
