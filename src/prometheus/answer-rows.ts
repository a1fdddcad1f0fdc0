import type { Labels, Row } from '../domain/series.ts';
import type { Envelope, Expected, Sample, SampleRow } from './wire.ts';

const nothing = new Float64Array(0);

/** The rows of an answer that was parsed whole. */
export function rowsOf(expected: Expected, { data }: Envelope): Row[] {
  if (!Array.isArray(data)) {
    return data.resultType === 'scalar' ? [row({}, [data.result])] : data.result.map(sampleRow);
  }
  return data.map((item) =>
    typeof item !== 'string'
      ? row(item, [])
      : row(expected.kind === 'labelValues' ? { [expected.label]: item } : {}, []),
  );
}

/** Whether any row held native histograms, as a list or as one. */
export const holdsHistograms = ({ data }: Envelope): boolean =>
  !Array.isArray(data) &&
  data.resultType !== 'scalar' &&
  data.result.some(({ histogram, histograms }) => histogram !== undefined || histograms !== undefined);

/** Native histograms are no readings: a row that held nothing else has no samples. */
const sampleRow = ({ metric, value, values }: SampleRow): Row => row(metric, values ?? (value ? [value] : []));

const row = (labels: Labels, samples: readonly Sample[]): Row =>
  samples.length === 0
    ? { labels, times: nothing, values: nothing }
    : {
        labels,
        times: Float64Array.from(samples, ([time]) => time),
        values: Float64Array.from(samples, ([, value]) => value),
      };
