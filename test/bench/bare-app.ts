/** The HTTP edge over a schema of one type that needs nothing: what is left is the edge itself. */
import { buildSchema } from 'graphql';
import { listen } from '../../src/commands/listen.ts';
import { createLog } from '../../src/commands/log.ts';
import { createApp } from '../../src/server/app.ts';

const schema = buildSchema(
  'type Query { clusters: [Cluster!] } type Cluster { name: String! island: String! gpuVendor: String! gpuModel: String }',
);
const clusters = [{ name: 'small', island: 'here', gpuVendor: 'NVIDIA', gpuModel: 'H100' }];
schema.getQueryType()!.getFields()['clusters']!.resolve = () => clusters;

const app = createApp<object>({
  schema,
  operation: () => ({}),
  warnings: () => [],
  ready: async () => true,
  log: createLog((line) => process.stderr.write(line), false),
});
const { url } = await listen(app, { host: '127.0.0.1', port: 0 });
console.log(`answers at ${url}/graphql`);
