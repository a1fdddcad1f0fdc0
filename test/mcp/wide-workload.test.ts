import { expect, test } from 'vitest';

import type { Graph } from '../../src/mcp/ask.ts';
import { JudgeWorkloadDocument, ReadNodesDocument, ReadPlacementDocument } from '../../src/mcp/generated/graphql.ts';
import { readFlags } from '../../src/mcp/read-flags.ts';
import { readWorkload } from '../../src/mcp/read-workload.ts';
import { answerBudget, tokensOf } from '../../src/mcp/tokens.ts';

// A job over 64 nodes, of which everything that matters is in the graph's answers: no store could be made this hot in a test's time.
const names = Array.from({ length: 64 }, (_, nth) => `w-gpu-worker-${String(nth).padStart(3, '0')}`);
const time = '2026-09-21T12:00:00Z';
const cluster = {
  name: 'aurora',
  gpuVendor: 'NVIDIA',
  gpuModel: 'H100',
  window: { start: time, end: '2026-09-21T13:00:00Z', stepS: 90, points: 40 },
  reference: null,
};
const placement = names.map((name) => ({ pod: `p-${name}`, node: { name }, from: time, to: null, phase: 'RUNNING' }));
const workload = { kind: 'JOB', namespace: 'default', name: 'wide', placement };
const coverage = { present: [], missing: [] };
const flagOf = (kind: string, node: string, index: number) => ({
  kind,
  severity: 'HIGH',
  node: { name: node },
  gpu: { index },
  from: time,
  to: cluster.window.end,
  minutes: 60,
  clipped: { start: true, end: true },
  episode: null,
  evidence: { peakTempC: 91, clockEvents: null, activityFamily: null, resource: null },
  summary: `GPU ${index} on ${node} ran hot.`,
});
const graphOf =
  (report: object, judged: object = {}): Graph =>
  async (document) => {
    const placed = { ...workload, placementSource: 'HISTORY', note: null, coverage };
    const nodes = names.map((name) => ({ name, gpuCount: 8, healthEpisodes: [] }));
    const told = new Map<unknown, object>([
      [ReadPlacementDocument, { data: { cluster: { ...cluster, workload: { ...placed, nodes } } } }],
      [
        JudgeWorkloadDocument,
        { data: { cluster: { ...cluster, workload: { ...workload, flags: report } } }, ...judged },
      ],
      [ReadNodesDocument, { data: { cluster: { nodes: { nodes: [] } } } }],
    ]);
    return told.get(document) as never;
  };
const report = { checked: ['THERMAL'], unavailable: [], clean: false, coverage, flags: [] as object[] };
const asked = { cluster: 'aurora', kind: 'Job', name: 'wide' } as const;
const target = { kind: 'JOB', name: 'wide', namespace: 'default' } as const;
type Answer = { note: string; omitted: string; flags: object[] };

test('action=workload says what could not be judged, where it tells what has a flag alone', async () => {
  const note =
    'Checked THERMAL of 64 nodes with 512 GPUs: no flag fired. Not all could be judged: w-gpu-worker-007 was silent.';
  const graph = graphOf({ ...report, note }, { extensions: { warnings: ['aurora: too many series.'] } });
  const answer = (await readWorkload(graph, { ...asked, action: 'workload' }, target)) as Answer;
  expect(answer.omitted).toContain('None of those left out has a flag; see note');
  expect(answer.note).toContain('w-gpu-worker-007 was silent.');
  expect(answer.note).toContain('Not all of it may be here: aurora: too many series.');
});

test('action=flags is short enough where every flag is clipped, and keeps what could not be judged', async () => {
  const flags = names.flatMap((node) =>
    [0, 1, 2, 3, 4, 5, 6, 7].flatMap((gpu) => ['THERMAL_THROTTLE', 'POWER_CAP'].map((kind) => flagOf(kind, node, gpu))),
  );
  const clipped = flags.map(({ kind, node, gpu }) => `${kind} of GPU ${gpu.index} on ${node.name}`).join('; ');
  const note = `Checked THERMAL. Clipped at the window start: ${clipped}. Clipped at the window end: ${clipped}. Its host was silent.`;
  expect(tokensOf(note)).toBeGreaterThan(answerBudget);
  const answer = (await readFlags(
    graphOf({ ...report, note, flags }),
    { ...asked, action: 'flags' },
    target,
  )) as Answer;
  expect(tokensOf(answer)).toBeLessThanOrEqual(answerBudget);
  expect(answer.note).toMatch(
    /start: thermal_throttle of GPU 0 .*; and 984 more\. Clipped .*; and 984 more\. Its host was silent\.$/,
  );
  expect(answer.flags.length).toBeGreaterThan(50);
});
