import type { Matcher } from '../domain/matcher.ts';
import { exporters } from '../domain/site.ts';
import type { Exporter, ExporterSite, ReadingOverride, Site } from '../domain/site.ts';
import { wholePattern } from './pattern.ts';
import type { Shape } from './shape.ts';

/** Which labels name the node, by exporter: the first that a series has. */
const defaultNodeLabels: Readonly<Record<Exporter, readonly string[]>> = {
  dcgm: ['Hostname', 'hostname', 'exported_hostname', 'node', 'kubernetes_node', 'instance'],
  amd: ['hostname', 'exported_hostname', 'node', 'kubernetes_node', 'instance'],
  nodeExporter: ['node', 'nodename', 'kubernetes_node', 'hostname', 'instance'],
  // Where Prometheus keeps its target's labels, `node` is where kube-state-metrics runs.
  kubeStateMetrics: ['exported_node', 'node'],
  alerts: ['node', 'Hostname', 'hostname', 'exported_hostname', 'kubernetes_node', 'instance'],
};

/** Network devices that carry another device's traffic a second time, or none that leaves the machine. */
const defaultVirtualDevices =
  'lo|veth.*|cali.*|cilium.*|lxc.*|docker.*|br-.*|br\\d+|kube-bridge|vlan.*|ovs.*|genev.*|weave.*|nerdctl.*|podman.*|wg\\d*|cni.*|flannel.*|tunl.*|vxlan.*|virbr.*|kube-ipvs.*|dummy.*|' +
  'nodelocaldns|bonding_masters|sit.*|gre.*|ifb.*|tap.*|tun.*';

/** What the configuration says about how the telemetry looks, with the defaults for what it leaves out. */
export function siteOf({
  labels,
  scrapeIntervalS,
  models,
  readings,
  alerts,
  flags,
  virtualDevices,
}: SiteSettings): Site {
  const exporter = (name: Exporter): ExporterSite => {
    // kube-state-metrics names nodes in labels of its own, which no relabelling of the exporters touches.
    const siteWide = name === 'kubeStateMetrics' ? undefined : labels.node;
    return {
      nodeLabels: labels[name]?.node ?? siteWide ?? defaultNodeLabels[name],
      scrapeIntervalS: scrapeIntervalS[name] ?? scrapeIntervalS.default,
    };
  };
  return {
    clusterLabel: labels.cluster,
    exporters: Object.fromEntries(exporters.map((name) => [name, exporter(name)])) as Record<Exporter, ExporterSite>,
    models: Object.entries(models).map(([text, name]) => ({ pattern: wholePattern(text)!, name })),
    readings: Object.fromEntries(Object.entries(readings).map(([name, overrides]) => [name, byMaker(overrides)])),
    alerts: alerts.map(({ match, check }) => ({
      pattern: wholePattern(match)!,
      check: check === 'none' ? null : check,
    })),
    minThrottledPct: flags.minThrottledPct,
    virtualDevices: virtualDevices ?? defaultVirtualDevices,
  };
}

type SiteSettings = Pick<
  Shape,
  'labels' | 'scrapeIntervalS' | 'models' | 'readings' | 'alerts' | 'flags' | 'virtualDevices'
>;
type Overrides = Shape['readings'][string];

const byMaker = ({ nvidia, amd, host }: Overrides): Site['readings'][string] => ({
  ...(nvidia && { NVIDIA: override(nvidia) }),
  ...(amd && { AMD: override(amd) }),
  ...(host && { HOST: override(host) }),
});

const override = ({ sources, plausible }: NonNullable<Overrides['nvidia']>): ReadingOverride => ({
  ...(plausible && { plausible }),
  ...(sources && {
    sources: sources.map(({ match, ratioOrPercent, lifelong, events, ...source }) => ({
      ...source,
      ...(match && { match: matchersOf(match) }),
      ...(ratioOrPercent && { ratioOrPercent }),
      ...(lifelong && { lifelong }),
      ...(events && { events }),
    })),
  }),
});

export const matchersOf = (match: NonNullable<Shape['organizations'][0]['clusters'][0]['match']>): Matcher[] =>
  Object.entries(match).map(([label, { op, value }]) => ({ label, op, value }));
