import type { Check } from '../domain/fleet.ts';
import { gpuKey } from '../reads/by-gpu.ts';
import type { Episode } from '../reads/episodes.ts';
import type { GpuEventLog } from '../reads/event-log.ts';
import type { ClusterView } from '../reads/view.ts';
import type { Event } from '../rules/facts.ts';
import { hotC, powerEvents, thermalEvents } from '../rules/throttle.ts';
import { readActivity } from './activity.ts';
import type { Allocation } from './allocation.ts';
import { type Answered, readAnswers, unsteady } from './answers.ts';
import { unexplainedIn } from './clock-events.ts';
import { readFaults } from './faults.ts';
import type { Found } from './found.ts';
import { readMemory, readTotals } from './memory.ts';
import { gaugeSources, readStreams } from './streams.ts';
import { type Subject, targetsOf } from './subject.ts';
import { readRisen } from './risen.ts';
import { reached, suspectsOf, throttledFor } from './suspects.ts';
import { toRead } from './suspects-to-read.ts';
import { readWaiting } from './waiting.ts';

/** What one check adds to the evidence. */
export interface Asking {
  readonly view: ClusterView;
  /** The same, reaching as far beyond the window as a hold needs to be seen as one. */
  readonly wide: ClusterView;
  readonly gpus: Subject;
  readonly hosts: Subject;
  readonly allocation: Allocation;
  readonly episodes: () => Promise<ReadonlyMap<string, readonly Episode[]>>;
  /** Whether to find out who answered. */
  readonly listens: boolean;
  readonly found: Found;
  readonly unexplained: Map<string, readonly Event[]>;
  readonly untold: Set<string>;
  /** Clock events of all the kinds that any of the checks looks for. */
  readonly clockEvents: () => Promise<ReadonlyMap<string, GpuEventLog>>;
}

function addTo<V>(map: Map<string, V>, more: ReadonlyMap<string, V>): void {
  for (const [key, value] of more) map.set(key, value);
}

const answersOf = async ({ view, gpus, hosts, listens }: Asking, check: Check): Promise<Answered[]> =>
  listens ? readAnswers(view, check === 'HOST' ? hosts : gpus, check) : [];

/** What held back GPUs for one cause: its timer, and the clock events that tell of it. */
async function addThrottled(
  asking: Asking,
  answered: Promise<readonly Answered[]>,
  { timer, kinds, into }: { timer: 'thermalS' | 'powerS'; kinds: ReadonlySet<string>; into: Found['thermal'] },
): Promise<void> {
  const { view, gpus, unexplained } = asking;
  const pct = view.site.minThrottledPct;
  const tangled = async () => unsteady(gpus, await answered);
  const [rises, logs] = await Promise.all([
    readRisen(view, gpus, timer, tangled, pct > 0 ? throttledFor(view, pct) : undefined),
    asking.clockEvents(),
  ]);
  for (const key of new Set([...rises.keys(), ...logs.keys()])) {
    const all = logs.get(key)?.events ?? [];
    const events = all.filter(({ kind }) => kinds.has(kind));
    if (rises.has(key) || events.length > 0) into.set(key, { rises: rises.get(key) ?? [], events });
    const vague = unexplainedIn(all);
    if (vague.length > 0) unexplained.set(key, vague);
  }
}

/** How each check finds out: it adds to what was found, and returns what answered. */
export const readers: Readonly<Record<Check, (asking: Asking) => Promise<Answered[]>>> = {
  async THERMAL(asking) {
    const { view, wide, gpus, episodes, found } = asking;
    const answers = answersOf(asking, 'THERMAL');
    const [answered, hot, recorded] = await Promise.all([
      answers,
      gaugeSources(view, 'tempC').then((sources) => suspectsOf(wide, gpus, sources, reached(wide, hotC))),
      view.cluster.vendor === 'AMD' ? episodes() : new Map<string, readonly Episode[]>(),
      addThrottled(asking, answers, { timer: 'thermalS', kinds: thermalEvents, into: found.thermal }),
    ]);
    const named = new Set([...hot, ...found.thermal.keys()]);
    for (const [node, all] of recorded) {
      const thermal = all.filter(({ check }) => check === 'THERMAL');
      const known = new Set(gpus.inventory.byName.get(node)?.gpus.keys());
      const facts = thermal.map(({ gpu, started, ended }) => ({
        gpu: gpu !== null && known.has(gpu) ? gpu : null,
        from: started,
        to: ended ?? view.newest,
      }));
      found.thermalEpisodes.set(node, facts);
      for (const { gpu } of facts) if (gpu !== null) named.add(gpuKey(node, gpu));
    }
    for (const [key, { stream }] of await readStreams(wide, 'tempC', toRead(wide, named, 'heat')))
      found.tempC.set(key, stream);
    return answered;
  },
  async POWER(asking) {
    if (asking.view.cluster.vendor === 'AMD') return [];
    const answers = answersOf(asking, 'POWER');
    const power = addThrottled(asking, answers, { timer: 'powerS', kinds: powerEvents, into: asking.found.power });
    const [answered] = await Promise.all([answers, power]);
    return answered;
  },
  async UTILIZATION({ view, wide, gpus, allocation, found, untold }) {
    // Which reading a GPU is judged by depends on what it answered.
    const [answered, tensor, unknown] = await Promise.all([
      readAnswers(view, gpus, 'UTILIZATION'),
      readActivity(view, wide, gpus, 'TENSOR_ACTIVE', allocation),
      allocation.unknown(new Set(targetsOf(gpus.keys).keys())),
    ]);
    const rest = gpus.only(
      [...answered[0]!.heard].flatMap(([key, { family }]) => (family === 'GPU_UTIL' ? [key] : [])),
    );
    addTo(found.activity, tensor);
    if (rest.keys.length > 0) addTo(found.activity, await readActivity(view, wide, rest, 'GPU_UTIL', allocation));
    for (const node of unknown) untold.add(node);
    return answered;
  },
  async COMM(asking) {
    const answers = answersOf(asking, 'COMM');
    const tangled = async () => unsteady(asking.gpus, await answers);
    const [answered, faults] = await Promise.all([answers, readFaults(asking.view, asking.gpus, tangled)]);
    addTo(asking.found.faults, faults);
    return answered;
  },
  async HOST(asking) {
    const [answered, waiting] = await Promise.all([answersOf(asking, 'HOST'), readWaiting(asking.wide, asking.hosts)]);
    addTo(asking.found.host, waiting);
    return answered;
  },
  async MEMORY(asking) {
    const { view, wide, gpus, found } = asking;
    const [answered, totals] = await Promise.all([answersOf(asking, 'MEMORY'), readTotals(view, gpus)]);
    const boards = { all: gpus, untotalled: gpus.only(totals.untotalled), unsteady: unsteady(gpus, answered) };
    addTo(found.memory, await readMemory(wide, boards));
    return [...answered, ...totals.answered];
  },
};
