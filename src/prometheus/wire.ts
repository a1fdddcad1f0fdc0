import { z } from 'zod';
import type { Labels } from '../domain/series.ts';
import { numberIn } from './number.ts';

/**
 * Only what we read; unknown fields are ignored, so that every engine's extras pass.
 * https://prometheus.io/docs/prometheus/latest/querying/api/
 */

/** Checked by hand: this runs for every series, and a label named `__proto__` must stay a label. */
export function isLabels(value: unknown): value is Labels {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  for (const label of Object.values(value)) if (typeof label !== 'string') return false;
  return true;
}
const LabelSet = z.custom<Labels>(isLabels, 'not a label set');

export const Sample = z.tuple([
  z.number(),
  z.string().transform((text, context) => numberIn(text) ?? refuse(text, context)),
]);
export type Sample = z.infer<typeof Sample>;

function refuse(text: string, context: z.RefinementCtx): never {
  context.addIssue({ code: 'custom', message: `not a number: ${text.slice(0, 40)}` });
  return z.NEVER;
}

/** A row has `value` or `values`; one of native histograms alone has neither. */
export const SampleRow = z.object({
  metric: LabelSet,
  value: Sample.optional(),
  values: z.array(Sample).optional(),
  histogram: z.unknown().optional(),
  histograms: z.unknown().optional(),
});
export type SampleRow = z.infer<typeof SampleRow>;

/** Go writes an empty list that was never made as null. */
const list = <T extends z.ZodType>(item: T) =>
  z
    .array(item)
    .nullable()
    .transform((items) => items ?? []);

const answer = <T extends z.ZodType>(data: T) =>
  z.object({
    status: z.literal('success'),
    data,
    /** Prometheus and Thanos: what was left out. The `infos` of Prometheus 3 are no such thing. */
    warnings: z.array(z.string()).nullish(),
    /** VictoriaMetrics: a storage node did not answer. */
    isPartial: z.boolean().nullish(),
  });

const SampleRows = z.object({ resultType: z.enum(['vector', 'matrix']), result: list(SampleRow) });

/** What of a question decides how its answer is read. */
export type Expected =
  | { readonly kind: 'instant' | 'range'; readonly most?: number; readonly ofClient?: { readonly mostSamples: number } }
  | { readonly kind: 'series' }
  | { readonly kind: 'labelValues'; readonly label: string };

const answers = {
  instant: answer(z.union([SampleRows, z.object({ resultType: z.literal('scalar'), result: Sample })])),
  range: answer(SampleRows.extend({ resultType: z.literal('matrix') })),
  series: answer(list(LabelSet)),
  labelValues: answer(list(z.string())),
};
export type Envelope = z.infer<(typeof answers)[keyof typeof answers]>;

/** @throws where `json` is not a successful answer to a question of that kind */
export const envelopeOf = (kind: Expected['kind'], json: unknown): Envelope => answers[kind].parse(json);

export const ApiError = z.object({
  status: z.literal('error'),
  errorType: z.string().optional(),
  error: z.string().optional(),
});
export type ApiError = z.infer<typeof ApiError>;
