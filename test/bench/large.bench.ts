import { dataOf, graphql, rangeQuery } from './client.ts';
import { fleetDocument, fleetVariables, moment, numbersIn } from './document.ts';
import { type Field, gpusPerNode, readings } from './fleet.ts';
import { peakRssMb } from './process-figures.ts';
import { least, median, sideBySide } from './side-by-side.ts';
import { onStage } from './stage.ts';
import { ratio, type Verdict, verdict } from './verdict.ts';

const nodes = 1000;
const cluster = 'large';
const fields: readonly Field[] = ['tempC', 'powerW', 'utilPct'];
const points = 48;
// Buckets are whole multiples of 30 s, so 48 of them take 72 minutes.
const stepS = 90;
const spanS = points * stepS;

/** The largest page: 8,000 GPUs, three readings, 1.15 million values, against a program that does it by hand. */
export async function large(): Promise<Verdict[]> {
  const end = moment();
  const window = { start: end - spanS, end, points };
  return onStage(
    { cluster, nodes, fields, end, spanS: spanS + 600 },
    async ({ gateway: process, toStore, toGateway, processes }) => {
      const sent = graphql(fleetDocument(fields), fleetVariables(cluster, window, nodes));
      const byHand = fields.map((field) =>
        rangeQuery(`avg_over_time(${readings[field].metric}{cluster="${cluster}"}[${stepS * 1000 - 1}ms])`, {
          ...window,
          stepS,
        }),
      );
      const numbers = numbersIn(await dataOf(toGateway, sent), fields);
      const bytes = await toGateway.read(sent);
      const bytesByHand = (await Promise.all(byHand.map((each) => toStore.read(each)))).reduce(
        (all, each) => all + each,
        0,
      );
      console.log(
        `  ${nodes * gpusPerNode} GPUs, ${fields.length} readings: ${numbers} numbers in ${MB(bytes)}; by hand ${MB(bytesByHand)}`,
      );
      await process.longestBlockMs();
      const blocks: number[] = [];
      const [gateway, program, unparsed] = await sideBySide(
        [
          {
            name: 'gateway',
            run: async () => {
              await toGateway.read(sent);
              blocks.push(await process.longestBlockMs());
            },
          },
          {
            name: 'three range queries by hand, parsed',
            run: () => Promise.all(byHand.map((each) => toStore.json(each))),
          },
          { name: 'the same, unparsed', run: () => Promise.all(byHand.map((each) => toStore.read(each))) },
        ],
        { rounds: 7, processes },
      );
      const peak = peakRssMb(process.pid);
      console.log(
        `    longest blocks, ms: ${blocks.map((ms) => Math.round(ms)).join(' ')}; peak RSS ${Math.round(peak)} MB`,
      );
      return [
        ratio('large: gateway / three queries by hand, parsed', gateway!, program!, { atMost: 1 }),
        ratio('large: gateway / the same, unparsed', gateway!, unparsed!, {}),
        verdict('large: peak RSS of the gateway', peak, peak, { atMost: 500, unit: 'MB' }),
        verdict('large: longest event-loop block of a request', median(blocks), least(blocks), {
          atMost: 250,
          unit: 'ms',
        }),
      ];
    },
  );
}

const MB = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
