import { performance } from 'node:perf_hooks';
import { type EmbeddedStore, startStore } from '../../src/embedded/store.ts';
import { Client, dataOf, graphql, type Sent } from './client.ts';
import { moment } from './document.ts';
import { faultyPlaces } from './flag-faults.ts';
import { flagFleet, matchOf, type Variant } from './flag-fleet.ts';
import { gpusPerNode } from './fleet.ts';
import { type BenchCluster, startGatewayProcess } from './gateway-process.ts';
import { peakRssMb, storePid } from './process-figures.ts';
import { startRecordingStore } from './recording-store.ts';
import { sideBySide } from './side-by-side.ts';
import { notMeasured, ratio, type Verdict, verdict } from './verdict.ts';

export interface FlagsSize {
  readonly nodes?: number;
  readonly hours?: number;
  /** A busy fleet's noise as a cluster of its own: a quarter more to load. */
  readonly strained?: boolean;
}

const rounds = 2;
/** What the store holds before the window, and what later windows take from its end. */
const apartS = 1200;
/** Measured: 8 GiB for 1,000 nodes and 24 hours, and what the store's queries take. */
const bytesANodeHour = 430_000;

const document = `
  query ($cluster: String!, $start: DateTime!, $end: DateTime!) {
    cluster(name: $cluster, window: { start: $start, end: $end }) {
      flags {
        clean checked hiddenFlags note
        flags {
          key kind severity node { name } gpu { index } from to minutes summary evidence { peakTempC }
        }
      }
    }
  }`;
/** Makes the gateway learn the cluster's metrics, which it does once for many operations, from a window apart. */
const first = `
  query ($cluster: String!, $start: DateTime!, $end: DateTime!) {
    cluster(name: $cluster, window: { start: $start, end: $end }) { nodes { totalCount } }
  }`;

interface FlagsData {
  readonly cluster: {
    readonly flags: {
      readonly clean: unknown;
      readonly checked: unknown;
      readonly hiddenFlags: unknown;
      readonly note: unknown;
      readonly flags: readonly {
        readonly kind: string;
        readonly node: { readonly name: string } | null;
        readonly gpu: { readonly index: number } | null;
      }[];
    };
  };
}

/** What one report made the gateway ask of its store. */
interface Report {
  readonly data: FlagsData;
  readonly requests: readonly Sent[];
  readonly atOnce: number;
  readonly bytes: number;
}

/**
 * A day's report of what is wrong in a cluster, against the very requests that the gateway sends for it.
 *
 * Every run is of a window that nobody has asked for, so that nothing is answered from what is still known.
 */
export async function flags({ nodes = 1000, hours = 24, strained = false }: FlagsSize = {}): Promise<Verdict[]> {
  const needed = nodes * hours * bytesANodeHour * (strained ? 1.25 : 1);
  if (process.availableMemory() < needed)
    return [notMeasured('flags', `the store needs ${GB(needed)} of memory; there is room with --nodes or --hours`)];
  const variants: Variant[] = ['healthy', 'faulty', 'half', ...(strained ? (['strained'] as const) : [])];
  const end = moment();
  const store = await startStore();
  try {
    await loadInto(store, { nodes, variants, end, spanS: hours * 3600 + apartS });
    const clusters = variants.map((name) => ({ name, match: matchOf(name) }));
    const variables = (cluster: Variant, round: number) => {
      const to = end - 30 * round;
      return { cluster, start: iso(to - hours * 3600), end: iso(to) };
    };
    const reports = new Map<Variant, Report>();
    await recorded(store.url, clusters, async (report) => {
      for (const one of variants) reports.set(one, await report(variables(one, 0), variables(one, apartS / 30 - 1)));
    });
    for (const [name, report] of reports) console.log(`    ${name.padEnd(9)}${inWords(report)}`);

    const gateway = await startGatewayProcess(store.url, clusters);
    const toGateway = new Client(gateway.url, 1);
    const verdicts: Verdict[] = [];
    try {
      const processes = { store: storePid(store.url), gateway: gateway.pid };
      for (const name of variants.filter((variant) => variant !== 'half')) {
        const { data, requests, atOnce } = reports.get(name)!;
        const toStore = new Client(store.url, atOnce);
        let round = 1;
        const run = async (): Promise<void> => {
          const again = await dataOf<FlagsData>(toGateway, graphql(document, variables(name, round++)));
          const [now, then] = [again, data].map(({ cluster }) => cluster.flags.flags.length);
          if (now !== then) throw new Error(`${name}: ${now} flags, and ${then} half a minute later`);
        };
        await toGateway.read(graphql(first, variables(name, apartS / 30 - 1)));
        const [ours, straight] = await sideBySide(
          [
            { name: `${name}: gateway`, run },
            { name: `${name}: its requests straight to the store`, run: () => allOf(toStore, requests) },
          ],
          { rounds, warmUps: 0, processes },
        );
        verdicts.push(ratio(`flags, ${name}: gateway / its own requests, unparsed`, ours!, straight!, { atMost: 1.3 }));
        verdicts.push(...(await figuresOf(name, reports.get(name)!, toStore)));
        await toStore.close();
      }
      const [whole, half] = (['healthy', 'half'] as const).map((name) => reports.get(name)!.requests.length);
      verdicts.push(
        verdict('flags: requests for all nodes less those for half of them', whole! - half!, whole! - half!, {
          atMost: 0,
          unit: 'more',
        }),
        found(nodes, reports),
      );
      console.log(`    peak RSS: gateway ${MB(peakRssMb(gateway.pid))}, store ${MB(peakRssMb(processes.store))}`);
    } finally {
      await toGateway.close();
      await gateway.stop();
    }
    return verdicts;
  } finally {
    await store.close();
  }
}

