import type { Family } from '../domain/fleet.ts';
import { familyOf } from '../readings/catalogue.ts';
import { gpuKey } from '../reads/by-gpu.ts';
import { missingOf, shortened, stretches } from './note.ts';
import type { Report } from './refs.ts';
import { type Silence, unseenNodes } from './silences.ts';

/** What could not be told of a report's nodes. */
export const blindSpots = (report: Report, silences: readonly Silence[]): string[] => [
  ...silenceSentences(report, silences),
  ...missingInputs(report),
  ...untold(report),
  ...unseen(report),
];

export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

export const whose = (node: string, gpu: number | null): string =>
  gpu === null ? `the host of ${node}` : `GPU ${gpu} on ${node}`;

/** Families that answered nowhere first; then who fell silent, those alike together. */
function silenceSentences({ of, nodes }: Report, silences: readonly Silence[]): string[] {
  const all = nodes.reduce((sum, { node }) => sum + node.entry.gpus.size, 0);
  const subjects = (own: readonly Silence[]) => new Set(own.map(({ node, gpu }) => JSON.stringify([node, gpu]))).size;
  const nowhere = [...Map.groupBy(silences, ({ families }) => families.join(' or '))]
    .filter(
      ([, own]) =>
        own.every(({ present }) => !present) && subjects(own) === (own[0]!.gpu === null ? nodes.length : all),
    )
    .map(([name]) => name);
  const rest = silences.filter(({ families }) => !nowhere.includes(families.join(' or ')));
  const missing = [...new Set(nowhere.flatMap((name) => name.split(' or ')))] as Family[];
  const alike = Map.groupBy(
    Map.groupBy(rest, ({ node, gpu, present, gaps }) =>
      JSON.stringify([node, gpu, tailOf(of, present, gaps)]),
    ).values(),
    (own) =>
      JSON.stringify([own.map(({ families }) => families.join(' or ')), tailOf(of, own[0]!.present, own[0]!.gaps)]),
  );
  const sentences = [...alike.values()].map((group) => {
    const [first] = group[0]!;
    const families = [...new Set(group[0]!.map(({ families: each }) => each.join(' or ')))];
    const who = shortened(group.map(([one]) => whose(one!.node, one!.gpu))).join(', ');
    return `No ${families.join(', ')} of ${who} ${tailOf(of, first!.present, first!.gaps)}.`;
  });
  return [...missingOf(of, { present: [], missing }), ...shortened(sentences)];
}

const tailOf = (of: Report['of'], present: boolean, gaps: Silence['gaps']): string =>
  !present ? 'in the window' : gaps === null ? 'for part of the window' : stretches(gaps, of);

/** The checks' own readings that a node has nothing of, though others of their family answer there. */
function missingInputs({ nodes }: Report): string[] {
  const lacks = nodes.map(({ node, evidence }) => {
    const { name, gpus } = node.entry;
    const keys = [name, ...[...gpus.keys()].map((gpu) => gpuKey(name, gpu))];
    const missing = evidence.answered.flatMap(({ inputs, heard }) => {
      const has = (reading: string) => keys.some((key) => inputs.get(reading)?.has(key));
      const told = keys.flatMap((key) => heard.get(key) ?? []).filter(({ present }) => present);
      const families = new Set(told.map(({ family }) => family));
      return [...inputs.keys()].filter((reading) => families.has(familyOf(reading)) && !has(reading));
    });
    return { name, missing: [...new Set(missing)].join(', ') };
  });
  return [...Map.groupBy(lacks, ({ missing }) => missing)]
    .filter(([missing]) => missing !== '')
    .map(([missing, own]) => {
      const where = own.length < nodes.length ? ` on ${shortened(own.map(({ name }) => name)).join(', ')}` : '';
      return `Not there: ${missing}${where}, though others of the family are.`;
    });
}

function untold({ nodes, checked }: Report): string[] {
  const names = nodes
    .filter(({ node, evidence }) => evidence.untold.has(node.entry.name))
    .map(({ node }) => node.entry.name);
  if (names.length === 0 || !checked.includes('UTILIZATION')) return [];
  return [
    `Utilization could not be checked on ${shortened(names).join(', ')}: the store knows no pods there, so an idle GPU cannot be told from one that stopped working.`,
  ];
}

function unseen({ nodes }: Report): string[] {
  const names = unseenNodes(nodes);
  return names.length > 0 ? [`No exporter tells of the GPUs of ${shortened(names).join(', ')}.`] : [];
}
