import type { HostReadingName } from '../readings/host.ts';
import { hostReadings } from '../readings/host.ts';
import { describedReading } from './describe.ts';
import { HostNicRef, HostPressureRef, HostRef, type NodeInWindow, NorthSouthRef, SeriesRef } from './refs.ts';
import { partsBelow } from './selection.ts';
import type { GraphQLResolveInfo } from 'graphql';

const series = (name: HostReadingName) => ({
  type: SeriesRef,
  description: describedReading(hostReadings[name]),
  resolve: ({ of, entry }: NodeInWindow, _args: object, _context: object, info: GraphQLResolveInfo) =>
    of.load.host(name, { node: entry.name, parts: partsBelow(info) }),
});
const count = (name: HostReadingName) => ({
  type: 'Count' as const,
  description: describedReading(hostReadings[name]),
  resolve: ({ of, entry }: NodeInWindow) => of.load.hostCounter(name, { node: entry.name }),
});
const itself = (node: NodeInWindow) => node;

HostRef.implement({
  description: 'The machine itself, as node_exporter saw it.',
  fields: (t) => ({
    cpuBusyPct: t.field(series('cpuBusyPct')),
    loadPerCore: t.field(series('loadPerCore')),
    pressure: t.field({
      type: HostPressureRef,
      nullable: false,
      description: 'Time the host waited for something.',
      resolve: itself,
    }),
    nic: t.field({
      type: HostNicRef,
      nullable: false,
      description: 'Its network: bond masters where there are any, else physical devices.',
      resolve: itself,
    }),
    northSouth: t.field({
      type: NorthSouthRef,
      nullable: false,
      description: 'Traffic to and from the internet; null until the configuration names a source.',
      resolve: itself,
    }),
  }),
});

HostPressureRef.implement({
  description: "Linux's pressure stall information: the share of time in which some task waited.",
  fields: (t) => ({
    cpu: t.field(series('pressure.cpu')),
    memory: t.field(series('pressure.memory')),
    io: t.field(series('pressure.io')),
  }),
});

HostNicRef.implement({
  description: 'Network traffic, errors and drops of a host.',
  fields: (t) => ({
    rxMbps: t.field(series('nic.rxMbps')),
    txMbps: t.field(series('nic.txMbps')),
    errors: t.field(count('nic.errors')),
    drops: t.field(count('nic.drops')),
  }),
});

NorthSouthRef.implement({
  description: 'Traffic that crosses the edge of the site, of one node.',
  fields: (t) => ({
    ingressMbps: t.field(series('northSouth.ingressMbps')),
    egressMbps: t.field(series('northSouth.egressMbps')),
  }),
});
