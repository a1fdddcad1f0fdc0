import { families as allFamilies, type Family } from '../domain/fleet.ts';
import { gpuKey } from '../reads/by-gpu.ts';
import type { SlowStretch } from '../rules/slowdown.ts';
import { listed } from '../rules/slowdown-summary.ts';
import { covered, overlap, type Span, within } from '../rules/span.ts';
import { minutes } from '../rules/words.ts';
import type { JudgedNode, Report, SlowEvidence } from './refs.ts';
import { called } from './run-note.ts';
import { type Silence, silencesOf, unseenNodes, wasHeard } from './silences.ts';
import type { RunNodes } from './slowdown-nodes.ts';

/** What there is of it in one stretch of the window; nothing is read for it. */
export function evidenceIn(stretch: SlowStretch, pauses: readonly Span[], run: RunNodes): SlowEvidence {
  const nodes = (run.report?.nodes ?? []).flatMap((node) => {
    const spans = node.spans.flatMap((span) => {
      const cut = within(span, stretch);
      return cut && cut.from < cut.to ? [{ ...span, ...cut }] : [];
    });
    return spans.length > 0 ? [{ ...node, spans }] : [];
  });
  const report = run.report && { ...run.report, nodes };
  const flags = (run.report?.fired ?? [])
    .filter(({ finding }) => overlap(finding, stretch))
    .map((flag) => ({ flag, overlapS: slowTimeIn(flag.finding, stretch, pauses) }));
  const silences = silencesOf(nodes);
  const flagged = new Set(flags.map(({ flag }) => flag.node.entry.name));
  const unflagged = nodes.filter(({ node }) => !flagged.has(node.entry.name));
  const placementDoubts = doubtsOfPlacement(stretch, run, nodes);
  const doubtful = doubtfulNodes(unflagged, silences, report);
  const isSure = ({ node }: JudgedNode) => !run.isOfNow && !report?.partial && !doubtful.names.has(node.entry.name);
  const { true: clean = [], false: unsure = [] } = Object.groupBy(unflagged, (node) => `${isSure(node)}` as const);
  return {
    report,
    flags,
    clean: clean.map(({ node }) => node),
    unsure: unsure.map(({ node }) => node),
    families: familiesOf(nodes),
    placementDoubts,
    nodeDoubts: doubtful.clauses,
  };
}

/** Seconds of a flag in a stretch, pauses not counted. */
function slowTimeIn(finding: Span, stretch: Span, pauses: readonly Span[]): number {
  const cut = within(finding, stretch);
  if (!cut) return 0;
  return cut.to - cut.from - covered(pauses.flatMap((pause) => within(pause, cut) ?? []));
}

function doubtsOfPlacement(stretch: SlowStretch, run: RunNodes, nodes: readonly JudgedNode[]): string[] {
  const { workloads, report, isOfNow } = run;
  const [newest, ...others] = workloads;
  if (!newest) return ['no workload was named for the run, so it is not known on which nodes it ran'];
  const named = called(newest);
  if (!report) return [`the store tells of no pods of its workload ${named}`];
  const known = covered(nodes.flatMap(({ spans }) => spans));
  const length = stretch.to - stretch.from;
  const leftOutS = 3 * report.of.view.scrapeS('kubeStateMetrics');
  return [
    ...(nodes.length === 0 ? [`no pod of its workload ${named} is known to have run at that time`] : []),
    ...(nodes.length > 0 && length - known > leftOutS
      ? [`where it ran is known for ${minutes(known)} of ${minutes(length)}`]
      : []),
    ...(isOfNow && nodes.length > 0
      ? ['its nodes are those of the pods that exist now, and others may have been there']
      : []),
    ...(others.length > 0 ? ['the run was reported for other workloads too, whose nodes were not looked at'] : []),
  ];
}

/** Those among some nodes of which something checked was not heard all the time. */
function doubtfulNodes(nodes: readonly JudgedNode[], silences: readonly Silence[], report: Report | null) {
  const namesOf = (own: readonly JudgedNode[]) => own.map(({ node }) => node.entry.name);
  const all = new Set(namesOf(nodes));
  const byNode = Map.groupBy(silences, ({ node }) => node);
  const silent = [...byNode].filter(([name]) => all.has(name));
  const alike = Map.groupBy(silent, ([, own]) =>
    listed([...new Set(own.map(({ families }) => families.join(' or ')))]),
  );
  const unseen = unseenNodes(nodes);
  const isAsked = report?.checked.includes('UTILIZATION') ?? false;
  const untold = namesOf(nodes.filter(({ node, evidence }) => isAsked && evidence.untold.has(node.entry.name)));
  return {
    names: new Set([...silent.map(([name]) => name), ...unseen, ...untold]),
    clauses: [
      ...[...alike].map(
        ([families, own]) => `${listed(own.map(([name]) => name))} did not tell all the time of ${families}`,
      ),
      ...(unseen.length > 0 ? [`no exporter tells of the GPUs of ${listed(unseen)}`] : []),
      ...(untold.length > 0 ? [`utilization could not be checked on ${listed(untold)}`] : []),
      ...(report?.partial ? ['the store left something out of its answers'] : []),
    ],
  };
}

function familiesOf(nodes: readonly JudgedNode[]): Family[] {
  const found = new Set(
    nodes.flatMap(({ node: { entry }, spans, evidence }) =>
      evidence.answered.flatMap(({ heard, of }) => {
        const keys = of === 'host' ? [entry.name] : [...entry.gpus.keys()].map((gpu) => gpuKey(entry.name, gpu));
        return keys.flatMap((key) => {
          const own = heard.get(key);
          return own && wasHeard(own, spans) ? [own.family] : [];
        });
      }),
    ),
  );
  return allFamilies.filter((family) => found.has(family));
}
