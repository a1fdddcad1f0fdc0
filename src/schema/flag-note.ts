import type { Family } from '../domain/fleet.ts';
import { unavailable } from '../evidence/needs.ts';
import { gpuKey } from '../reads/by-gpu.ts';
import { isWorthCounting } from '../rules/judge.ts';
import { termsOf } from '../evidence/terms.ts';
import type { FlagInWindow, Report } from './refs.ts';
import { shortened } from './note.ts';
import { blindSpots, counted, whose } from './silence-words.ts';
import type { Silence } from './silences.ts';

/** How to read a report: what was checked, what fired, what could not be told. Never empty. */
export function noteOfReport(report: Report, silences: readonly Silence[]): string {
  return [
    opening(report),
    ...clippedFlags(report.fired),
    ...blindSpots(report, silences),
    ...standIns(report),
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

function clippedFlags(fired: readonly FlagInWindow[]): string[] {
  return (['start', 'end'] as const).flatMap((edge) => {
    const clipped = fired.filter(({ finding }) => finding.clipped[edge]);
    if (clipped.length === 0) return [];
    const named = clipped.map(({ node, finding: { kind, gpu } }) => `${kind} of ${whose(node.entry.name, gpu)}`);
    return [`Clipped at the window ${edge}, so that the length is a floor: ${named.join('; ')}.`];
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

export function lacking({ of }: Report): string[] {
  const { vendor } = of.view.cluster;
  const families = unavailable[vendor];
  return families.length > 0
    ? [
        `${vendor} GPUs report no throttle timers, clock events or XID events (${families.join(', ')}), and no fabric link counters within LINK_ERRORS, so power limits cannot be checked.`,
      ]
    : [];
}
