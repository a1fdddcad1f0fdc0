import { print } from 'graphql';
import { ClientError, GraphQLClient } from 'graphql-request';
import { patientFetch } from '../patient-fetch.ts';
import { HotGpus } from '../urql/documents.ts';
import type { HotGpusQuery, HotGpusQueryVariables } from '../urql/generated/graphql.ts';

const { GPUQL_URL: url = 'http://127.0.0.1:4000/graphql', GPUQL_TOKEN: token } = process.env;
const client = new GraphQLClient(url, {
  fetch: patientFetch(),
  headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  // Without it an error at one field would throw away what its neighbours answered.
  errorPolicy: 'all',
});

async function hotGpus(variables: HotGpusQueryVariables): Promise<HotGpusQuery | undefined> {
  try {
    const { data, errors, extensions } = await client.rawRequest<HotGpusQuery>(print(HotGpus), variables);
    for (const { message, path, extensions } of errors ?? []) {
      console.error(`${String(extensions['code'])} at ${String(path?.join('.'))}: ${message}`);
    }
    for (const cluster of (extensions as { warnings?: string[] } | undefined)?.warnings ?? []) {
      console.error(`The store of ${cluster} left something out.`);
    }
    return data;
  } catch (error) {
    // Where nothing at all was answered the HTTP status is the refusal's, and this client throws.
    if (!(error instanceof ClientError)) throw error;
    for (const { extensions } of error.response.errors ?? []) console.log(`refused: ${String(extensions['code'])}`);
    return undefined;
  }
}

const asked: HotGpusQueryVariables = {
  cluster: 'aurora-prod',
  node: 'aurora-prod-n2',
  window: { range: 'LAST_6H' },
};
const data = await hotGpus(asked);
for (const { index, peakTempC } of data?.cluster?.node?.gpus ?? []) {
  console.log(`GPU ${index}: ${peakTempC === null ? 'no reading' : `at most ${peakTempC} °C`}`);
}
await hotGpus({ ...asked, cluster: 'nowhere' });
