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
  ['help --port 1', /help has no flag "--port"; it takes none/],
  ['--port abc', /--port must be a whole number from 0 to 65535, not "abc"/],
  ['--port 65536', /--port must be/],
  ['--config a.yaml', /demo has no flag "--config"/],
])('gpuql %s is not understood', (line, message) => {
  expect(() => commandOf(line.split(' '))).toThrow(message);
});
