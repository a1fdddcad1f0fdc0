import type { Labels } from '../domain/series.ts';
import { cpusPerNode } from './fleet.ts';
import { hostPressure } from './incidents.ts';
import { elapsed, jitter, pick, pulsed, seedOf, swing, swung } from './shapes.ts';
import { checkpointEveryS, checkpointS, profiles } from './profiles.ts';
import { podGroups } from './workloads.ts';

/** One series of a host: a name, its own labels, and a closed form of time. */
export interface HostReading {
  readonly name: string;
  readonly labels?: Labels;
  readonly read: (at: number) => number;
}

/** Shares of a CPU's time: `base` always, `sway` with the node's slow swing. They sum to 1 and 0. */
const modes = {
  idle: { base: 0.688, sway: -0.11 },
  iowait: { base: 0.006, sway: 0 },
  user: { base: 0.252, sway: 0.09 },
  system: { base: 0.053, sway: 0.02 },
  steal: { base: 0.001, sway: 0 },
} as const;

/** Bytes per second on each device; a bond counts what its two slaves carry. */
const devices = { bond0: 2 * 310e6, eth0: 310e6, eth1: 310e6, lo: 4.2e6, veth3f2a91c: 1.1e6 } as const;

const swayS = 3600;

/** When the hosts booted: their counters begin there. */
const bootedOf = (node: string) => -(20 + pick(`${node}/boot`, 40)) * 86_400 - pick(node, 86_400);

const round = (value: number, digits: number) => Math.round(value * 10 ** digits) / 10 ** digits;

/** Seconds this host waited for its disks: a little always, more in a checkpoint, much in an incident. */
function ioWaitedS(node: string, at: number, booted: number): number {
  const checkpoints = podGroups
    .filter((group) => profiles[group.profile].checkpoints && group.pods.some((pod) => pod.node === node))
    .reduce((seconds, group) => {
      const phaseS = seedOf(group.top[1]) % checkpointEveryS;
      const spent = (moment: number) => pulsed(moment, checkpointEveryS, checkpointS, phaseS);
      const [from, to] = [Math.max(group.from, booted), Math.min(group.to, at)];
      return seconds + 0.09 * Math.max(0, spent(to) - spent(from));
    }, 0);
  const incidents = hostPressure
    .filter((incident) => incident.node === node)
    .reduce((seconds, { from, forS, share }) => seconds + share * elapsed(at, from, from + forS), 0);
  return 0.008 * (at - booted) + checkpoints + incidents;
}

/** What one host's node_exporter shows. */
export function hostReadings(node: string): HostReading[] {
  const booted = bootedOf(node);
  const phase = pick(node, 6);
  const gained = (at: number) => swung(at, swayS, phase) - swung(booted, swayS, phase);
  const pressure = {
    cpu: (at: number) => 0.031 * (at - booted) + 0.01 * gained(at),
    memory: (at: number) => 0.0004 * (at - booted),
    io: (at: number) => ioWaitedS(node, at, booted),
  };
  return [
    ...Array.from({ length: cpusPerNode }, (_, cpu) =>
      Object.entries(modes).map(([mode, { base, sway }]) => ({
        name: 'node_cpu_seconds_total',
        labels: { cpu: String(cpu), mode },
        read: (at: number) => round(base * (at - booted) + sway * gained(at) + pick(`${node}/${cpu}/${mode}`, 900), 2),
      })),
    ).flat(),
    {
      name: 'node_load1',
      read: (at) =>
        round(cpusPerNode * (0.36 + 0.11 * swing(at, swayS, phase) + 0.03 * jitter(phase, Math.floor(at / 30))), 2),
    },
    ...Object.entries(pressure).map(([resource, seconds]) => ({
      name: `node_pressure_${resource}_waiting_seconds_total`,
      read: (at: number) => round(seconds(at), 6),
    })),
    ...(['io', 'memory'] as const).map((resource) => ({
      name: `node_pressure_${resource}_stalled_seconds_total`,
      read: (at: number) => round(0.7 * pressure[resource](at), 6),
    })),
    ...Object.entries(devices).flatMap(([device, rate]) =>
      ['receive', 'transmit'].flatMap((way) => [
        {
          name: `node_network_${way}_bytes_total`,
          labels: { device },
          read: (at: number) => Math.round(rate * (at - booted + 0.2 * gained(at))),
        },
        { name: `node_network_${way}_errs_total`, labels: { device }, read: () => 0 },
        {
          name: `node_network_${way}_drop_total`,
          labels: { device },
          read: () => (device === 'lo' ? 0 : pick(node, 40)),
        },
      ]),
    ),
    { name: 'node_bonding_slaves', labels: { master: 'bond0' }, read: () => 2 },
    { name: 'node_bonding_active', labels: { master: 'bond0' }, read: () => 2 },
  ];
}
