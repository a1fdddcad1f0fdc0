/**
 * What of the grammar is passed on. All that is not here is refused, so that a construct which a newer grammar knows, or
 * spells otherwise, is refused until somebody has thought about it.
 */

/** Nodes that hold others, and the punctuation that may stand between those. */
export const containers: Readonly<Record<string, string>> = {
  PromQL: '',
  AggregateExpr: '',
  AggregateOp: '',
  AggregateModifier: '',
  BinaryExpr: '',
  BoolModifier: '',
  MatchingModifierClause: '',
  FunctionCall: '',
  OffsetExpr: '',
  OffsetDurationExpr: '',
  StepInvariantExpr: '()',
  UnaryExpr: '',
  VectorSelector: '',
  GroupingLabels: '(,)',
  FunctionCallBody: '(,)',
  ParenExpr: '()',
  MatrixSelector: '[]',
  SubqueryExpr: '[:]',
  LabelMatchers: '{,}',
  AtModifierPreprocessors: '()',
  DurationExpr: '',
};

/** Nodes that are one word or sign. Words may be written in any case. */
export const words: Readonly<Record<string, string>> = {
  Bool: 'bool',
  On: 'on',
  Ignoring: 'ignoring',
  GroupLeft: 'group_left',
  GroupRight: 'group_right',
  Offset: 'offset',
  By: 'by',
  Without: 'without',
  AtStart: 'start',
  AtEnd: 'end',
  At: '@',
  And: 'and',
  Or: 'or',
  Unless: 'unless',
  Atan2: 'atan2',
  Pow: '^',
  Mul: '*',
  Div: '/',
  Mod: '%',
  Add: '+',
  Sub: '-',
  Eql: '==',
  Neq: '!=',
  Lte: '<=',
  Lss: '<',
  Gte: '>=',
  Gtr: '>',
  Avg: 'avg',
  Bottomk: 'bottomk',
  Count: 'count',
  CountValues: 'count_values',
  Group: 'group',
  Max: 'max',
  Min: 'min',
  Quantile: 'quantile',
  Stddev: 'stddev',
  Stdvar: 'stdvar',
  Sum: 'sum',
  Topk: 'topk',
};

/** Not here: `info`, which reads series that no selector names, and what Prometheus calls experimental. */
export const functions: ReadonlySet<string> = new Set(
  `abs absent absent_over_time acos acosh asin asinh atan atanh avg_over_time ceil changes clamp clamp_max clamp_min cos cosh
  count_over_time day_of_month day_of_week day_of_year days_in_month deg delta deriv exp floor histogram_avg histogram_count
  histogram_fraction histogram_quantile histogram_stddev histogram_stdvar histogram_sum hour idelta increase irate label_join
  label_replace last_over_time ln log10 log2 max_over_time min_over_time minute month pi predict_linear present_over_time
  quantile_over_time rad rate resets round scalar sgn sin sinh sort sort_desc sqrt stddev_over_time stdvar_over_time
  sum_over_time tan tanh time timestamp vector year`.split(/\s+/),
);
