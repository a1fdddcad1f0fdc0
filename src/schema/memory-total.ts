import type { Part } from '../reads/gauge-plan.ts';
import { round6 } from '../samples/round.ts';
import type { GpuInWindow } from './refs.ts';

const newest: ReadonlySet<Part> = new Set(['last', 'lastAt']);

/**
 * The denominator of memory pressure, GiB. Stock exporter lists leave the total out, but print its parts, which add up
 * when they come from one scrape; older ones have no reserved part, which makes the total a little low.
 */
export async function memoryTotal({ node, entry }: GpuInWindow): Promise<number | null> {
  const key = { node: node.entry.name, index: entry.index, parts: newest };
  const { load } = node.of;
  const reported = await load.gauge('hbmTotalGib', key);
  if (reported) return reported.last!;
  const [used, free, reserved] = await Promise.all([
    load.gauge('hbmUsedGib', key),
    load.gauge('hbmFreeGib', key),
    load.gauge('hbmReservedGib', key),
  ]);
  if (!used || !free || used.lastAt !== free.lastAt) return null;
  return round6(used.last! + free.last! + (reserved?.lastAt === used.lastAt ? reserved!.last! : 0));
}
