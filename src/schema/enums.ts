import {
  type Check,
  checks,
  families,
  type Family,
  type FlagKind,
  flagKinds,
  hostResources,
  severities,
} from '../domain/fleet.ts';
import { podPhases, workloadKinds } from '../domain/workload.ts';
import { builder } from './builder.ts';

const familyWords: Readonly<Record<Family, string>> = {
  GPU_TEMP: 'GPU temperature.',
  MEMORY_TEMP: 'GPU memory temperature.',
  SM_CLOCK: 'Core clock.',
  MEM_CLOCK: 'Memory clock.',
  GPU_UTIL: 'Share of time in which some kernel ran.',
  TENSOR_ACTIVE: 'Tensor core activity.',
  SM_ACTIVE: 'How busy the cores were.',
  DRAM_ACTIVE: 'How busy the memory interface was.',
  POWER: 'Power draw.',
  HBM: 'GPU memory in use and in all.',
  THROTTLE_VIOLATIONS: 'Seconds of throttle by cause. NVIDIA only.',
  CLOCK_EVENTS: 'Clock events by kind. NVIDIA only.',
  LINK_ERRORS: 'Fabric link (NVLink) and PCIe errors; on AMD PCIe alone.',
  ECC: 'Memory errors.',
  XID: 'GPU fault events. NVIDIA only; silent while all is well.',
  HOST_CPU: 'Host processor time and load.',
  HOST_PRESSURE: 'Time the host waited for CPU, memory or disk.',
  HOST_NIC: 'Host network traffic, errors and drops.',
  NORTH_SOUTH: 'Traffic to and from the internet; no exporter has it unless the configuration names one.',
  HEALTH_EPISODES: "The site's own alerting history; silent while all is well.",
};
const checkWords: Readonly<Record<Check, string>> = {
  THERMAL: 'Heat.',
  POWER: 'Power limits.',
  UTILIZATION: 'GPUs that stopped working.',
  COMM: 'Links, PCIe, memory errors and GPU faults.',
  HOST: 'The host waiting for CPU, memory or disk.',
  MEMORY: 'GPU memory running full.',
};

const kindWords: Readonly<Record<FlagKind, string>> = {
  THERMAL_THROTTLE:
    'Heat: throttle time by temperature rose, a thermal clock event landed, or the GPU held at or above 83 °C for 5 minutes. HIGH from 10 minutes on.',
  POWER_CAP:
    'Throttle time by the power limit rose, or a power clock event landed. HIGH from 10 minutes on. Never on AMD.',
  UTILIZATION_COLLAPSE:
    "Activity stayed below half the window's median for 10 minutes while a pod had the GPU. Tensor core activity, else utilization.",
  COMM_ERRORS:
    'A fabric link or PCIe error counter rose, an uncorrectable memory error or a GPU fault landed. HIGH for the last two.',
  HOST_PRESSURE: 'The host waited for CPU, memory or disk more than 20 % of the time for 5 minutes; one flag for each.',
  MEMORY_PRESSURE: 'GPU memory in use held at or above 95 % of the total for 5 minutes.',
};

const described = <K extends string>(words: Readonly<Record<K, string>>, order: readonly K[]) =>
  Object.fromEntries(order.map((name) => [name, { description: words[name] }])) as Record<K, { description: string }>;

export const MetricFamilyEnum = builder.enumType('MetricFamily', {
  description: 'A group of readings that answer together, or are missing together.',
  values: described(familyWords, families),
});
export const CheckEnum = builder.enumType('Check', {
  description: 'What a condition is about.',
  values: described(checkWords, checks),
});
export const GpuVendorEnum = builder.enumType('GpuVendor', {
  description: 'Who makes the GPUs of a cluster; it decides which readings can exist.',
  values: described({ NVIDIA: 'Read from dcgm-exporter.', AMD: "Read from AMD's device metrics exporter." }, [
    'NVIDIA',
    'AMD',
  ]),
});
export const WindowRangeEnum = builder.enumType('WindowRange', {
  description: 'A window that ends now.',
  values: {
    LAST_1H: { description: 'The last hour.' },
    LAST_6H: { description: 'The last 6 hours.' },
    LAST_24H: { description: 'The last 24 hours.' },
    LAST_7D: { description: 'The last 7 days.' },
  },
});
export const NodeStateEnum = builder.enumType('NodeState', {
  description: "Kubernetes' Ready condition of a node at the window's end.",
  values: described(
    { READY: 'Ready.', NOT_READY: 'Not ready.', UNKNOWN: 'Kubernetes lost touch with it, or nothing recent tells.' },
    ['READY', 'NOT_READY', 'UNKNOWN'],
  ),
});
export const ResultTypeEnum = builder.enumType('ResultType', {
  description: 'What a PromQL expression answers with.',
  values: {
    MATRIX: { description: 'Series of values over the window.' },
    VECTOR: { description: 'Series of one value each.' },
    SCALAR: { description: 'One number without labels.' },
  } as const,
});

