import type { Check } from '../domain/fleet.ts';
import { gpuKey } from '../reads/by-gpu.ts';
import type { Episode } from '../reads/episodes.ts';
import type { ClusterView } from '../reads/view.ts';
import type { Event } from '../rules/facts.ts';
import { hotC, powerEvents, thermalEvents } from '../rules/throttle.ts';
import { readActivity } from './activity.ts';
import type { Allocation } from './allocation.ts';
import { type Answered, readAnswers } from './answers.ts';
import { readFaults } from './faults.ts';
import type { Found } from './found.ts';
import { readMemory, readTotals } from './memory.ts';
import { gaugeSources, readStreams } from './streams.ts';
import { type Subject, targetsOf } from './subject.ts';
import { reached, suspectsOf } from './suspects.ts';
import { readThrottled } from './throttling.ts';
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
}

function addTo<V>(map: Map<string, V>, more: ReadonlyMap<string, V>): void {
  for (const [key, value] of more) map.set(key, value);
}

const answersOf = async (...[view, subject, check, listens]: [...Parameters<typeof readAnswers>, boolean]) =>
  listens ? readAnswers(view, subject, check) : [];

/** How each check finds out: it adds to what was found, and returns what answered. */
export const readers: Readonly<Record<Check, (asking: Asking) => Promise<Answered[]>>> = {
  async THERMAL({ view, wide, gpus, episodes, listens, found, unexplained }) {
    const isAmd = view.cluster.vendor === 'AMD';
    const [answered, hot, throttled, recorded] = await Promise.all([
      answersOf(view, gpus, 'THERMAL', listens),
      gaugeSources(view, 'tempC').then((sources) => suspectsOf(wide, gpus, sources, reached(wide, hotC))),
      readThrottled(view, gpus, { timer: 'thermalS', events: thermalEvents }),
      isAmd ? episodes() : new Map<string, readonly Episode[]>(),
    ]);
    addTo(found.thermal, throttled.facts);
    addTo(unexplained, throttled.unexplained);
    const named = new Set([...hot, ...throttled.facts.keys()]);
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
    for (const [key, { stream }] of await readStreams(wide, 'tempC', targetsOf(named))) found.tempC.set(key, stream);
    return answered;
  },
  async POWER({ view, gpus, listens, found, unexplained }) {
    if (view.cluster.vendor === 'AMD') return [];
    const [answered, throttled] = await Promise.all([
      answersOf(view, gpus, 'POWER', listens),
      readThrottled(view, gpus, { timer: 'powerS', events: powerEvents }),
    ]);
    addTo(found.power, throttled.facts);
    addTo(unexplained, throttled.unexplained);
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
  async COMM({ view, gpus, listens, found }) {
    const [answered, faults] = await Promise.all([answersOf(view, gpus, 'COMM', listens), readFaults(view, gpus)]);
    addTo(found.faults, faults);
    return answered;
  },
  async HOST({ view, wide, hosts, listens, found }) {
    const [answered, waiting] = await Promise.all([answersOf(view, hosts, 'HOST', listens), readWaiting(wide, hosts)]);
    addTo(found.host, waiting);
    return answered;
  },
  async MEMORY({ view, wide, gpus, listens, found }) {
    const [answered, totals] = await Promise.all([answersOf(view, gpus, 'MEMORY', listens), readTotals(view, gpus)]);
    addTo(found.memory, await readMemory(wide, gpus, gpus.only(totals.untotalled)));
    return [...answered, ...totals.answered];
  },
};
