import { Client, graphql, rangeQuery } from './client.ts';
import { fleetDocument, fleetVariables, moment } from './document.ts';
import { allFields, gpusPerNode, nodeName, readings } from './fleet.ts';
import { sideBySide } from './side-by-side.ts';
import { onStage } from './stage.ts';
import { ratio, type Verdict } from './verdict.ts';

const nodes = 8;
const cluster = 'small';
const atOnce = 64;

/** What a resolver without batching does: a request for each GPU and reading. */
export async function oneByOne(): Promise<Verdict[]> {
  const end = moment();
  const window = { start: end - 3600, end, points: 48 };
  return onStage(
    { cluster, nodes, fields: allFields, end, spanS: 2 * 3600 },
    async ({ store, toGateway, processes }) => {
      const sent = graphql(fleetDocument(), fleetVariables(cluster, window, nodes));
      const each = Array.from({ length: nodes * gpusPerNode }, (_, i) =>
        allFields.map((field) => {
          const labels = `cluster="${cluster}",Hostname="${nodeName(1 + Math.floor(i / gpusPerNode))}",gpu="${i % gpusPerNode}"`;
          return rangeQuery(`avg_over_time(${readings[field].metric}{${labels}}[89999ms])`, { ...window, stepS: 90 });
        }),
      ).flat();
      const client = new Client(store.url, atOnce);
      try {
        console.log(`  ${each.length} requests, ${atOnce} at a time`);
        const [gateway, single] = await sideBySide(
          [
            { name: 'gateway', run: () => toGateway.read(sent) },
            { name: 'a request for each GPU and reading', run: () => Promise.all(each.map((one) => client.json(one))) },
          ],
          { rounds: 9, runs: 3, warmUps: 5, processes },
        );
        return [ratio('one by one: a request each / gateway', single!, gateway!, { atLeast: 10 })];
      } finally {
        await client.close();
      }
    },
  );
}
