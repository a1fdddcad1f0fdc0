/** A store of one GPU that answers at once, whatever it is asked. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dcgmLabels } from '../support/fleet/dcgm.ts';
import { nodeName, readings } from './fleet.ts';

const { metric } = readings.tempC;
const labels = { __name__: metric, cluster: 'small', ...dcgmLabels({ node: nodeName(1) }) };

const dataFor = (path: string, form: URLSearchParams): unknown => {
  if (path.startsWith('/api/v1/label/')) return [metric];
  if (path === '/api/v1/series') return [labels];
  const time = Math.floor(Number(form.get('time') ?? form.get('end')));
  const values = [2, 1, 0].map((back) => [time - 30 * back, String(60 + back)]);
  return { resultType: 'matrix', result: [{ metric: labels, values }] };
};

const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const data = dataFor(request.url!, new URLSearchParams(body));
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ status: 'success', data }));
});
server.listen(0, '127.0.0.1', () =>
  console.log(`answers at http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
