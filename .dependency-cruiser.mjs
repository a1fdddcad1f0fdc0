// The architecture: each room may import only the rooms to its left.
const order = [
  'domain',
  'window',
  'readings',
  'samples',
  'rules',
  'identity',
  'promql',
  'scope',
  'runs',
  'reads',
  'evidence',
  'prometheus',
  'live',
  'schema',
  'server',
  'mcp',
  'report',
  'forward',
  'embedded',
  'demo',
  'commands',
];

const looksLeftOnly = order.map((room, i) => ({
  name: `${room}-looks-left-only`,
  comment: `${room} may import only: ${order.slice(0, i).join(', ') || 'nothing'}`,
  severity: 'error',
  from: { path: `^src/${room}/` },
  to: {
    path: `^src/(${[...order.slice(i + 1), 'main', 'gpuql', ...(room === 'commands' ? [] : ['config'])].join('|')})[./]`,
  },
}));

const door = (name, comment, from, to) => ({
  name,
  comment,
  severity: 'error',
  from: { path: '^src/', pathNot: from },
  to: { path: to },
});

export default {
  options: { doNotFollow: { path: 'node_modules' }, tsPreCompilationDeps: true },
  forbidden: [
    ...looksLeftOnly,
    door('promql-only-through-scope', 'query text is made in scope/, confined', '^src/(scope|promql)/', '^src/promql/'),
    door(
      'stores-only-from-commands',
      'only commands/ wires a store to a server',
      '^src/(commands|prometheus)/',
      '^src/prometheus/',
    ),
    {
      name: 'report-is-light',
      comment: 'a training loop that imports gpuql/report loads no gateway',
      severity: 'error',
      from: { path: '^src/(report|runs)/' },
      to: { path: '^src/', pathNot: '^src/(report/|runs/|domain/|errors[.])' },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
  ],
};
