import type {
  ActivityFacts,
  EpisodeFacts,
  GpuFacts,
  HostFacts,
  MemoryFacts,
  NodeFacts,
  ThrottleFacts,
} from '../rules/facts.ts';
import { gpuKey } from '../reads/by-gpu.ts';
import { empty, type Stream } from '../samples/stream.ts';
import type { Faults } from './faults.ts';

/** What the rules need of some nodes, by key: a `gpuKey`, or a node for hosts. What is not there could break no rule. */
export interface Found {
  readonly tempC: Map<string, Stream>;
  readonly thermal: Map<string, ThrottleFacts>;
  readonly power: Map<string, ThrottleFacts>;
  readonly faults: Map<string, Faults>;
  readonly activity: Map<string, ActivityFacts>;
  readonly memory: Map<string, MemoryFacts>;
  readonly host: Map<string, HostFacts>;
  readonly thermalEpisodes: Map<string, readonly EpisodeFacts[]>;
}

export const emptyFound = (): Found => ({
  tempC: new Map(),
  thermal: new Map(),
  power: new Map(),
  faults: new Map(),
  activity: new Map(),
  memory: new Map(),
  host: new Map(),
  thermalEpisodes: new Map(),
});

const unthrottled: ThrottleFacts = { rises: [], events: [] };

/** What was found of one node. */
export function nodeFacts(found: Found, node: string, indexes: Iterable<number>): NodeFacts {
  const gpus = [...indexes].map((index): [number, GpuFacts] => {
    const key = gpuKey(node, index);
    return [
      index,
      {
        tempC: found.tempC.get(key) ?? empty,
        thermal: found.thermal.get(key) ?? unthrottled,
        power: found.power.get(key) ?? unthrottled,
        counters: found.faults.get(key)?.counters ?? {},
        xids: found.faults.get(key)?.xids ?? [],
        activity: found.activity.get(key) ?? null,
        memory: found.memory.get(key) ?? null,
      },
    ];
  });
  return {
    gpus: new Map(gpus),
    host: found.host.get(node) ?? {},
    thermalEpisodes: found.thermalEpisodes.get(node) ?? [],
  };
}
