import type { ReadArguments } from './arguments.ts';
import { workloadKinds, type KindName } from './names.ts';
import { refuse } from './refusal.ts';

export type Target =
  | { readonly node: string }
  | { readonly kind: (typeof workloadKinds)[KindName]; readonly name: string; readonly namespace: string };

/** @throws ToolRefusal bad-request: an action without its target, or with two */
export function targetOf({ action, node, kind, name, namespace = 'default' }: ReadArguments): Target {
  const isPair = kind !== undefined && name !== undefined;
  const isWorkload = action === 'workload' || (action === 'flags' && (kind !== undefined || name !== undefined));
  if (action === 'flags' && isWorkload && node !== undefined) {
    throw refuse('BAD_REQUEST', 'action=flags takes either node or the pair kind and name, not both.');
  }
  if (isWorkload) {
    if (!isPair) throw refuse('BAD_REQUEST', `action=${action} on a workload needs both kind and name.`);
    return { kind: workloadKinds[kind], name, namespace };
  }
  if (node !== undefined) return { node };
  const needs = action === 'flags' ? 'node, or the pair kind and name' : 'node';
  throw refuse('BAD_REQUEST', `action=${action} needs ${needs}.`);
}
