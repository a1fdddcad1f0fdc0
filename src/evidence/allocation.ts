import { gpuSeriesOf } from '../identity/gpu-series.ts';
import { readSeenPods } from '../reads/pods-seen.ts';
import { readNodesWithPods, readRunning } from '../reads/running.ts';
import type { ClusterView } from '../reads/view.ts';
import type { Held } from '../rules/facts.ts';
import { promql, select, since } from '../scope/scope.ts';
import { gpusOf } from './subject.ts';

/** Who had the GPUs of a cluster, and when. Nothing is asked before somebody wants to know. */
export class Allocation {
  readonly #view: ClusterView;
  readonly #wide: ClusterView;

  /** @param wide  the same, reaching beyond the window */
  constructor(view: ClusterView, wide: ClusterView) {
    this.#view = view;
    this.#wide = wide;
  }

  /** Nodes whose GPU series name the pod that has the GPU, in the window. One request, where they ever did. */
  async labelled(nodes: Iterable<string>): Promise<ReadonlySet<string>> {
    const once = await this.#everLabelled(nodes);
    if (once.size === 0) return once;
    const { byName, heartbeat, gpuOf } = await this.#view.inventory();
    const targets = new Map([...once].map((node) => [node, new Set(byName.get(node)!.gpus.keys())]));
    const subject = await gpusOf(this.#view, targets);
    const { window, cluster } = this.#view;
    const answers = (heartbeat?.sources ?? []).flatMap(({ metric, match }) =>
      subject.matchers(metric).map((own) => {
        const selector = select(cluster, metric, [...(match ?? []), ...own]);
        const query = promql`last_over_time(${selector}[${since(window.end - window.start)}])`;
        return this.#view.rows('pods on GPUs', { kind: 'instant', query, time: window.end });
      }),
    );
    const named = (await Promise.all(answers)).flat().filter(({ labels }) => gpuSeriesOf(labels, cluster.vendor)?.pod);
    return new Set(named.flatMap(({ labels }) => gpuOf(labels)?.node ?? []));
  }

  /** The same in the window or in the day before it, which asks for nothing. */
  async #everLabelled(nodes: Iterable<string>): Promise<ReadonlySet<string>> {
    const { byName } = await this.#view.inventory();
    const isLabelled = (node: string) => [...(byName.get(node)?.gpus.values() ?? [])].some(({ pods }) => pods.size > 0);
    return new Set([...nodes].filter(isLabelled));
  }

  /** Nodes of which nobody tells what ran there. One request, or none where labels tell. */
  async unknown(nodes: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    const labelled = await this.#everLabelled(nodes);
    const others = [...nodes].filter((node) => !labelled.has(node));
    if (others.length === 0) return new Set();
    const known = await readNodesWithPods(this.#view);
    return new Set(others.filter((node) => !known.has(node)));
  }

  /**
   * While pods ran on nodes that may have used a GPU: those that asked for one; where no pod of the cluster did, all that
   * no DaemonSet made.
   */
  async running(nodes: ReadonlySet<string>): Promise<ReadonlyMap<string, readonly Held[]>> {
    const [running, pods] = await Promise.all([readRunning(this.#wide, nodes), readSeenPods(this.#wide)]);
    const isTold = pods.some(({ askedForGpus }) => askedForGpus);
    return new Map(
      [...running].map(([node, own]) => [
        node,
        own.filter(({ askedForGpus, fromDaemonSet }) => (isTold ? askedForGpus : !fromDaemonSet)),
      ]),
    );
  }
}
