import * as fc from 'fast-check';

import { hostileValues, labelNames, matchers, quotedNames } from './labels.ts';
import { durations, instants, mostly, numbers, offsets, oneOf, strings, words } from './literals.ts';
import type { Tokens } from './spacing.ts';
import { MARK, others } from './tenants.ts';

type Text = fc.Arbitrary<Tokens>;

/** Tokens and pieces of them, one after the other. */
const seq = (...parts: readonly (string | fc.Arbitrary<string> | Text)[]): Text =>
  fc
    .tuple(...parts.map((part): fc.Arbitrary<string | Tokens> => (typeof part === 'string' ? fc.constant(part) : part)))
    .map((pieces) => pieces.flat());

const nothing: Text = fc.constant([]);
const weighed = (...kinds: readonly (readonly [number, Text])[]): Text =>
  fc.oneof(...kinds.map(([weight, arbitrary]) => ({ weight, arbitrary })));
const listed = (items: Text, maxLength: number, minLength = 0): Text =>
  fc
    .tuple(fc.array(items, { minLength, maxLength }), mostly(fc.constant(false), fc.constant(true), 5))
    .map(([all, trailing]) => all.flatMap((one, at) => (at === 0 ? one : [',', ...one])).concat(trailing ? [','] : []));
const call = (name: string | fc.Arbitrary<string>, ...args: readonly (fc.Arbitrary<string> | Text)[]): Text =>
  seq(name, '(', ...args.flatMap((arg, at) => (at === 0 ? [arg] : [',', arg])), ')');

const metrics = mostly(
  words(`DCGM_FI_DEV_GPU_TEMP DCGM_FI_DEV_POWER_USAGE DCGM_FI_DEV_ECC_SBE_VOL_TOTAL DCGM_FI_DEV_GPU_TEMP
    node_cpu_seconds_total up kube_pod_info step_duration_seconds_bucket`),
  oneOf(
    'target_info',
    'ALERTS',
    'cluster:gpu_temp:avg',
    'job:up:sum',
    'build_info',
    `${MARK}_secret_total`,
    'no_such_metric',
    'offset',
    'sum',
    'on',
    'bool',
    'start',
    'Inf',
    'by',
    'scrape_samples',
    'default',
    'if',
    '__name__',
    'a.b',
    'é',
  ),
  7,
);

const braced: Text = weighed(
  [20, seq('{', listed(matchers, 3), '}')],
  [1, seq('{', listed(weighed([4, matchers], [1, seq(quotedNames)]), 3, 1), '}')],
  // Either half may be the one that is left open.
  [1, seq('{', matchers, oneOf('or', 'OR', 'or '), matchers, '}')],
);

export const selectors: Text = weighed(
  [6, seq(metrics)],
  [10, seq(metrics, braced)],
  [2, braced],
  [1, seq('{', '__name__', oneOf('=', '=~'), strings(metrics), ',', matchers, '}')],
  [1, seq('{', strings(metrics), ',', matchers, '}')],
);

const at: Text = seq('@', instants);
const offset: Text = seq(oneOf('offset', 'OFFSET'), offsets);
/** `[5m]` in one piece, mostly: some readers allow nothing between the bracket and the duration. */
const brackets: Text = mostly(
  durations.map((text): Tokens => [`[${text}]`]),
  seq('[', durations, ']'),
  10,
);
const steps = oneOf('', '1m', '5m', '2m', '1m');
const subquery: Text = mostly(
  fc.tuple(durations, mostly(steps, durations, 15)).map(([length, step]): Tokens => [`[${length}:${step}]`]),
  seq('[', durations, ':', durations, ']'),
  10,
);
const modifiers: Text = weighed([16, nothing], [3, offset], [2, at], [1, seq(offset, at)], [1, seq(at, offset)]);

const ofVector =
  words(`abs ceil floor exp ln log2 log10 sqrt sgn sin cos atan deg rad sort sort_desc timestamp round absent hour
    minute day_of_month days_in_month month year`);
const ofRange = words(`rate increase irate delta idelta deriv changes resets avg_over_time sum_over_time min_over_time
    max_over_time count_over_time last_over_time stddev_over_time stdvar_over_time present_over_time
    absent_over_time`);
const newer =
  words(`mad_over_time first_over_time ts_of_max_over_time ts_of_last_over_time histogram_count histogram_avg
    sort_by_label double_exponential_smoothing holt_winters xrate rollup increase_pure label_set start
    no_such_function`);
const plainAggregates = oneOf('sum', 'min', 'max', 'avg', 'count', 'group', 'stddev', 'stdvar', 'SUM', 'Max');

const groupingLabels = mostly(
  oneOf('cluster', 'instance', 'gpu', 'job', 'Hostname', 'pod', 'mode', 'le'),
  labelNames,
  6,
);
const grouping: Text = seq(oneOf('by', 'without', 'BY'), '(', listed(seq(groupingLabels), 3), ')');

/** An aggregation, the grouping before or behind. */
const aggregate = (operator: string | fc.Arbitrary<string>, ...args: readonly (fc.Arbitrary<string> | Text)[]): Text =>
  weighed(
    [2, call(operator, ...args)],
    [3, seq(operator, grouping, call('', ...args))],
    [2, seq(call(operator, ...args), grouping)],
  ).map((tokens) => tokens.filter((token) => token !== ''));

