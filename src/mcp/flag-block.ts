import type { ReportFragment } from './generated/graphql.ts';
import { lower } from './names.ts';
import { countsOf } from './node-block.ts';
import { snake } from './refusal.ts';

type GraphFlag = ReportFragment['flags'][number];

export const flagOf = ({ kind, severity, node, gpu, evidence, ...flag }: GraphFlag) => ({
  kind: lower(kind),
  severity: lower(severity),
  node: node.name,
  gpu: gpu && String(gpu.index),
  minutes: flag.minutes,
  from: flag.from,
  to: flag.to,
  clipped: flag.clipped,
  episode: flag.episode,
  evidence: evidenceOf(evidence),
  summary: flag.summary,
});

/** The numbers that the flag rests on, and no others. */
function evidenceOf({ clockEvents, activityFamily, resource, ...numbers }: GraphFlag['evidence']) {
  const told = {
    ...numbers,
    clockEvents: countsOf(clockEvents),
    activityFamily: activityFamily && lower(activityFamily),
    resource: resource && lower(resource),
  };
  const there = Object.entries(told).filter(([, value]) => value !== null);
  return Object.fromEntries(there.map(([key, value]) => [snake(key), value]));
}
