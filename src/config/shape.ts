import { z } from 'zod';
import { checks, families, vendors } from '../domain/fleet.ts';
import { usualLimits } from '../domain/limits.ts';
import { Auth, Tokens } from './auth-shape.ts';
import { clusterName } from './cluster-name.ts';
import { Http } from './http-shape.ts';
import { patternRule, wholePattern } from './pattern.ts';
import { isNumber, isText, orShort } from './shorthand.ts';
import { section, word } from './wording.ts';

const Text = z.string().min(1);
const Pattern = Text.refine((text) => wholePattern(text) !== null, patternRule);
const LabelName = z.string().regex(/^[A-Za-z_]\w*$/, 'must be a label name: letters, digits and _, no digit first');
const MetricName = z.string().regex(/^[A-Za-z_:][\w:]*$/, 'must be a metric name: letters, digits, _ and :');
const Seconds = z.number().min(1).max(3600);

/** The address of a store's API. */
export const StoreUrl = z.string().superRefine((text, context) => {
  const url = URL.parse(text);
  const fault = (message: string) => context.addIssue({ code: 'custom', message });
  if (url === null || !/^https?:$/.test(url.protocol)) return fault('must be a URL like http://127.0.0.1:9090');
  if (url.username !== '' || url.password !== '') return fault('must hold no credentials; put them into headers');
  if (url.search !== '' || url.hash !== '') return fault('must end with its path: no ? and no #');
});

/** What the connection and the client say of each request; a second word about it breaks the request or its answer. */
const ownHeaders =
  /^(host|connection|keep-alive|proxy-connection|transfer-encoding|te|trailer|upgrade|expect|content-(length|type|encoding)|accept-encoding)$/i;
const HeaderName = z
  .string()
  .regex(/^[\w!#$%&'*+.^|~-]+$/, 'must be a header name')
  .refine((name) => !ownHeaders.test(name), 'the connection itself must set; leave it out');
/** A tab, and what is no control character in Latin 1: all that HTTP carries. */
const HeaderValue = Text.regex(/^[\t\x20-\x7e\xa0-\xff]*$/, 'must be one line of characters that HTTP can carry');

const Match = z.record(
  LabelName,
  orShort(
    (value) => isText(value) || isNumber(value),
    (value) => ({ op: '=', value: String(value) }),
    section({ op: z.enum(['=', '!=', '=~', '!~']), value: z.string() }).refine(
      ({ op, value }) => !op.endsWith('~') || wholePattern(value) !== null,
      { path: ['value'], error: patternRule },
    ),
  ),
);

const Prometheus = section({
  url: StoreUrl,
  headers: z.record(HeaderName, HeaderValue).default({}),
  timeoutS: z.number().min(1).max(120).default(20),
  concurrency: z.int().min(1).max(64).default(8),
  ingestLagS: z.number().min(0).max(600).default(0),
  exclusive: z.boolean().default(false),
  writeUrl: StoreUrl.optional(),
});

const PoolMember = orShort(
  isText,
  (cluster) => ({ cluster }),
  section({
    cluster: Text,
    match: Match.refine(
      (match) => Object.keys(match).length > 0,
      'must tell the pool apart from the rest of the store',
    ).optional(),
    model: Text.optional(),
  }),
);

const Island = section({ name: Text, prometheus: Prometheus, sharedPool: z.array(PoolMember).default([]) });

const Cluster = section({
  name: z.string().regex(clusterName, 'must be letters, digits, dots, dashes and underscores, at most 121'),
  island: Text,
  vendor: word(vendors),
  model: Text.optional(),
  match: Match.optional(),
  exported: z.array(word(families)).default([]),
});

const Organization = section({
  name: Text,
  tokens: Tokens,
  tokensFile: Text.optional(),
  clusters: z.array(Cluster).min(1, 'must name at least one cluster'),
});

const NodeLabels = orShort(isText, (label) => [label], z.array(LabelName).min(1));
const Labels = section({ node: NodeLabels }).optional();

const Source = section({
  metric: MetricName,
  match: Match.optional(),
  scale: z
    .number()
    .refine((scale) => scale !== 0, 'must not be 0: every reading would be')
    .default(1),
  rank: z.int().min(0).default(0),
  ratioOrPercent: z.literal(true).optional(),
  lifelong: z.literal(true).optional(),
  events: z.enum(['sticky-code', 'bitmask', 'sliding-count']).optional(),
});

const Override = section({
  sources: z.array(Source).min(1).optional(),
  plausible: z
    .tuple([z.number(), z.number()])
    .refine(([least, most]) => least < most, 'must be [least, most], the least first')
    .optional(),
}).refine(
  ({ sources, plausible }) => sources !== undefined || plausible !== undefined,
  'must give sources or plausible',
);

const { assumed } = usualLimits;
const Limits = section({
  documentTokens: z.int().min(100).max(32_768).default(usualLimits.documentTokens),
  depth: z.int().min(16).max(200).default(usualLimits.depth),
  aliases: z.int().min(1).max(5_000).default(usualLimits.aliases),
  rootFields: z.int().min(1).max(1_000).default(usualLimits.rootFields),
  fields: z.int().min(1_000).max(100_000_000).default(usualLimits.fields),
  cost: z.int().min(1_000).max(1e15).default(usualLimits.cost),
  requestsPerMinute: z.int().min(1).max(10_000_000).default(usualLimits.requestsPerMinute),
  concurrency: z.int().min(1).max(100_000).default(usualLimits.concurrency),
  subscriptions: z.int().min(0).max(100_000).default(usualLimits.subscriptions),
  assumed: section({
    nodes: z.int().min(1).max(100_000).default(assumed.nodes),
    gpusPerNode: z.int().min(1).max(1_000).default(assumed.gpusPerNode),
  }).prefault({}),
});

/** gpuql.yaml. */
export const Shape = section({
  listen: section({
    host: Text.default('127.0.0.1'),
    port: z.int().min(0).max(65_535).default(4000),
  }).prefault({}),
  http: Http,
  auth: Auth,
  islands: z.array(Island).min(1, 'must name at least one island'),
  organizations: z.array(Organization).min(1, 'must name at least one organization'),
  labels: section({
    cluster: LabelName.default('cluster'),
    node: NodeLabels.optional(),
    dcgm: Labels,
    amd: Labels,
    nodeExporter: Labels,
    kubeStateMetrics: Labels,
    alerts: Labels,
  }).prefault({}),
  scrapeIntervalS: orShort(
    isNumber,
    (seconds) => ({ default: seconds }),
    section({
      default: Seconds.default(30),
      dcgm: Seconds.optional(),
      amd: Seconds.optional(),
      nodeExporter: Seconds.optional(),
      kubeStateMetrics: Seconds.optional(),
      alerts: Seconds.optional(),
    }),
  ).prefault({}),
  models: z.record(Pattern, Text).default({}),
  readings: z
    .record(Text, section({ nvidia: Override.optional(), amd: Override.optional(), host: Override.optional() }))
    .default({}),
  alerts: z.array(section({ match: Pattern, check: word([...checks, 'none']) })).default([]),
  flags: section({ minThrottledPct: z.number().min(0).max(100).default(0) }).prefault({}),
  virtualDevices: Pattern.optional(),
  limits: Limits.prefault({}),
  trustedDocuments: section({ manifest: Text, only: z.boolean().default(false) }).optional(),
});
export type Shape = z.infer<typeof Shape>;
