import type { FlagKind, HostResource } from '../domain/fleet.ts';
import type { Finding } from './finding.ts';
import type { Span } from './span.ts';
import { hotC } from './throttle.ts';
import { fullShare, waitedPct } from './pressure.ts';

/** The store did not answer. */
type Unavailable = 'unavailable';

/** What a sentence about a finding says besides the finding's own numbers. */
export interface Context {
  readonly node: string;
  /** °C; null where there is nothing to compare with. */
  readonly referenceP95C: number | null | Unavailable;
  /** The site's own record of it; `to` null while it is open. */
  readonly episode: { readonly from: number; readonly to: number | null } | null | Unavailable;
  readonly window: Span;
}

/** One sentence with the numbers, in UTC, that can be quoted as it stands. */
export function summaryOf(finding: Finding, context: Context): string {
  const who = finding.gpu === null ? context.node : `GPU ${finding.gpu} on ${context.node}`;
  const { what, numbers } = wording[finding.kind](finding, context);
  const details = numbers.length > 0 ? ` (${numbers.join(', ')})` : '';
  return `${who} ${what}${details}, ${when(finding)}${beyond(finding, context)}.`;
}

interface Words {
  readonly what: string;
  readonly numbers: readonly string[];
}

const wording: Readonly<Record<FlagKind, (finding: Finding, context: Context) => Words>> = {
  THERMAL_THROTTLE({ evidence, heldS, ...finding }, { referenceP95C }) {
    const { peakTempC, thermalThrottleS, clockEvents } = evidence;
    // A recorded episode may reach a scrape beyond the samples at either end.
    const length = finding.to - finding.from;
    const held = length - heldS < 120 ? length : heldS;
    const part = finding.clipped.start || finding.clipped.end ? ' inside this window' : '';
    const hot = heldS > 0 ? [`held at or above ${hotC} °C for ${minutes(held)}${part}`] : [];
    const slowed = thermalThrottleS ? [`was throttled by heat for ${number(thermalThrottleS)} s`] : [];
    const events = clockEvents ? [`was slowed down by heat (${listed(clockEvents)})`] : [];
    const all = [...hot, ...slowed, ...(hot.length + slowed.length === 0 ? events : [])];
    return {
      what: all.length > 0 ? all.join(' and ') : `had a recorded thermal episode of ${minutes(length)}`,
      numbers: [
        ...(peakTempC === undefined ? [] : [`peak ${number(peakTempC)} °C`]),
        ...(peakTempC === undefined || referenceP95C === null ? [] : [`reference p95 ${comparison(referenceP95C)}`]),
      ],
    };
  },
  POWER_CAP({ evidence: { powerThrottleS, clockEvents } }) {
    const events = clockEvents ? [listed(clockEvents)] : [];
    return powerThrottleS
      ? { what: `was held back by its power limit for ${number(powerThrottleS)} s`, numbers: events }
      : { what: 'was held back by its power limit', numbers: events };
  },
  UTILIZATION_COLLAPSE({ evidence, ...finding }) {
    const what = evidence.activityFamily === 'GPU_UTIL' ? 'utilization' : 'tensor activity';
    return {
      what: `kept its ${what} below half of its median for ${minutes(finding.to - finding.from)}`,
      numbers: [`mean ${number(evidence.activityPct!)} %`, `median ${number(evidence.medianActivityPct!)} %`],
    };
  },
  COMM_ERRORS({ evidence }) {
    const counts = Object.entries(errorWords).flatMap(([name, word]) => {
      const count = evidence[name as keyof typeof errorWords];
      return count ? [`${count} ${word}${count === 1 ? '' : 's'}`] : [];
    });
    const codes = evidence.xidCodes?.length ? [`XID ${evidence.xidCodes.join(', ')}`] : [];
    return { what: `had ${counts.join(', ')}`, numbers: codes };
  },
  HOST_PRESSURE({ evidence, ...finding }) {
    return {
      what: `waited for ${resourceWords[evidence.resource!]} more than ${waitedPct} % of the time for ${minutes(finding.to - finding.from)}`,
      numbers: [`peak ${number(evidence.peakPressurePct!)} %`],
    };
  },
  MEMORY_PRESSURE({ evidence, ...finding }) {
    return {
      what: `had at least ${fullShare * 100} % of its memory in use for ${minutes(finding.to - finding.from)}`,
      numbers: [`peak ${number(evidence.peakHbmUsedGib!)} of ${number(evidence.hbmTotalGib!)} GiB`],
    };
  },
};

const errorWords = {
  eccDbe: 'uncorrectable memory error',
  xid: 'GPU fault',
  linkCrc: 'NVLink CRC error',
  linkReplay: 'NVLink replay',
  linkRecovery: 'NVLink recovery event',
  pcieReplay: 'PCIe replay',
  pcieRecovery: 'PCIe recovery event',
} as const;
const resourceWords: Readonly<Record<HostResource, string>> = { CPU: 'CPU', MEMORY: 'memory', IO: 'disk' };

const listed = (events: readonly { readonly kind: string; readonly count: number }[]): string =>
  events.map(({ kind, count }) => `${kind} ×${count}`).join(', ');

const comparison = (reference: number | Unavailable): string =>
  reference === 'unavailable' ? 'not available' : `${number(reference)} °C`;
const number = (value: number): string => String(Math.round(value * 10) / 10);
const minutes = (seconds: number): string => `${number(seconds / 60)} min`;
const dateOf = (time: number): string => new Date(time * 1000).toISOString().slice(0, 10);
const clock = (time: number): string => new Date(time * 1000).toISOString().slice(11, 16);

function when({ from, to }: Span): string {
  if (dateOf(from) === dateOf(to) && clock(from) === clock(to)) return `at ${dateOf(from)} ${clock(from)} UTC`;
  const until = dateOf(from) === dateOf(to) ? clock(to) : `${dateOf(to)} ${clock(to)}`;
  return `from ${dateOf(from)} ${clock(from)} to ${until} UTC`;
}

/** How far it runs beyond what the finding covers: its length is a floor. */
function beyond({ from, clipped }: Finding, { episode, window }: Context): string {
  const edges = [
    ...(clipped.start ? ['already when the window began'] : []),
    ...(clipped.end ? ['still when it ended'] : []),
  ];
  const open = edges.length > 0 ? [`it was so ${edges.join(' and ')}`] : [];
  if (!episode || episode === 'unavailable') {
    const lost = episode ? ['whether it was recorded could not be read'] : [];
    return [...open, ...lost].map((part) => `; ${part}`).join('');
  }
  const day = (time: number) => (dateOf(time) === dateOf(from) ? clock(time) : `${dateOf(time)} ${clock(time)}`);
  const until = episode.to === null ? 'and is open' : `and ended ${day(episode.to)} UTC`;
  const outside = episode.from < window.from ? ', before the window,' : '';
  return [...open, `the recorded episode began ${day(episode.from)} UTC${outside} ${until}`]
    .map((part) => `; ${part}`)
    .join('');
}
