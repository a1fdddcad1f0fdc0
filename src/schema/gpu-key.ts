import type { GpuInWindow } from './refs.ts';

/** The key of a GPU in its view's loaders. */
export const keyOf = ({ node, entry }: GpuInWindow) => ({ node: node.entry.name, index: entry.index });
