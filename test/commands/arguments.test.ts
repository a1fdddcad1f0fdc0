import { expect, test } from 'vitest';
import { commandOf } from '../../src/commands/arguments.ts';

test.each<[string, object]>([
  ['', { name: 'demo' }],
  ['--port 4001', { name: 'demo', port: 4001 }],
  ['demo --port=0', { name: 'demo', port: 0 }],
  ['serve --config a.yaml', { name: 'serve', from: { config: 'a.yaml' } }],
  ['serve --config a.yaml --port 80 --host ::1', { name: 'serve', from: { config: 'a.yaml' }, port: 80, host: '::1' }],
  ['serve --prometheus http://x', { name: 'serve', from: { prometheus: 'http://x' } }],
  ['mcp', { name: 'mcp' }],
  ['mcp --config a.yaml', { name: 'mcp', from: { config: 'a.yaml' } }],
  ['mcp --prometheus http://x', { name: 'mcp', from: { prometheus: 'http://x' } }],
  ['forward --run r --cluster c', { name: 'forward', run: 'r', cluster: 'c' }],
  [
    'forward --run r --cluster c --island i --workload MPIJob/ml/train --file x.jsonl --follow --status s.json --url http://h',
    {
      name: 'forward',
      run: 'r',
      cluster: 'c',
      island: 'i',
      workload: { kind: 'MPI_JOB', namespace: 'ml', name: 'train' },
      file: { path: 'x.jsonl', follows: true, statePath: 'x.jsonl.gpuql-forward.json' },
      status: 's.json',
      url: 'http://h',
    },
  ],
  [
    'forward --run=r --cluster=c --workload=Pod/p --file=x --state=y',
    {
      name: 'forward',
      run: 'r',
      cluster: 'c',
      workload: { kind: 'POD', namespace: 'default', name: 'p' },
      file: { path: 'x', follows: false, statePath: 'y' },
    },
  ],
  ['help', { name: 'help' }],
  ['serve --help', { name: 'help' }],
  ['--version', { name: 'version' }],
])('gpuql %s', (line, command) => {
  expect(commandOf(line.split(' ').filter(Boolean))).toEqual(command);
});

test.each([
  ['srve', /There is no command "srve"; did you mean "serve"\?/],
  ['frobnicate', /There is no command "frobnicate"; there is: demo, serve, mcp,/],
  ['serve', /needs --config FILE or --prometheus URL/],
  ['serve --config', /'--config <value>' argument missing/],
  ['serve --config --port 1', /argument is ambiguous/],
  ['serve --config a --prometheus b', /not both/],
  ['mcp --config a --prometheus b', /not both/],
  ['mcp --port 1', /mcp has no flag "--port"/],
  ['serve --cnfig a', /serve has no flag "--cnfig"; did you mean "--config"\?/],
  ['serve -p 1', /serve has no flag "-p"/],
  ['serve a.yaml', /Unexpected argument 'a.yaml'/],
  ['forward --run r', /forward needs --run NAME and --cluster NAME/],
  ['forward --run r --cluster c --follow', /--follow goes with --file/],
  ['forward --run r --cluster c --state s', /--state goes with --file/],
  ['forward --run r --cluster c --workload job/a', /where Kind is one of Job, JobSet, .*; it cannot be "job\/a"/],
  ['forward --run r --cluster c --workload Job/a/b/c', /Kind\/namespace\/name/],
  ['forward --run r --cluster c --follow=yes --file x', /follow/],
  ['help --port 1', /help has no flag "--port"; it takes none/],
  ['--port abc', /--port must be a whole number from 0 to 65535, not "abc"/],
  ['--port 65536', /--port must be/],
  ['--config a.yaml', /demo has no flag "--config"/],
])('gpuql %s is not understood', (line, message) => {
  expect(() => commandOf(line.split(' '))).toThrow(message);
});
