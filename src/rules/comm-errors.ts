import { total } from '../samples/increase.ts';
import { faultCounters, type GpuFacts } from './facts.ts';
import { clippedAt, type Finding, type Judged, stretches } from './finding.ts';
import { overlap, type Span } from './span.ts';
import { eventsIn, risesIn } from './throttle.ts';

/** A fabric link or PCIe error counter rose, an uncorrectable memory error or a GPU fault landed; serious for the last two. */
export function commErrors(
  gpu: number,
  { counters, xids }: Pick<GpuFacts, 'counters' | 'xids'>,
  judged: Judged,
): Finding[] {
  const rose = faultCounters.map((name) => ({ name, rises: risesIn(counters[name] ?? [], judged) }));
  const faults = eventsIn(xids, judged);
  return stretches([...rose.flatMap(({ rises }) => rises), ...faults], judged).map((span) => {
    const inside = <T extends Span>(pieces: readonly T[]) => pieces.filter((piece) => overlap(piece, span));
    const counts = rose
      .map(({ name, rises }) => [name, Math.round(total(inside(rises)))] as const)
      .filter(([, count]) => count > 0);
    const landed = inside(faults);
    const codes = [...new Set(landed.map(({ kind }) => Number(kind)))].filter(isCode).sort((a, b) => a - b);
    return {
      ...span,
      kind: 'COMM_ERRORS',
      severity: landed.length > 0 || counts.some(([name]) => name === 'eccDbe') ? 'HIGH' : 'WARN',
      gpu,
      clipped: clippedAt(span, judged),
      evidence: {
        ...Object.fromEntries(counts),
        ...(landed.length > 0 && { xid: landed.reduce((sum, { count }) => sum + count, 0), xidCodes: codes }),
      },
      held: [],
    };
  });
}

/** A code is a label in some exporters, which may hold anything. */
export const isCode = (code: number): boolean => Number.isInteger(code) && code > 0 && code < 2 ** 31;
