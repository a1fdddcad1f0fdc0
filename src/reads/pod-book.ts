import { nameKey, type Pod, podKey } from '../identity/kube-pods.ts';

/** The first and the last sample that shows something, epoch seconds. */
export interface Sighting {
  readonly first: number;
  readonly last: number;
}

/** What the store tells of one pod in a window. */
export class PodTold {
  /** Kubernetes' word for a phase → when the pod was seen in it: `Pending` and `Running` alone. */
  readonly phases = new Map<string, Sighting>();
  /** Kubernetes' name of a node, '' for none → when the pod was seen there, in whatever phase. */
  readonly nodes = new Map<string, Sighting>();
  /** `Succeeded`, `Failed` and `Unknown` → the end of the newest stretch that ended so. */
  readonly endings = new Map<string, number>();
  askedForGpus = false;

  see(among: Map<string, Sighting>, what: string, time: number): void {
    const held = among.get(what);
    among.set(what, { first: Math.min(held?.first ?? time, time), last: Math.max(held?.last ?? time, time) });
  }

  /** Anything at all is told of it. */
  get isKnown(): boolean {
    return this.phases.size + this.nodes.size + this.endings.size > 0;
  }
}

/** What the store tells of pods, each by its uid, or by its name where series tell none. */
export class PodBook {
  readonly #told = new Map<string, PodTold>();

  /** What is told under exactly this name or uid, to be added to. */
  of(pod: Pod): PodTold {
    const key = podKey(pod);
    const told = this.#told.get(key) ?? new PodTold();
    this.#told.set(key, told);
    return told;
  }

  /** Old versions of kube-state-metrics tell the uid in some metrics and not in others. */
  find(pod: Pod): PodTold {
    const own = this.#told.get(podKey(pod));
    const named = this.#told.get(nameKey(pod));
    if (!own || !named || own === named) return own ?? named ?? new PodTold();
    const both = new PodTold();
    for (const { phases, nodes, endings, askedForGpus } of [named, own]) {
      for (const [phase, { first, last }] of phases)
        for (const time of [first, last]) both.see(both.phases, phase, time);
      for (const [node, { first, last }] of nodes) for (const time of [first, last]) both.see(both.nodes, node, time);
      for (const [phase, time] of endings) both.endings.set(phase, time);
      both.askedForGpus ||= askedForGpus;
    }
    return both;
  }
}
