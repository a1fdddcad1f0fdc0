import type { Family } from '../domain/fleet.ts';
import type { Answered } from '../evidence/answers.ts';
import type { Heard } from '../evidence/heard.ts';
import { gpuKey } from '../reads/by-gpu.ts';
import type { Span } from '../rules/span.ts';
import type { Gap } from '../samples/silence.ts';
import type { JudgedNode } from './refs.ts';

/** One GPU (or the host, with a null index) of which a checked family did not answer all the time that is judged. */
export interface Silence {
  readonly node: string;
  readonly gpu: number | null;
  readonly families: readonly Family[];
  readonly present: boolean;
  /** Null where it is not known when. */
  readonly gaps: readonly Gap[] | null;
}

/** Everything that did not answer of what is judged, for one need after the other. */
export function silencesOf(nodes: readonly JudgedNode[]): Silence[] {
  return nodes.flatMap((node) => node.evidence.answered.flatMap((answered) => ofNode(node, answered)));
}

/** Nodes whose GPUs were used, and of which none was ever seen. */
export const unseenNodes = (nodes: readonly JudgedNode[]): string[] =>
  nodes
    .filter(({ node, expectsGpus, spans, evidence }) => {
      const asksGpus = evidence.answered.some(({ of }) => of === 'gpu');
      return expectsGpus && asksGpus && spans.length > 0 && node.entry.gpus.size === 0;
    })
    .map(({ node }) => node.entry.name);

function ofNode({ node, spans }: JudgedNode, { heard, need, of }: Answered): Silence[] {
  const { name, gpus } = node.entry;
  const subjects =
    of === 'host' ? [{ gpu: null, key: name }] : [...gpus.keys()].map((gpu) => ({ gpu, key: gpuKey(name, gpu) }));
  return subjects.flatMap(({ gpu, key }): Silence[] => {
    const own = heard.get(key);
    if (spans.length === 0 || wasHeard(own, spans)) return [];
    return [{ node: name, gpu, families: need.families, present: own?.present ?? false, gaps: gapsWithin(own, spans) }];
  });
}

/** Whether something of it was heard all the time that is judged. */
export const wasHeard = (heard: Heard | undefined, spans: readonly Span[]): boolean =>
  heard !== undefined && (heard.whole || (heard.present && gapsWithin(heard, spans)?.length === 0));

/** The silences that meet the time that is judged. */
function gapsWithin(heard: Heard | undefined, spans: readonly Span[]): Gap[] | null {
  if (!heard || heard.silent === null) return null;
  return heard.silent.filter((gap) => spans.some(({ from, to }) => gap.from < to && gap.to > from));
}
