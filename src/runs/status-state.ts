/** One leaf of a run's status as it is stored: its place, and what it is. */
export interface Leaf {
  /** RFC 6901; '' is the state itself. */
  readonly path: string;
  readonly type: string;
  readonly text: string;
  readonly number: number;
}

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** The state that these leaves are of: what has the members 0, 1, 2 … was a list. */
export function stateOf(leaves: readonly Leaf[]): Json {
  const root: Branch = new Map();
  for (const leaf of leaves) {
    const steps = ['', ...leaf.path.split('/').slice(1).map(unescaped)];
    let at = root;
    for (const step of steps.slice(0, -1)) {
      const below = at.get(step);
      const next: Branch = below instanceof Map ? below : new Map();
      at.set(step, next);
      at = next;
    }
    at.set(steps.at(-1)!, valueOf(leaf));
  }
  return built(root.get('') ?? new Map());
}

type Branch = Map<string, Branch | Leafless>;
/** A value, apart from what has members. */
interface Leafless {
  readonly value: Json;
}

function built(node: Branch | Leafless): Json {
  if (!(node instanceof Map)) return node.value;
  const isList = node.size > 0 && Array.from({ length: node.size }, (_, i) => String(i)).every((key) => node.has(key));
  if (isList) return Array.from({ length: node.size }, (_, i) => built(node.get(String(i))!));
  // No assignment: a member may be called __proto__.
  return Object.fromEntries([...node].map(([key, below]) => [key, built(below)]));
}

const unescaped = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');

function valueOf({ type, text, number }: Leaf): Leafless {
  if (type === 'number') return { value: number };
  if (type === 'boolean') return { value: text === 'true' };
  if (type === 'null') return { value: null };
  if (type === 'empty') return { value: text === '[]' ? [] : {} };
  return { value: text };
}
