import type { Evidence } from '../rules/finding.ts';
import { HostResourceEnum, MetricFamilyEnum } from './enums.ts';
import { referenceOfFlag } from './flag-context.ts';
import { ClockEventRef, EvidenceRef, type FlagInWindow } from './refs.ts';

const number = (name: keyof Evidence, description: string) => ({
  description,
  resolve: ({ finding }: FlagInWindow) => finding.evidence[name] as number | undefined,
});
const count = (name: keyof Evidence, description: string) => ({
  type: 'Count' as const,
  ...number(name, `${description}, count.`),
});

EvidenceRef.implement({
  description: 'The numbers behind one flag, over its own stretch; null is what it does not rest on.',
  fields: (t) => ({
    peakTempC: t.float(number('peakTempC', 'Highest GPU temperature, °C.')),
    referenceP95C: t.float({
      description:
        'What to compare it with: 95th percentile of GPU temperature of this model, °C. Null where there is nothing to pool.',
      resolve: (flag, _args, operation) => referenceOfFlag(flag, operation),
    }),
    thermalThrottleS: t.float(number('thermalThrottleS', 'Seconds throttled by temperature.')),
    powerThrottleS: t.float(number('powerThrottleS', 'Seconds throttled by the power limit.')),
    clockEvents: t.field({
      type: [ClockEventRef],
      nullable: { list: true, items: false },
      description: 'Clock events of the cause, by kind.',
      resolve: ({ finding }) => finding.evidence.clockEvents && [...finding.evidence.clockEvents],
    }),
    linkCrc: t.field(count('linkCrc', 'NVLink CRC errors')),
    linkReplay: t.field(count('linkReplay', 'NVLink replays')),
    linkRecovery: t.field(count('linkRecovery', 'NVLink recoveries')),
    pcieReplay: t.field(count('pcieReplay', 'PCIe replays')),
    pcieRecovery: t.field(count('pcieRecovery', 'PCIe link recoveries')),
    eccDbe: t.field(count('eccDbe', 'Uncorrectable memory errors')),
    xid: t.field(count('xid', 'GPU fault (XID) events')),
    xidCodes: t.field({
      type: ['Int'],
      nullable: { list: true, items: false },
      description: 'The XID codes of those events, lowest first, each once.',
      resolve: ({ finding }) => finding.evidence.xidCodes && [...finding.evidence.xidCodes],
    }),
    activityPct: t.float(number('activityPct', 'Mean activity, percent.')),
    medianActivityPct: t.float(number('medianActivityPct', "The window's median that it is compared with, percent.")),
    activityFamily: t.field({
      type: MetricFamilyEnum,
      description: 'TENSOR_ACTIVE, or GPU_UTIL where that is the fallback.',
      resolve: ({ finding }) => finding.evidence.activityFamily,
    }),
    resource: t.field({
      type: HostResourceEnum,
      description: 'What the host waited for.',
      resolve: ({ finding }) => finding.evidence.resource,
    }),
    peakPressurePct: t.float(number('peakPressurePct', 'Highest share of time that the host waited, percent.')),
    peakHbmUsedGib: t.float(number('peakHbmUsedGib', 'Most GPU memory in use, GiB.')),
    hbmTotalGib: t.float(number('hbmTotalGib', 'GPU memory in all, GiB.')),
  }),
});
