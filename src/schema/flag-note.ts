import type { Family } from '../domain/fleet.ts';
import { unavailable } from '../evidence/needs.ts';
import { familyOf } from '../readings/catalogue.ts';
import { gpuKey } from '../reads/by-gpu.ts';
import { isWorthCounting } from '../rules/judge.ts';
import { termsOf } from '../evidence/terms.ts';
import type { FlagInWindow, Report } from './refs.ts';
import { missingOf, shortened, stretches } from './note.ts';
import { type Silence, unseenNodes } from './silences.ts';

/** How to read a report: what was checked, what fired, what could not be told. Never empty. */
export function noteOfReport(report: Report, silences: readonly Silence[]): string {
  return [
    opening(report),
    ...clippedFlags(report.fired),
    ...silenceSentences(report, silences),
    ...missingInputs(report),
    ...standIns(report),
    ...untold(report),
    ...unseen(report),
    ...passedOver(report),
    ...unexplained(report),
    ...lacking(report),
    ...(report.partial ? ['The store left something out of its answers, so this report may miss flags.'] : []),
  ].join(' ');
}

function opening({ checked, asked, nodes, fired, shown, of }: Report): string {
  if (asked.size === 0) return 'Nothing was checked: kinds names none.';
  if (checked.length === 0)
    return `Nothing was checked: ${of.view.cluster.vendor} GPUs report nothing that tells of it.`;
  if (nodes.length === 0) return 'Nothing was checked: there was no node in the window.';
  if (nodes.every(({ spans }) => spans.length === 0))
    return 'Nothing was checked: nothing of it ran on its nodes in the window.';
  const gpus = nodes.reduce((sum, { node }) => sum + node.entry.gpus.size, 0);
  const hidden = fired.length > shown.length ? `, ${fired.length - shown.length} of them hidden` : '';
  const flags = fired.length === 0 ? 'no flag fired' : `${counted(fired.length, 'flag')} fired${hidden}`;
  return `Checked ${checked.join(', ')} of ${counted(nodes.length, 'node')} with ${counted(gpus, 'GPU')}: ${flags}.`;
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

const whose = (node: string, gpu: number | null): string =>
  gpu === null ? `the host of ${node}` : `GPU ${gpu} on ${node}`;

function clippedFlags(fired: readonly FlagInWindow[]): string[] {
  return (['start', 'end'] as const).flatMap((edge) => {
    const clipped = fired.filter(({ finding }) => finding.clipped[edge]);
    if (clipped.length === 0) return [];
    const named = clipped.map(({ node, finding: { kind, gpu } }) => `${kind} of ${whose(node.entry.name, gpu)}`);
    return [`Clipped at the window ${edge}, so that the length is a floor: ${named.join('; ')}.`];
  });
}

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
      return `Nothing of ${missing}${where}, though their family answers.`;
    });
}

function standIns({ nodes }: Report): string[] {
  const judged = new Map<Family, number>();
  for (const { evidence, node } of nodes) {
    for (const { need, heard } of evidence.answered) {
      if (!need.standIn) continue;
      for (const gpu of node.entry.gpus.keys()) {
        const told = heard.get(gpuKey(node.entry.name, gpu));
        if (!told?.present || told.family !== need.families[1] || evidence.untold.has(node.entry.name)) continue;
        judged.set(told.family, (judged.get(told.family) ?? 0) + 1);
      }
    }
  }
  return [...judged].map(
    ([family, count]) =>
      `Activity of ${counted(count, 'GPU')} was judged by ${family}, for want of tensor core readings.`,
  );
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

function passedOver({ nodes, of, checked }: Report): string[] {
  const terms = termsOf(of.view);
  const [isThermal, isPower] = [checked.includes('THERMAL'), checked.includes('POWER')];
  if (terms.minThrottledPct === 0 || !(isThermal || isPower)) return [];
  const { start, end } = of.view.window;
  const names = nodes.flatMap(({ node, evidence: { found } }) =>
    [...node.entry.gpus.keys()].flatMap((gpu) => {
      const key = `${node.entry.name} ${gpu}`;
      const rises = [
        ...((isThermal && found.thermal.get(key)?.rises) || []),
        ...((isPower && found.power.get(key)?.rises) || []),
      ];
      const passed = rises.filter((rise) => rise.to > start && rise.to <= end && !isWorthCounting(rise, terms));
      return passed.length > 0 ? [whose(node.entry.name, gpu)] : [];
    }),
  );
  const examples = names.length > 0 ? `, among others of ${shortened(names).join(', ')}` : '';
  return [
    `Passed over, as this site wants it: throttling for less than ${terms.minThrottledPct} % of the time between two samples${examples}.`,
  ];
}

function unexplained({ nodes, checked }: Report): string[] {
  if (!checked.includes('THERMAL') && !checked.includes('POWER')) return [];
  const names = nodes.flatMap(({ node, evidence }) =>
    [...node.entry.gpus.keys()].flatMap((gpu) =>
      evidence.unexplained.has(`${node.entry.name} ${gpu}`) ? [whose(node.entry.name, gpu)] : [],
    ),
  );
  return names.length > 0
    ? [
        `HW_SLOWDOWN events tell neither heat nor power as their cause and fire no flag: ${shortened(names).join(', ')}.`,
      ]
    : [];
}

function lacking({ of }: Report): string[] {
  const { vendor } = of.view.cluster;
  const families = unavailable[vendor];
  return families.length > 0
    ? [
        `${vendor} GPUs report no throttle timers, clock events or XID events (${families.join(', ')}), and no fabric link counters within LINK_ERRORS, so power limits cannot be checked.`,
      ]
    : [];
}
