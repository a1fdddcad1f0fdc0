import { flagKinds } from '../domain/fleet.ts';
import type { Arguments, Reading, Weight, Weights } from '../domain/work.ts';
import { longestPage } from './connection.ts';
import type { Priced } from './upstream-prices.ts';

/** All nodes of a cluster, however many it has. */
const all = 1e9;
/** Nodes that a workload is taken to have, and workloads that a node is. */
const nodesOfWorkload = 8;
const workloadsOfNode = 8;

/** What is read is `<what it costs> <its name>`: two fields that read the same are read once. */
const reading = (price: Priced, name = '', more: Omit<Reading, 'as'> = {}): Reading => ({
  as: `${price} ${name}`,
  ...more,
});
const reads = (price: Priced, name?: string, times = 1): Weight => ({ reads: () => [reading(price, name, { times })] });

const pageOf = ({ first, names }: Arguments): number => {
  const page = typeof first === 'number' ? Math.max(0, first) : 50;
  // A longer list will be refused, and is not worth looking at.
  return Array.isArray(names) && names.length <= longestPage ? Math.min(page, new Set(names).size) : page;
};

/** A report looks at its kinds alone; a host's at the host. */
function flagsOf({ kinds }: Arguments, times: number): Reading[] {
  const asked = flagKinds.filter((kind) => !Array.isArray(kinds) || kinds.includes(kind));
  const [hosts, gpus] = [asked.filter((kind) => kind === 'HOST_PRESSURE'), asked.filter((k) => k !== 'HOST_PRESSURE')];
  return [
    reading('inventory', '', { times: all }),
    reading('flags', '', { times, parts: gpus }),
    reading('hostFlags', '', { times, parts: hosts }),
  ];
}

const gauge = (name: string): Weight => ({
  reads: (_args, selected) => [reading('gauge', name, { parts: selected })],
});
const newest = ['last', 'lastAt'];

const gpuFields: Weights = {
  ...Object.fromEntries(
    ['memoryTempC', 'smClockMhz', 'memClockMhz', 'utilPct', 'smActivePct', 'dramActivePct', 'tensorActivePct', 'powerW']
      .concat('tempC', 'hbmUsedGib')
      .map((name) => [`Gpu.${name}`, gauge(name)]),
  ),
  'Gpu.peakTempC': { reads: () => [reading('gauge', 'tempC', { parts: ['max'] })] },
  'Gpu.hbmTotalGib': {
    reads: () =>
      ['hbmTotalGib', 'hbmUsedGib', 'hbmFreeGib', 'hbmReservedGib'].map((name) =>
        reading('gauge', name, { parts: newest }),
      ),
  },
  ...Object.fromEntries(
    ['thermalS', 'powerS', 'boardLimitS', 'syncBoostS', 'lowUtilS', 'reliabilityS'].map((name) => [
      `Throttle.${name}`,
      reads('counter', name),
    ]),
  ),
  'Throttle.clockEvents': reads('events', 'clockEvents'),
  ...Object.fromEntries(
    ['linkCrc', 'linkReplay', 'linkRecovery', 'pcieReplay', 'pcieRecovery', 'eccSbe', 'eccDbe'].map((name) => [
      `GpuErrors.${name}`,
      reads('counters', name),
    ]),
  ),
  'GpuErrors.xid': reads('faults', 'xid'),
  'GpuErrors.xidCodes': reads('faults', 'xid'),
};

const hostFields: Weights = {
  'Host.cpuBusyPct': reads('processors'),
  'Host.loadPerCore': reads('load'),
  'HostPressure.cpu': reads('pressure', 'cpu'),
  'HostPressure.memory': reads('pressure', 'memory'),
  'HostPressure.io': reads('pressure', 'io'),
  'HostNic.rxMbps': reads('traffic', 'rx'),
  'HostNic.txMbps': reads('traffic', 'tx'),
  'HostNic.errors': reads('losses', 'errors'),
  'HostNic.drops': reads('losses', 'drops'),
  'NorthSouth.ingressMbps': reads('traffic', 'ingress'),
  'NorthSouth.egressMbps': reads('traffic', 'egress'),
};

const flagFields: Weights = {
  'FlagReport.coverage': reads('coverage'),
  'FlagReport.note': reads('note'),
  'Flag.episode': reads('episodes'),
  'Flag.summary': { reads: () => [reading('episodes'), reading('reference', '', { times: all })] },
  'Evidence.referenceP95C': reads('reference', '', all),
};

const listed = reading('inventory', '', { times: all });
const placed = reading('placement', '', { times: nodesOfWorkload });