/** What a function may write: into any label, also ours. */
const writtenLabels = strings(
  mostly(
    oneOf('host', 'gpu', 'cluster', 'Hostname', 'x'),
    oneOf('__name__', 'instance', '', '9', 'odd.label', '__proto__'),
    15,
  ),
);
const writtenValues = strings(
  mostly(oneOf('$1', 'fixed', '${1}-x', '$0'), fc.oneof(hostileValues, oneOf(...others)), 20),
);
const sources = strings(oneOf('instance', 'gpu', 'cluster', 'Hostname', 'none', '__name__'));
const patterns = strings(mostly(oneOf('(.*)', '(.+):.*', '(.).*', ''), hostileValues, 15));

const arithmetic = oneOf('+', '-', '*', '/', '%', '^', 'atan2');
const comparisons = oneOf('==', '!=', '>', '<', '>=', '<=');
const joins: Text = seq(oneOf('on', 'ignoring', 'ON'), '(', listed(seq(groupingLabels), 3), ')');
const sided: Text = weighed(
  [4, nothing],
  [4, joins],
  [
    3,
    seq(
      joins,
      oneOf('group_left', 'group_right'),
      weighed([1, nothing], [2, seq('(', listed(seq(groupingLabels), 2), ')')]),
    ),
  ],
);
const trapped = oneOf(
  'default',
  'if',
  'ifnot',
  'limit',
  'keep_metric_names',
  'fill(0)',
  '</',
  '>/',
  '=~',
  '||',
  ',',
  'and and',
);

/** A vector with the job and the instance of something else: what `info` looks its labels up by. */
const forged = (vector: Text): Text =>
  call(
    'label_replace',
    vector,
    strings(oneOf('instance', 'job')),
    strings(oneOf('n1:9400', 'dcgm')),
    strings(oneOf('gpu')),
    strings(oneOf('.*')),
  );

interface Level {
  readonly vector: Text;
  readonly range: Text;
  readonly scalar: Text;
}

const leaf: Level = {
  vector: seq(selectors, modifiers),
  range: seq(selectors, brackets, modifiers),
  scalar: seq(numbers),
};

/** The language one step deeper, typed as Prometheus types it. */
const deeper = ({ vector, range, scalar }: Level): Level => ({
  vector: weighed(
    [5, leaf.vector],
    [5, call(ofRange, range)],
    [3, call(ofVector, vector)],
    [1, call(oneOf('clamp_min', 'clamp_max', 'round'), vector, scalar)],
    [1, call('clamp', vector, scalar, scalar)],
    [1, call('quantile_over_time', scalar, range)],
    [1, call('predict_linear', range, scalar)],
    [1, call('histogram_quantile', scalar, vector)],
    [2, call('label_replace', vector, writtenLabels, writtenValues, sources, patterns)],
    [1, call('label_join', vector, writtenLabels, writtenValues, sources, sources)],
    [1, call('vector', scalar)],
    [7, aggregate(plainAggregates, vector)],
    [2, aggregate(oneOf('topk', 'bottomk', 'quantile'), scalar, vector)],
    [1, aggregate('count_values', writtenLabels, vector)],
    [4, seq(vector, arithmetic, sided, vector)],
    [2, seq(vector, comparisons, weighed([2, nothing], [1, seq('bool')]), sided, vector)],
    [3, seq(vector, oneOf('and', 'or', 'unless', 'OR'), weighed([2, nothing], [2, joins]), vector)],
    [2, seq(vector, fc.oneof(arithmetic, comparisons), scalar)],
    [2, seq(scalar, arithmetic, vector)],
    [3, seq('(', vector, ')')],
    [1, seq(oneOf('-', '+', '- -'), vector)],
    // What a reader may know and another may not.
    [1, call(newer, fc.oneof(vector, range))],
    [1, aggregate(oneOf('limitk', 'limit_ratio', 'any', 'median', 'outliersk'), scalar, vector)],
    [1, weighed([2, call('info', vector)], [1, call('info', vector, braced)], [2, call('info', forged(vector))])],
    [1, seq(vector, trapped, vector)],
  ),
  range: weighed(
    [8, leaf.range],
    [3, seq(vector, subquery, modifiers)],
    [1, seq('(', range, ')')],
    [1, seq(vector, brackets)],
  ),
  scalar: weighed(
    [8, leaf.scalar],
    [1, call('scalar', vector)],
    [1, oneOf('time()', 'pi()').map((text) => [text])],
    [1, seq(scalar, arithmetic, scalar)],
    [1, seq(scalar, comparisons, 'bool', scalar)],
    [1, seq('(', scalar, ')')],
    [1, seq(oneOf('-', '+'), scalar)],
  ),
});

const one = deeper(leaf);
const two = deeper(one);
const three = deeper(two);

/** Expressions of every type; instant vectors mostly, since the others are refused sooner. */
export const expressions: Text = weighed(
  [6, one.vector],
  [8, two.vector],
  [2, three.vector],
  [1, leaf.vector],
  [1, two.scalar],
  [1, weighed([3, one.range], [1, seq(writtenValues)])],
);
