import { expect, test } from 'vitest';
import { namesLimit } from '../../src/prometheus/limit-words.ts';

test.each([
  ['Prometheus', 'query processing would load too many samples into memory in query execution'],
  [
    'Prometheus',
    'exceeded maximum resolution of 11,000 points per timeseries. Try decreasing the query resolution (?step=XX)',
  ],
  ['Prometheus behind Thanos', 'expanding series: remote read: exceeded sample limit (50000000)'],
  [
    'VictoriaMetrics',
    'cannot select more than -search.maxSamplesPerQuery=1000000000 samples; possible solutions: to increase the -search.maxSamplesPerQuery; to reduce time range for the query; to use more specific label filters in order to select lower number of series',
  ],
  [
    'VictoriaMetrics',
    'error when searching: the number of matching timeseries exceeds 300000; either narrow down the search or increase -search.max* command-line flag values at vmselect (the most likely limit is -search.maxUniqueTimeseries)',
  ],
  [
    'VictoriaMetrics before 1.9x',
    'the number of matching unique timeseries exceeds 300000; either narrow down the search or increase -search.maxUniqueTimeseries',
  ],
  [
    'VictoriaMetrics',
    'too many points for the given step=60000, start=1650758040000 and end=1653350460000: 43208; cannot exceed -search.maxPointsPerTimeseries=30000',
  ],
  [
    'VictoriaMetrics 1.1xx',
    'error when executing query="temp" on the time range (start=1795990793000, end=1796077193000, step=1000): too many points for the given start=1795990793000, end=1796077193000 and step=1000: 86401; the maximum number of points',
  ],
  [
    'VictoriaMetrics',
    'the response contains more than -search.maxResponseSeries=100 time series: 420 series; either increase',
  ],
  ['VictoriaMetrics', "too long query; got 20000 bytes; mustn't exceed `-search.maxQueryLen=16384` bytes"],
  [
    'VictoriaMetrics',
    'not enough memory for processing 480000 data points across 8000 time series with 60 points in each time series; total available memory for concurrent requests: 100 bytes',
  ],
  [
    'Mimir',
    'the query exceeded the maximum number of chunks (limit: 2000000 chunks) (err-mimir-max-chunks-per-query). Consider reducing the time range and/or number of series selected by the query.',
  ],
  ['Mimir', 'the query exceeded the maximum number of series (limit: 1 series) (err-mimir-max-series-per-query)'],
  [
    'Mimir',
    'the query exceeded the aggregated chunks size limit (limit: 100 bytes) (err-mimir-max-chunks-bytes-per-query)',
  ],
  [
    'Mimir',
    'the query exceeded the maximum allowed estimated amount of memory consumed by a single query (limit: 11 bytes) (err-mimir-max-estimated-memory-consumption-per-query)',
  ],
  [
    'Mimir',
    'the query time range exceeds the limit (query length: 721h0m0s, limit: 168h0m0s) (err-mimir-max-total-query-length)',
  ],
  [
    'Mimir',
    'the raw query size in bytes exceeds the limit (query size: 10, limit: 20) (err-mimir-max-query-expression-size-bytes)',
  ],
  ['Cortex', 'the query hit the max number of series limit (limit: 100000 series)'],
  ['Cortex', 'the query hit the aggregated chunks size limit (limit: 100 bytes)'],
  ['Cortex', 'the query time range exceeds the limit (query length: 721h0m0s, limit: 168h0m0s)'],
  [
    'Thanos',
    'expanding series: proxy Series(): rpc error: code = ResourceExhausted desc = exceeded series limit: limit 1 violated (got 8)',
  ],
  ['Thanos before 0.2x', 'preload chunks: exceeded samples limit: limit 120 violated (got 240)'],
  [
    'Thanos',
    'fetch series for block 01GZ: exceeded chunks limit: rpc error: code = Code(422) desc = limit 3 violated (got 4)',
  ],
  ['Thanos', 'expanded matching posting: exceeded bytes limit while fetching postings: limit 1 violated (got 8)'],
  ['Thanos', 'expanding series: failed to send series: limit 2 violated (got 3)'],
])('%s names a limit: %s', (_store, words) => {
  expect(namesLimit(words)).toBe(true);
});

test.each([
  ['a query that took too long', 'query timed out in expression evaluation'],
  ['a query that took too long', 'expanding series: context deadline exceeded'],
  [
    'a query that took too long',
    'timeout exceeded while fetching data block #3 from storage: 30.000 seconds; the timeout can be adjusted with `-search.maxQueryDuration` command-line flag',
  ],
  [
    'a store that is busy',
    "couldn't start executing the request in 10.000 seconds, since -search.maxConcurrentRequests=8 concurrent requests are executed. Possible solutions: to reduce query load; to increase -search.maxQueueDuration=10s; to increase -search.maxQueryDuration; to increase -search.maxConcurrentRequests",
  ],
  [
    'a rate',
    'the request has been rejected because the tenant exceeded the request rate limit, set to 5 requests/s (err-mimir-tenant-max-request-rate)',
  ],
  ['a broken query', '1:5: parse error: unexpected end of input'],
  ['nothing', ''],
])('%s is no limit of size: %s', (_what, words) => {
  expect(namesLimit(words)).toBe(false);
});
