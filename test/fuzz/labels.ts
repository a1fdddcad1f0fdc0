import * as fc from 'fast-check';

import { brokenStrings, mostly, oneOf, strings } from './literals.ts';
import { MARK, others } from './tenants.ts';

/** What our series carry. */
const ownLabels = ['gpu', 'instance', 'job', 'Hostname', 'pod', 'cluster', 'mode', 'le', 'node'] as const;

/** The values that our series have under these labels, and patterns of them. */
const values: Readonly<Record<string, readonly string[]>> = {
  gpu: ['0', '.*', '0|1', '[0-9]', '7', '1', '.+', '(?i)1', '[[:digit:]]', '\\d'],
  instance: ['n1:9400', 'n2:9400', 'n1:9100', 'n.:9400', '(n1|n2):.*', '.*:9.00', '\\Qn1:9400\\E', 'n1.*|n2.*'],
  job: ['dcgm', 'node', 'dcgm|node', 'd.*', '.+', '(?P<x>dcgm)', ''],
  Hostname: ['n1', 'n2', 'n1|n2', 'n.+', `n1-${MARK}0`],
  pod: ['train-0', 'train-1', 'train-.*', `.*${MARK}.*`, 'train-0.*'],
  cluster: ['aurora-prod', 'aurora-lab', 'gpu.east', 'aurora.*', '.*', '.+', 'aurora-prod|aurora-lab', '', ...others],
  mode: ['idle', 'user', 'idle|user', '.*'],
  le: ['+Inf', '1', '0.1', '\\+Inf', '.+'],
  node: ['n1', 'n2', 'n.*'],
};

/** Values that try to end the string, the pattern, the braces or a replacement, and those that name others. */
export const hostileValues = oneOf(
  ...others,
  'a)|(?:b',
  'a)|(?:.*',
  '|',
  '||',
  '.*|',
  '^(.*)$',
  "$'",
  '$&',
  '$`',
  '$1',
  '$$',
  '\\',
  '\\\\',
  '"',
  "'",
  '`',
  '")}',
  '"} or up{a="',
  '{',
  '}',
  '{}',
  '} or up{',
  '#',
  '# x',
  'x # y',
  '\n',
  '\r',
  '\r\n',
  'a\rb',
  '\u0000',
  '\u007f',
  '\u00a0',
  '\u2028',
  '\ufeff',
  'é',
  '日本',
  '💥',
  '(?i)AURORA-PROD',
  '(?i:aurora-lab)',
  '(?s).*',
  '(?m)^aurora-prod$',
  'aurora-prod\\n',
  '[^a]*',
  '.{0,30}',
  '(',
  '[',
  '*',
  '(?<x>a)',
  MARK,
  `.*${MARK}.*`,
  `borealis-${MARK}`,
  `.*(${MARK}|).*`,
  '__proto__',
  'constructor',
  'toString',
  'a'.repeat(300),
  '()',
  '^()$',
  '^$',
);

export const labelNames = mostly(
  oneOf(...ownLabels),
  oneOf(
    '__name__',
    '__proto__',
    'constructor',
    'absent',
    'version',
    'secret',
    'token',
    `${MARK}_label`,
    'on',
    'by',
    'or',
    'offset',
    'sum',
    'bool',
    '__address__',
    '__graphite__',
    '__tenant_id__',
    '__queries__',
    '__type__',
    '__ignore_usage__',
    'a:b',
    'a.b',
    '"cluster"',
    '"odd.label"',
    '9a',
    'é',
    '"a\\"b"',
    '"a-b"',
    '"Inf"',
    'Inf',
    '"1"',
    '"or"',
    '"}"',
    'keep_metric_names',
    '"\u0378"',
    '"a\u{10ffff}"',
    '"日"',
  ),
  10,
);

const ops = mostly(oneOf('=', '=~', '!=', '!~'), oneOf('==', '~', '=!', '<', '= ~', ''), 1);

/** A matcher that finds something, mostly. */
const plain = mostly(oneOf('instance', 'cluster', 'job', 'gpu'), oneOf(...ownLabels), 25).chain((name) => {
  const known = values[name]!;
  return fc.tuple(
    fc.constant(name),
    mostly(oneOf('=~', '!=', '!~'), oneOf('='), 25),
    strings(mostly(oneOf(...known), hostileValues, 8)),
  );
});

const odd = fc.tuple(
  labelNames,
  ops,
  mostly(strings(fc.oneof(hostileValues, fc.string({ unit: 'binary', maxLength: 6 }))), brokenStrings, 12),
);

const onClusters = fc.tuple(
  oneOf('cluster', '"cluster"', "'cluster'", 'cluster', '`cluster`', '"clu\\x73ter"', 'Cluster'),
  ops,
  strings(fc.oneof(oneOf('aurora-prod', 'aurora.*', '.*', '', ...others), hostileValues)),
);

/** Names that can only be written in quotes. A store that writes a query out again may read them as something else. */
const oddNames = [
  '\u0378',
  'a\u{10ffff}',
  '日',
  'Inf',
  'nan',
  '1',
  '1h',
  'default',
  'with',
  'or',
  'by',
  'sum',
  'a-b',
  'up or up',
  `up or ${MARK}_secret_total`,
  'up{',
  'a"b',
  '\\',
  '\n',
  '#',
  '$1',
  '5i',
];

const onNames = fc.tuple(
  oneOf('__name__', '__name__', '"__name__"', '"__na\\x6de__"'),
  ops,
  strings(
    oneOf(
      'DCGM_FI_DEV_GPU_TEMP',
      'DCGM.*',
      '.*',
      '.+',
      'up|DCGM_FI_DEV_POWER_USAGE',
      `${MARK}_secret_total`,
      'up',
      '.*secret.*',
      '',
      '__embedded_queries__',
      ...oddNames,
    ),
  ),
);

/** A matcher as its tokens. */
export const matchers = fc.oneof(
  { weight: 10, arbitrary: plain },
  { weight: 1, arbitrary: odd },
  { weight: 1, arbitrary: onClusters },
  { weight: 1, arbitrary: onNames },
);

/** `"metric"` in the place of a matcher. */
export const quotedNames = strings(
  oneOf(
    'DCGM_FI_DEV_GPU_TEMP',
    'up',
    `${MARK}_secret_total`,
    'odd.metric',
    'DCGM_FI_DEV_GPU_TEMP", cluster="x',
    '',
    ...oddNames,
  ),
);