async function loadInto(store: EmbeddedStore, fleet: Parameters<typeof flagFleet>[0]): Promise<void> {
  const start = performance.now();
  let [series, samples] = [0, 0];
  const counted = function* () {
    for (const one of flagFleet(fleet)) {
      [series, samples] = [series + 1, samples + one.times.length];
      yield one;
    }
  };
  await store.load(counted());
  const took = Math.round((performance.now() - start) / 1000);
  const gpus = fleet.nodes * gpusPerNode;
  console.log(
    `  ${gpus} GPUs, ${series} series, ${millions(samples)} samples, loaded in ${took} s; the store's peak RSS ${MB(peakRssMb(storePid(store.url)))}`,
  );
}

/** A gateway whose requests are kept: of every report those that it takes from a gateway that knows the metrics alone. */
async function recorded(
  storeUrl: string,
  clusters: readonly BenchCluster[],
  act: (report: (variables: object, apart: object) => Promise<Report>) => Promise<void>,
): Promise<void> {
  const recording = await startRecordingStore(storeUrl);
  const gateway = await startGatewayProcess(recording.url, clusters);
  const client = new Client(gateway.url, 1);
  try {
    await act(async (variables, apart) => {
      await dataOf(client, graphql(first, apart));
      recording.take();
      const data = await dataOf<FlagsData>(client, graphql(document, variables));
      const { exchanges, atOnce } = recording.take();
      const bytes = exchanges.reduce((sum, exchange) => sum + exchange.bytes, 0);
      return { data, requests: exchanges.map(({ sent }) => sent), atOnce, bytes };
    });
  } finally {
    await client.close();
    await gateway.stop();
    await recording.close();
  }
}

const allOf = (store: Client, requests: readonly Sent[]): Promise<number[]> =>
  Promise.all(requests.map((request) => store.read(request)));

async function figuresOf(name: Variant, { requests, bytes }: Report, store: Client): Promise<Verdict[]> {
  const samples = await samplesTouched(store, requests);
  const kib = bytes / 1024;
  return [
    verdict(`flags, ${name}: moved from the store`, kib, kib, {
      unit: 'KiB',
      ...(name !== 'faulty' && { atMost: 2048 }),
    }),
    verdict(`flags, ${name}: samples touched in the store`, samples / 1e6, samples / 1e6, { unit: 'M' }),
    verdict(`flags, ${name}: requests`, requests.length, requests.length, { unit: '' }),
  ];
}

/** Samples that the store has read to answer, as it counts them itself. */
async function samplesTouched(store: Client, requests: readonly Sent[]): Promise<number> {
  let sum = 0;
  for (const { accepts: _, ...sent } of requests) {
    if (!sent.path.startsWith('/api/v1/query')) continue;
    const { data } = (await store.json({ ...sent, body: `${sent.body}&stats=all` })) as {
      data: { stats: { samples: { totalQueryableSamples: number } } };
    };
    sum += data.stats.samples.totalQueryableSamples;
  }
  return sum;
}

/** Of the faults that are there, those that a flag names. */
function found(nodes: number, reports: ReadonlyMap<Variant, Report>): Verdict {
  const { flags } = reports.get('faulty')!.data.cluster.flags;
  const flagged = new Set(flags.map(({ node, gpu }) => placed(node?.name, gpu?.index)));
  const faults = faultyPlaces(nodes).map(({ node, index }) => placed(node, index));
  const named = faults.filter((place) => flagged.has(place)).length;
  return verdict(`flags, faulty: faults named of ${faults.length}`, named, named, {
    atLeast: faults.length,
    unit: '',
  });
}

const placed = (node: string | undefined, index: number | null | undefined): string => `${node} ${index ?? 'host'}`;

function inWords({ data, requests, atOnce, bytes }: Report): string {
  const { clean, checked, hiddenFlags, note, flags } = data.cluster.flags;
  const kinds = [...Map.groupBy(flags, ({ kind }) => kind)].map(([kind, of]) => `${of.length} ${kind}`);
  const said = JSON.stringify({ clean, hiddenFlags, checked, note }).slice(0, 300);
  return `${requests.length} requests, at most ${atOnce} at once, ${Math.round(bytes / 1024)} KiB; ${kinds.join(', ') || 'no flag'}; ${said}`;
}

const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();
const millions = (count: number): string => `${(count / 1e6).toFixed(1)} M`;
const MB = (megabytes: number): string => `${Math.round(megabytes)} MB`;
const GB = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;
