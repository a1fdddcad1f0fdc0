import type { CoveredFragment, EnvelopeFragment, PlacedFragment } from './generated/graphql.ts';
import { kindNameOf, lower, lowered, phaseNames } from './names.ts';
import { noteOf } from './note.ts';

/** What every answer of metrics_read holds, whatever it was asked. */
export function envelopeOf(
  { name, gpuVendor, gpuModel, window, reference }: EnvelopeFragment,
  coverage: CoveredFragment | null,
  notes: readonly (string | null)[],
) {
  return {
    cluster: name,
    gpu_vendor: lower(gpuVendor),
    gpu_model: gpuModel,
    window: windowOf(window),
    reference: reference && { gpu_model: reference.gpuModel, temp_p95_c: reference.tempP95C, note: reference.note },
    coverage: coverage && { present: lowered(coverage.present), missing: lowered(coverage.missing) },
    note: noteOf(notes),
  };
}

export const windowOf = ({ start, end, stepS, points }: EnvelopeFragment['window']) => ({
  start,
  end,
  step_s: stepS,
  points,
});

export const workloadOf = ({ kind, namespace, name }: Pick<PlacedFragment, 'kind' | 'namespace' | 'name'>) => ({
  kind: kindNameOf(kind),
  namespace,
  name,
});

export const placementOf = (placement: NonNullable<PlacedFragment['placement']>) =>
  placement.map(({ pod, node, from, to, phase }) => ({ pod, node: node.name, from, to, phase: phaseNames[phase] }));

/** How to read the readings. */
export const readingNote =
  'Units are in the names: °C, MHz, percent, W, GiB, Mbit/s. Values are means of buckets, to three significant digits; mean (to four), min and max are over the raw samples. Throttle seconds and error counts are increases over the window. A null is no reading, never a zero.';
