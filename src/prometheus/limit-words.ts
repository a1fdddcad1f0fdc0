/**
 * How stores say that a query ran into a limit of theirs. They say it with 400, 422, 500 or 503, and with error types
 * that mean other things as well, so the words are the only sign.
 *
 * Limits of time and of concurrency are not here: asking for less is not the cure, asking later is.
 */
export const limitWords: readonly { readonly store: string; readonly limit: string; readonly words: RegExp }[] = [
  { store: 'Prometheus', limit: 'samples', words: /query processing would load too many samples into memory/ },
  { store: 'Prometheus', limit: 'points', words: /exceeded maximum resolution of [\d,]+ points per timeseries/ },
  { store: 'Prometheus', limit: 'samples behind a sidecar', words: /exceeded sample limit \(\d+\)/ },
  { store: 'VictoriaMetrics', limit: 'flags', words: /-search\.max(?!\w*Duration|ConcurrentRequests)[A-Z]\w*/ },
  { store: 'VictoriaMetrics', limit: 'series', words: /the number of matching (?:unique )?timeseries exceeds/ },
  { store: 'VictoriaMetrics', limit: 'points', words: /too many points for the given (?:step|start)/ },
  { store: 'VictoriaMetrics', limit: 'memory', words: /not enough memory for processing \d+ data points/ },
  { store: 'Mimir', limit: 'error identifiers', words: /err-mimir-max-/ },
  { store: 'Mimir', limit: 'fetched data', words: /the query exceeded the (?:maximum|aggregated)/ },
  { store: 'Cortex', limit: 'fetched data', words: /the query hit the (?:max number of|aggregated) [\w ]+ limit/i },
  { store: 'Mimir', limit: 'time range', words: /query time range exceeds the limit/ },
  { store: 'Thanos', limit: 'fetched data', words: /exceeded (?:series|samples|chunks|bytes|data) limit/ },
  { store: 'Thanos', limit: 'series of one store', words: /expanding series: .*\blimit\b.*(?:violated|exceeded)/s },
  { store: 'Thanos', limit: 'reservations', words: /limit \d+ violated \(got \d+\)/ },
];

export const namesLimit = (words: string): boolean => limitWords.some((row) => row.words.test(words));
