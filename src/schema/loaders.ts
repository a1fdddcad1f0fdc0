import type DataLoader from 'dataloader';
import type { NodeState } from '../domain/fleet.ts';
import type { GpuCounter, GpuEvents } from '../readings/gpu-counters.ts';
import type { GpuGauge } from '../readings/gpu-gauges.ts';
import type { HostReadingName } from '../readings/host.ts';
import { gpuKey } from '../reads/by-gpu.ts';
import { readCounter } from '../reads/counters.ts';
import { type Coverage, readCoverage } from '../reads/coverage.ts';
import { type Device, readDevices } from '../reads/devices.ts';
import { type Episode, readEpisodes } from '../reads/episodes.ts';
import type { GpuEventLog } from '../reads/event-log.ts';
import { readEvents } from '../reads/events.ts';
import type { Part } from '../reads/gauge-plan.ts';
import { readGauge } from '../reads/gauges.ts';
import { readHostCounter } from '../reads/host-counters.ts';
import { readHost } from '../reads/hosts.ts';
import { readNodeStates } from '../reads/node-state.ts';
import type { SeriesData } from '../reads/series-data.ts';
import { readGpuPresence } from '../reads/gpu-presence.ts';
import { readHostPresence } from '../reads/host-presence.ts';
import type { Presence } from '../reads/silence.ts';
import type { Targets } from '../reads/targets.ts';
import type { ClusterView } from '../reads/view.ts';
import { type AnswerFor, batched, type Rhythm, type WholeRhythm } from './batch.ts';
import { FlagLoaders } from './flag-loaders.ts';
import { RunLoaders } from './run-loaders.ts';
import { WorkloadLoaders } from './workload-loaders.ts';

/** A GPU, and for a series what is selected of it. */
export interface GpuKey {
  readonly node: string;
  readonly index: number;
  readonly parts?: ReadonlySet<Part>;
}
export interface HostKey {
  readonly node: string;
  readonly parts?: ReadonlySet<Part>;
}

/**
 * One view's readings, each fetched for all of its GPUs or nodes that a document asks about at once.
 */
export class Loaders {
  readonly workloads: WorkloadLoaders;
  readonly flags: FlagLoaders;
  readonly runs: RunLoaders;
  readonly #view: ClusterView;
  readonly #rhythm: Rhythm;
  readonly #held = new Map<string, DataLoader<never, unknown, string>>();
  #states: Promise<ReadonlyMap<string, NodeState>> | undefined;
  #episodes: Promise<ReadonlyMap<string, readonly Episode[]>> | undefined;

  /** @param settled  what batches of readings wait for: everything that tells which nodes and GPUs they are about */
  constructor(view: ClusterView, operation: WholeRhythm, settled: Rhythm['structure']) {
    this.workloads = new WorkloadLoaders(view, operation);
    this.flags = new FlagLoaders(view, operation, () => this.episodes());
    this.#view = view;
    this.#rhythm = { structure: settled, readings: operation.readings };
    this.runs = new RunLoaders(view, operation, this.#rhythm);
  }

  /** Rejects where the store did not answer for a part that this key wants; other keys keep what they have. */
  gauge(name: GpuGauge, key: GpuKey): Promise<SeriesData | null> {
    return this.#load(`gauge ${name}`, key, gpuId, async (keys) => {
      const answers = await readGauge(this.#view, name, allParts(keys), targetsOf(keys));
      return (each) => {
        const answer = answers.get(gpuId(each));
        for (const part of each.parts ?? []) if (answer?.failed.has(part)) return answer.failed.get(part)!;
        return answer?.data ?? null;
      };
    });
  }

  counter(name: GpuCounter, key: GpuKey): Promise<number | null> {
    return this.#gpu(`counter ${name}`, key, (gpus) => readCounter(this.#view, name, gpus));
  }

