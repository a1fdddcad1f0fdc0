import type { Family } from '../domain/fleet.ts';
import { unavailable } from '../evidence/needs.ts';
import { isWorthCounting } from '../rules/judge.ts';
import { termsOf } from '../evidence/terms.ts';
import type { FlagInWindow, Report } from './refs.ts';
import { missingOf, shortened, stretches } from './note.ts';
import type { Silence } from './silences.ts';

/** How to read a report: what was checked, what fired, what could not be told. Never empty. */
export function noteOfReport(report: Report, silences: readonly Silence[]): string {
  return [
    opening(report),
    ...clippedFlags(report.fired),
    ...silenceSentences(report, silences),
    ...missingInputs(report),
    ...standIns(report),
    ...untold(report),
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
  const nowhere = [...Map.groupBy(silences, ({ families }) => families.join(' or '))]
    .filter(
      ([, own]) => own.every(({ present }) => !present) && own.length === (own[0]!.gpu === null ? nodes.length : all),
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

function missingInputs({ nodes }: Report): string[] {
  const inputs = new Set(
    nodes.flatMap(({ evidence }) => evidence.answered.flatMap((answered) => answered.missingInputs)),
  );
  return inputs.size > 0 ? [`Not exported, though their family answers: ${[...inputs].join(', ')}.`] : [];
}

function standIns({ nodes }: Report): string[] {
  const judged = new Map<Family, number>();
  for (const { evidence, node } of nodes) {
    for (const { need, heard } of evidence.answered) {
      if (!need.standIn) continue;
      for (const gpu of node.entry.gpus.keys()) {
        const family = heard.get(`${node.entry.name} ${gpu}`)?.family;
        if (family && family === need.families[1]) judged.set(family, (judged.get(family) ?? 0) + 1);
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

function passedOver({ nodes, of }: Report): string[] {
  const terms = termsOf(of.view);
  if (terms.minThrottledPct === 0) return [];
  const { start, end } = of.view.window;
  const names = nodes.flatMap(({ node, evidence: { found } }) =>
    [...node.entry.gpus.keys()].flatMap((gpu) => {
      const key = `${node.entry.name} ${gpu}`;
      const rises = [...(found.thermal.get(key)?.rises ?? []), ...(found.power.get(key)?.rises ?? [])];
      const passed = rises.filter((rise) => rise.to > start && rise.to <= end && !isWorthCounting(rise, terms));
      return passed.length > 0 ? [whose(node.entry.name, gpu)] : [];
    }),
  );
  const examples = names.length > 0 ? `, among others of ${shortened(names).join(', ')}` : '';
  return [
    `Passed over, as this site wants it: throttling for less than ${terms.minThrottledPct} % of the time between two samples${examples}.`,
  ];
}

function unexplained({ nodes }: Report): string[] {
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
