import type { SlowStretch } from '../rules/slowdown.ts';
import type { Span } from '../rules/span.ts';
import { minutes, when } from '../rules/words.ts';
import { lacking } from './flag-note.ts';
import { joined } from './note.ts';
import type { ClusterInWindow } from './operation.ts';
import type { SlowEvidence } from './refs.ts';
import { blindSpots } from './silence-words.ts';
import { silencesOf } from './silences.ts';

/** What there is to say about a stretch and what was seen around it; null where there is nothing. */
export function noteOfSlowdown(of: ClusterInWindow, stretch: SlowStretch, evidence: SlowEvidence): string | null {
  const { report, placementDoubts } = evidence;
  return joined([
    ...edges(stretch),
    ...around(stretch),
    ...placementDoubts.map((clause) => `${clause[0]!.toUpperCase()}${clause.slice(1)}.`),
    ...(report && report.nodes.length > 0
      ? [...blindSpots(report, silencesOf(report.nodes)), ...lacking(report), ...unheard(of, stretch)]
      : []),
    ...(report?.partial ? ['The store left something out of its answers, so flags may be missing.'] : []),
  ]);
}

/** Silences shorter than this are not told. */
export const unheardS = ({ view }: ClusterInWindow): number =>
  Math.max(view.pace().silentS, view.pace('nodeExporter').silentS);

const unheard = (of: ClusterInWindow, { from, to }: Span): string[] =>
  to - from < unheardS(of)
    ? [
        `It is shorter than the silences that are told: of a node that said nothing for under ${minutes(unheardS(of))} nothing shows.`,
      ]
    : [];

const edges = ({ clipped }: SlowStretch): string[] => [
  ...(clipped.start ? ['Clipped at the window start, so that the length is a floor.'] : []),
  ...(clipped.end ? ['Clipped at the window end, so that the length is a floor.'] : []),
];

function around({ silent: { before, after }, coveredS, slowS }: SlowStretch): string[] {
  const silences = [before, after].flatMap((span) => (span ? [when(span)] : []));
  return [
    ...(silences.length > 0
      ? [`No step ended ${silences.join(', and none ')}: that time counts neither as slow nor as fast.`]
      : []),
    ...(coveredS < slowS / 2
      ? [`The steps that were told cover ${minutes(coveredS)} of it; those between are taken to be like them.`]
      : []),
  ];
}