  events(name: GpuEvents, key: GpuKey): Promise<GpuEventLog | null> {
    return this.#gpu(`events ${name}`, key, (gpus) => readEvents(this.#view, name, gpus));
  }

  gpuPresence(key: GpuKey): Promise<Presence | null> {
    return this.#gpu('presence', key, (gpus) => readGpuPresence(this.#view, gpus));
  }

  device(key: GpuKey): Promise<Device | null> {
    return this.#gpu('device', key, (gpus) => readDevices(this.#view, gpus));
  }

  host(name: HostReadingName, key: HostKey): Promise<SeriesData | null> {
    return this.#node(`host ${name}`, key, (nodes, parts) => readHost(this.#view, name, parts, nodes));
  }

  hostCounter(name: HostReadingName, key: HostKey): Promise<number | null> {
    return this.#node(`host counter ${name}`, key, (nodes) => readHostCounter(this.#view, name, nodes));
  }

  hostPresence(key: HostKey): Promise<Presence | null> {
    return this.#node('host presence', key, (nodes) => readHostPresence(this.#view, nodes));
  }

  coverage(key: HostKey): Promise<Coverage | null> {
    return this.#node('coverage', key, (nodes) => readCoverage(this.#view, nodes));
  }

  states(): Promise<ReadonlyMap<string, NodeState>> {
    this.#states ??= this.#rhythm.readings.track(readNodeStates(this.#view));
    return this.#states;
  }

  episodes(): Promise<ReadonlyMap<string, readonly Episode[]>> {
    this.#episodes ??= this.#rhythm.readings.track(readEpisodes(this.#view));
    return this.#episodes;
  }

  #gpu<V>(name: string, key: GpuKey, read: (gpus: Targets) => Promise<ReadonlyMap<string, V | Error>>) {
    return this.#load<GpuKey, V>(name, key, gpuId, async (keys) => {
      const answers = await read(targetsOf(keys));
      return (each) => answers.get(gpuId(each)) ?? null;
    });
  }

  #node<V>(
    name: string,
    key: HostKey,
    read: (nodes: ReadonlySet<string>, parts: ReadonlySet<Part>) => Promise<ReadonlyMap<string, V>>,
  ) {
    return this.#load<HostKey, V>(name, key, nodeId, async (keys) => {
      const answers = await read(new Set(keys.map(nodeId)), allParts(keys));
      return (each) => answers.get(each.node) ?? null;
    });
  }

  #load<K extends HostKey, V>(
    name: string,
    key: K,
    idOf: (key: K) => string,
    read: (keys: readonly K[]) => Promise<AnswerFor<K, V>>,
  ): Promise<V | null> {
    const held = this.#held.get(name) as DataLoader<K, V | null, string> | undefined;
    if (held) return held.load(key);
    const made = batched<K, V>(this.#rhythm, name, (each) => `${idOf(each)} ${wordOf(each.parts)}`, read);
    this.#held.set(name, made as unknown as DataLoader<never, unknown, string>);
    return made.load(key);
  }
}

const gpuId = ({ node, index }: GpuKey): string => gpuKey(node, index);
const nodeId = ({ node }: HostKey): string => node;

function targetsOf(keys: readonly GpuKey[]): Targets {
  const gpus = Map.groupBy(keys, nodeId);
  return new Map([...gpus].map(([node, own]) => [node, new Set(own.map(({ index }) => index))]));
}

const words = new WeakMap<ReadonlySet<Part>, string>();

/** One field of a document asks for thousands of GPUs with the very same set. */
function wordOf(parts: ReadonlySet<Part> | undefined): string {
  if (!parts) return '';
  const known = words.get(parts);
  if (known !== undefined) return known;
  const word = [...parts].sort().join(' ');
  words.set(parts, word);
  return word;
}

const allParts = (keys: readonly HostKey[]): ReadonlySet<Part> =>
  new Set([...new Set(keys.map(({ parts }) => parts))].flatMap((parts) => [...(parts ?? [])]));