export const GpuSharingEnum = builder.enumType('GpuSharing', {
  description: "Whether a reading is one pod's or the device's.",
  values: described(
    {
      EXCLUSIVE: 'At most one pod at a time.',
      SHARED: 'Several pods at once: a reading is of all of them together.',
      PARTITIONED: 'Cut into MIG instances or AMD partitions: a reading is of the whole device.',
    },
    ['EXCLUSIVE', 'SHARED', 'PARTITIONED'],
  ),
});
export const WorkloadKindEnum = builder.enumType('WorkloadKind', {
  description: 'What made the pods of a workload.',
  values: described(
    {
      JOB: 'A Job.',
      JOB_SET: 'A JobSet, with the pods of its Jobs.',
      MPI_JOB: 'An MPIJob, its launcher and its workers.',
      DEPLOYMENT: 'A Deployment, with the pods of its ReplicaSets.',
      STATEFUL_SET: 'A StatefulSet.',
      POD: 'One pod. In lists, one that nothing of the other kinds made.',
    },
    workloadKinds,
  ),
});
export const PlacementSourceEnum = builder.enumType('PlacementSource', {
  description: 'Where a placement comes from.',
  values: described(
    {
      HISTORY: 'From what kube-state-metrics showed in the window.',
      CURRENT_PODS:
        'The store holds nothing of it in the window: from the pods that exist now, which may not be all that there were.',
    },
    ['HISTORY', 'CURRENT_PODS'],
  ),
});
export const PodPhaseEnum = builder.enumType('PodPhase', {
  description: "Kubernetes' phase of a pod.",
  values: described(
    {
      PENDING: 'Waiting, for a node or for its containers.',
      RUNNING: 'Running.',
      SUCCEEDED: 'Ended well.',
      FAILED: 'Ended badly.',
      UNKNOWN: 'Kubernetes lost touch with it.',
    },
    podPhases,
  ),
});
export const FlagKindEnum = builder.enumType('FlagKind', {
  description: 'A condition that a rule looks for in the raw samples.',
  values: described(kindWords, flagKinds),
});
export const SeverityEnum = builder.enumType('Severity', {
  description: 'How serious a flag is.',
  values: described({ WARN: 'Worth a look.', HIGH: 'Serious.' }, severities),
});
export const FlagChangeTypeEnum = builder.enumType('FlagChangeType', {
  description: 'What happened to a flag.',
  values: described(
    {
      RAISED: 'It burns: it began, or did when this subscription did.',
      CHANGED: 'It is of another severity than was told, or is heard again after a silence.',
      CLEARED:
        'It is over: for as long as a flag could go on unseen (6 minutes with samples every 30 s) there was no evidence, and what it rests on was heard. Should it go on after all, it is raised again under its key.',
      SILENT:
        'What it rests on is not heard any more, so nobody can tell whether it is over: neither is it cleared. Told once.',
      CURRENT:
        'About no flag: everything up to this moment has been told. Comes first after all flags that burn, and again when the store has answered after a failure.',
    },
    ['RAISED', 'CHANGED', 'CLEARED', 'SILENT', 'CURRENT'],
  ),
});
export const HostResourceEnum = builder.enumType('HostResource', {
  description: 'What a host can wait for.',
  values: described({ CPU: 'A processor.', MEMORY: 'Memory.', IO: 'A disk.' }, hostResources),
});

export const RunPauseKindEnum = builder.enumType('RunPauseKind', {
  description: 'Why a run did not train for a while.',
  values: {
    EVALUATION: { description: 'A pass of an evaluation.' },
    CHECKPOINT: { description: 'A checkpoint was written.' },
  },
});
