import type { Placement } from '../reads/placement.ts';
import { aboutNodes, joined, shortened } from './note.ts';
import type { Operation } from './operation.ts';
import type { NodeInWindow, WorkloadInWindow } from './refs.ts';

/** What there is to say about a workload and its nodes; null where there is nothing. */
export async function noteOfWorkload(
  { of, placement }: WorkloadInWindow,
  nodes: readonly NodeInWindow[],
  operation: Operation,
): Promise<string | null> {
  const about = aboutPlacement(await placement());
  return joined([...about, ...(nodes.length > 0 ? await aboutNodes(of, nodes, operation) : [])]);
}

function aboutPlacement({ source, placed, waiting }: Placement): string[] {
  return [
    ...(source === 'CURRENT_PODS'
      ? [
          'The store holds nothing of its pods in the window: the placement is that of the pods that exist now, and others may have been there.',
        ]
      : []),
    ...shortened(waiting.map(({ name }) => `Pod ${name} waited and never got a node.`)),
    ...(placed.length + waiting.length === 0
      ? ['None of its pods waited or ran in the window: all had finished before.']
      : []),
  ];
}
