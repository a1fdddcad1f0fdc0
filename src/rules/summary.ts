import type { FlagKind, HostResource } from '../domain/fleet.ts';
import type { Finding } from './finding.ts';
import { covered, type Span } from './span.ts';
import { hotC } from './throttle.ts';
import { fullShare, waitedPct } from './pressure.ts';
import { clock, dateOf, minutes, number, when, whom } from './words.ts';

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
  const who = whom(context.node, finding.gpu);
  const { what, numbers } = wording[finding.kind](finding, context);
  const details = numbers.length > 0 ? ` (${numbers.join(', ')})` : '';
  return `${who} ${what}${details}, ${when(finding)}${beyond(finding, context)}.`;
}

interface Words {
  readonly what: string;
  readonly numbers: readonly string[];
}

const wording: Readonly<Record<FlagKind, (finding: Finding, context: Context) => Words>> = {
  THERMAL_THROTTLE({ evidence, held, clipped, ...finding }, { referenceP95C }) {
    const { peakTempC, thermalThrottleS, clockEvents } = evidence;
    const part = clipped.start || clipped.end ? ' inside this window' : '';
    const hot = held.length > 0 ? [`held at or above ${hotC} °C ${howLong(held)}${part}`] : [];
    const slowed = thermalThrottleS ? [`was throttled by heat for ${number(thermalThrottleS)} s`] : [];
    const events = clockEvents ? [`was slowed down by heat (${listed(clockEvents)})`] : [];
    const all = [...hot, ...slowed, ...(hot.length + slowed.length === 0 ? events : [])];
    return {
      what:
        all.length > 0 ? all.join(' and ') : `had a recorded thermal episode of ${minutes(finding.to - finding.from)}`,
      numbers: [
        ...(peakTempC === undefined ? [] : [`peak ${number(peakTempC, hotC)} °C`]),
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
  UTILIZATION_COLLAPSE({ evidence, held }) {
    const what = evidence.activityFamily === 'GPU_UTIL' ? 'utilization' : 'tensor activity';
    return {
      what: `kept its ${what} below half of its median ${howLong(held)}`,
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
  HOST_PRESSURE({ evidence, held }) {
    return {
      what: `waited for ${resourceWords[evidence.resource!]} more than ${waitedPct} % of the time ${howLong(held)}`,
      numbers: [`peak ${number(evidence.peakPressurePct!, waitedPct)} %`],
    };
  },
  MEMORY_PRESSURE({ evidence, held }) {
    return {
      what: `had at least ${fullShare * 100} % of its memory in use ${howLong(held)}`,
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
/** How long it held inside the window, the joints between several holds not counted. */
function howLong(held: readonly Span[]): string {
  const seconds = covered(held);
  if (seconds < 1) return 'at the edge of the window';
  return `for ${minutes(seconds)}${held.length > 1 ? ` in ${held.length} stretches` : ''}`;
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
