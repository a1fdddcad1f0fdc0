import { requestFor } from '../../src/prometheus/request.ts';
import { startGateway } from '../support/gateway.ts';
import type { Sent } from './client.ts';
import { configFor } from './gateway-process.ts';

/** The requests that the gateway sends to its store for a document, once it knows the cluster's metrics. */
export async function upstreamRequests(
  storeUrl: string,
  cluster: string,
  document: string,
  variables: object,
): Promise<Sent[]> {
  const gateway = await startGateway({ config: configFor(storeUrl, [cluster]) });
  try {
    await gateway.query(document, variables);
    const known = gateway.requests().length;
    await gateway.query(document, variables);
    return gateway
      .requests()
      .slice(known)
      .map((question) => {
        const { method, path, form } = requestFor(question, 20);
        const type = 'application/x-www-form-urlencoded' as const;
        return method === 'GET' ? { method, path: `${path}?${form}`, type, body: '' } : { path, type, body: form };
      });
  } finally {
    await gateway.close();
  }
}
