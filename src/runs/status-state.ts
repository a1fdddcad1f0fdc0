/** One leaf of a run's status as it is stored: its place, and what it is. */
export interface Leaf {
  /** RFC 6901; '' is the state itself. */
  readonly path: string;
  readonly type: string;
  readonly text?: string | undefined;
  readonly value: number;
}

/**
 * The state that these leaves are of. What has the members 0, 1, 2 … was a list, unless a leaf at its own place says that it
 * is an object.
 */
export function stateOf(leaves: Iterable<Leaf>): unknown {
  const root: Branch = { below: new Map() };
  for (const leaf of leaves) {
    let at = root;
    for (const key of leaf.path.split('/').slice(1).map(unescaped)) {
      const next: Branch = at.below.get(key) ?? { below: new Map() };
      at.below.set(key, next);
      at = next;
    }
    at.leaf = leaf;
  }
  return valueOf(root);
}

interface Branch {
  leaf?: Leaf;
  readonly below: Map<string, Branch>;
}

function valueOf({ leaf, below }: Branch): unknown {
  if (below.size === 0) return leaf && plain(leaf);
  const isList =
    leaf?.text !== '{}' && Array.from({ length: below.size }, (_, i) => String(i)).every((i) => below.has(i));
  if (isList) return Array.from({ length: below.size }, (_, i) => valueOf(below.get(String(i))!));
  // Not by assignment: a member may be called __proto__.
  return Object.fromEntries([...below].map(([key, branch]) => [key, valueOf(branch)]));
}

const unescaped = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');

function plain({ type, text = '', value }: Leaf): unknown {
  if (type === 'number') return value;
  if (type === 'string') return text;
  if (type === 'boolean') return text === 'true';
  return type === 'null' ? null : text === '[]' ? [] : {};
}