/** Runs that a workload is taken to have. */
const runsOfWorkload = 4;
const listedRuns = reading('runs', '', { times: all });
const ofRun = (...names: readonly string[]): Weight => ({
  reads: () => names.map((name) => reading('runSeries', name)),
});
/** A run's steps alone, unless something is selected that tells of its nodes. */
function slowdownsOf(selected: ReadonlySet<string>): Reading[] {
  const steps = ['steps', 'evaluations', 'checkpoints', 'annotations'].map((name) => reading('runSeries', name));
  if (!besideSlowdown.some((name) => selected.has(name))) return steps;
  const where = [reading('runSeries', 'events'), reading('workloads', '', { times: all }), placed];
  return [...steps, ...where, ...flagsOf({}, nodesOfWorkload)];
}
const besideSlowdown = ['flags', 'cleanNodes', 'unsureNodes', 'checked', 'families', 'summary', 'note'];

const runFields: Weights = {
  'Cluster.runs': { times: pageOf, reads: () => [listedRuns] },
  'Cluster.run': reads('runs', 'named'),
  'Workload.runs': { times: () => runsOfWorkload, reads: () => [listedRuns] },
  'Run.workload': { reads: () => [reading('runSeries', 'events'), reading('workloads', '', { times: all })] },
  'Run.firstEventAt': ofRun('events'),
  'Run.lastEventAt': ofRun('events'),
  'Run.steps': ofRun('events'),
  'Run.stepSeconds': ofRun('steps'),
  'Run.rate': { reads: ({ counter }) => [reading('runSeries', `rate/${String(counter)}`)] },
  'Run.metrics': { reads: (args) => [reading('runMetrics', JSON.stringify(args))] },
  'Run.findings': ofRun('findings'),
  'Run.annotations': ofRun('annotations'),
  'Run.pauses': ofRun('evaluations', 'checkpoints'),
  'Run.resumes': ofRun('events', 'steps'),
  'Run.status': reads('runStatus'),
  // Below are flags and nodes: as many as its workload has, at most.
  'Run.slowdowns': { times: () => nodesOfWorkload, reads: (_args, selected) => slowdownsOf(selected) },
  'Run.note': {
    reads: () => [
      ...['events', 'steps', 'findings', 'annotations'].map((name) => reading('runSeries', name)),
      reading('workloads', '', { times: all }),
    ],
  },
};

/** What each field of the schema means for the stores. What hangs on a GPU or a host is counted by nodes. */
export const weights: Weights = {
  'Query.cluster': { isPlace: true },
  'Query.clusters': { isPlace: true },
  'Query.metricsQuery': { isPlace: true },
  'Organization.clusters': { isPlace: true },
  'Mutation.reportRun': { isPlace: true },
  // One evaluation: what each event shows of one flag is read of all flags that burn.
  'Subscription.flagChanges': { isPlace: true, times: () => all, reads: (args) => flagsOf(args, all) },
  'Subscription.readings': {
    isPlace: true,
    times: ({ nodes }) => (Array.isArray(nodes) ? new Set(nodes).size : all),
    reads: () => [listed],
  },
  'Cluster.nodes': { times: pageOf, reads: () => [listed] },
  'Cluster.node': { reads: () => [listed] },
  'Cluster.gpuModel': { reads: () => [listed] },
  'Cluster.coverage': { reads: () => [listed, reading('coverage', '', { times: all })] },
  'Cluster.note': { reads: () => [listed, reading('note', '', { times: all })] },
  'Cluster.reference': { reads: () => [listed, reading('reference', '', { times: all })] },
  // Below are reports and flags: as many as there are nodes, at most.
  'Cluster.flags': { times: () => all, reads: (args) => flagsOf(args, all) },
  'Cluster.workload': { reads: () => [listed, reading('workloads', '', { times: all })] },
  'Cluster.workloads': { times: pageOf, reads: () => [listed, reading('workloads', '', { times: all })] },
  'Node.coverage': reads('coverage'),
  'Node.note': reads('note'),
  'Node.state': reads('states'),
  'Node.healthEpisodes': reads('episodes'),
  'Node.flags': { reads: (args) => flagsOf(args, 1) },
  'Node.workloads': { times: () => workloadsOfNode, reads: () => [reading('workloads', '', { times: all })] },
  'Workload.nodes': { times: () => nodesOfWorkload, reads: () => [placed] },
  'Workload.placement': { times: () => nodesOfWorkload, reads: () => [placed] },
  'Workload.placementSource': { reads: () => [placed] },
  'Workload.coverage': { reads: () => [placed, reading('coverage', '', { times: nodesOfWorkload })] },
  'Workload.note': { reads: () => [placed, reading('note', '', { times: nodesOfWorkload })] },
  'Workload.flags': {
    times: () => nodesOfWorkload,
    reads: (args) => [placed, ...flagsOf(args, nodesOfWorkload)],
  },
  ...gpuFields,
  ...hostFields,
  ...flagFields,
  ...runFields,
};
