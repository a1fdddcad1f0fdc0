import { dataOf, graphql } from './client.ts';
import { fleetDocument, fleetVariables, moment, numbersIn } from './document.ts';
import { allFields, gpusPerNode } from './fleet.ts';
import { sideBySide } from './side-by-side.ts';
import { onStage } from './stage.ts';
import { upstreamRequests } from './upstream-requests.ts';
import { ratio, type Verdict } from './verdict.ts';

const nodes = 8;
const cluster = 'small';
const hours = [1, 6];

/** A page of a dashboard: 64 GPUs, six readings. What the gateway adds to the very requests that it sends. */
export async function small(): Promise<Verdict[]> {
  const end = moment();
  return onStage(
    { cluster, nodes, fields: allFields, end, spanS: 6.5 * 3600 },
    async ({ store, toStore, toGateway, processes }) => {
      const verdicts: Verdict[] = [];
      for (const hour of hours) {
        const document = fleetDocument();
        const variables = fleetVariables(cluster, { start: end - hour * 3600, end, points: 48 }, nodes);
        const sent = graphql(document, variables);
        const requests = await upstreamRequests(store.url, cluster, document, variables);
        const numbers = numbersIn(await dataOf(toGateway, sent), allFields);
        const bytes = await toGateway.read(sent);
        const upstream = await Promise.all(requests.map((request) => toStore.read(request)));
        const sum = upstream.reduce((all, each) => all + each, 0);
        console.log(
          `  ${nodes * gpusPerNode} GPUs, ${allFields.length} readings, ${hour} h: ${numbers} numbers in ${kB(bytes)}; upstream ${requests.length} requests, ${kB(sum)}`,
        );
        const [gateway, straight] = await sideBySide(
          [
            { name: 'gateway', run: () => toGateway.read(sent) },
            {
              name: 'its requests straight to the store',
              run: () => Promise.all(requests.map((request) => toStore.read(request))),
            },
          ],
          { rounds: 9, runs: 8, warmUps: 20, processes },
        );
        verdicts.push(
          ratio(`small, ${hour} h: gateway / its own requests, unparsed`, gateway!, straight!, { atMost: 1.3 }),
        );
      }
      return verdicts;
    },
  );
}

const kB = (bytes: number): string => `${Math.round(bytes / 1000)} kB`;
