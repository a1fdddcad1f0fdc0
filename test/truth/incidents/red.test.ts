import { active } from '../../support/fleet/alerts.ts';
import { amd } from '../../support/fleet/amd.ts';
import { ago, HOUR, MINUTE, scrapes } from '../../support/fleet/clock.ts';
import { jointly, type NodeSeries } from '../../support/fleet/counting.ts';
import { incidents, type Situation } from '../../support/fleet/incidents.ts';
import { except, stepped, type Value } from '../../support/fleet/series.ts';
import { amdGpu, at, climbing, host, lasting, nvidia, phase, scrapeAt } from '../../support/fleet/situations.ts';

const junction = 'gpu_junction_temperature';
const tensor = 'gpu_prof_tensor_active_percent';
const activity = 'gpu_gfx_activity';
const replay = 'pcie_replay_count';
const reads = (metric: string, value: Value): NodeSeries => amdGpu({ readings: { [metric]: value } });
const hot = (...spans: [from: number, minutes: number][]): NodeSeries =>
  reads(junction, except(62, 86, ...spans.map(([from, minutes]) => lasting(from, minutes))));

const alone: Situation[] = [
  ['hot for five minutes', hot([20, 5]), ['THERMAL_THROTTLE WARN 5 min']],
  ['hot for four and a half minutes', hot([20, 4.5]), []],
  ['at just 83 °C for ten minutes', reads(junction, except(62, 83, lasting(20, 10))), ['THERMAL_THROTTLE HIGH 10 min']],
  ['at 82.9 °C throughout', reads(junction, 82.9), []],
  ['hot all the time', hot([-30, 100]), ['THERMAL_THROTTLE HIGH 59.5 min clipped at both']],
  ['hot since before the window', hot([-3, 6]), ['THERMAL_THROTTLE WARN 3 min clipped at start']],
  ['hot still at the end', hot([53, 10]), ['THERMAL_THROTTLE WARN 6.5 min clipped at end']],
  ['hot, and again four and a half minutes later', hot([20, 5], [29.5, 5.5]), ['THERMAL_THROTTLE HIGH 15 min']],
  [
    'an older board with an edge sensor only',
    amdGpu({ readings: { [junction]: null, gpu_edge_temperature: except(62, 86, lasting(20, 6)) } }),
    ['THERMAL_THROTTLE WARN 6 min'],
  ],
  ['not available, as 65535, for ten minutes', reads(junction, except(62, 65_535, lasting(20, 10))), []],
  [
    'hot while jobs take turns',
    amdGpu({
      readings: { [junction]: except(62, 86, lasting(20, 6)) },
      lives: [
        [0, { pod: 'a' }],
        [at(23), { pod: 'b' }],
      ],
    }),
    ['THERMAL_THROTTLE WARN 6 min'],
  ],
  [
    'hot, two minutes of it silent',
    amdGpu({
      readings: { [junction]: except(62, 86, lasting(20, 9)) },
      scraping: { holes: [[at(24) + 10, at(25.5) + 10]] },
    }),
    [],
  ],
  ['its package power at the limit', reads('gpu_package_power', 1400), []],
  [
    'its own throttle counters run: nothing is made of them',
    jointly(amdGpu(), (node) =>
      amd({ node, pod: 'train-0' }, scrapes({ phase }), {
        gpu_violation_ppt_residency_accumulated: climbing(0, 900, lasting(10, 30)),
        gpu_violation_socket_thermal_residency_accumulated: climbing(0, 900, lasting(10, 30)),
        gpu_afid_errors: stepped(0, [scrapeAt(20), 24]),
      }),
    ),
    [],
  ],
  ['a PCIe replay', reads(replay, stepped(3, [scrapeAt(20), 5])), ['COMM_ERRORS WARN 0.5 min']],
  ['a PCIe recovery', reads('pcie_recovery_count', stepped(1, [scrapeAt(20), 2])), ['COMM_ERRORS WARN 0.5 min']],
  [
    'PCIe replays that end in a recovery',
    amdGpu({
      readings: { [replay]: climbing(3, 4, lasting(20, 2)), pcie_recovery_count: stepped(1, [scrapeAt(24), 2]) },
    }),
    ['COMM_ERRORS WARN 4.5 min'],
  ],
  [
    'an uncorrectable memory error',
    reads('gpu_ecc_uncorrect_total', stepped(0, [scrapeAt(20), 1])),
    ['COMM_ERRORS HIGH 0.5 min'],
  ],
  ['correctable memory errors', reads('gpu_ecc_correct_total', climbing(2, 5, lasting(20, 10))), []],
  ['deferred memory errors', reads('gpu_ecc_deferred_total', climbing(0, 5, lasting(20, 10))), []],
  ['a driver reload', reads(replay, stepped(9, [scrapeAt(20), 0])), []],
  ['an exporter that comes up with a history', amdGpu({ readings: { [replay]: 7 }, scraping: { from: at(20) } }), []],
  [
    'another board in its place, with a history of its own',
    amdGpu({
      readings: { [replay]: 5 },
      scraping: { to: at(20) },
    }),
    [],
  ],
  ['the matrix cores fall idle', reads(tensor, except(50, 10, lasting(20, 12))), ['UTILIZATION_COLLAPSE WARN 12 min']],
  ['the matrix cores fall idle for nine and a half minutes', reads(tensor, except(50, 10, lasting(20, 9.5))), []],
  [
    'the profiler is off: the whole GPU falls idle',
    amdGpu({ readings: { [tensor]: null, [activity]: except(80, 10, lasting(20, 12)) } }),
    ['UTILIZATION_COLLAPSE WARN 12 min'],
  ],
  [
    'the pod is gone and the GPU idle',
    amdGpu({
      readings: { [tensor]: except(50, 0, lasting(20, 60)) },
      lives: [
        [0, { pod: 'a' }],
        [at(20), { pod: undefined }],
      ],
    }),
    [],
  ],
  [
    '95 % of memory in use',
    reads('gpu_used_vram', except(200_000, 279_680, lasting(20, 5))),
    ['MEMORY_PRESSURE WARN 5 min'],
  ],
  ['94.9 % of memory in use', reads('gpu_used_vram', except(200_000, 279_385, lasting(20, 30))), []],
  [
    'one of four partitions full, the board not',
    (node) =>
      [0, 1, 2, 3].flatMap((partition) =>
        amd({ node, id: partition, serial: `SN-${node}`, partition, mode: 'cpx', pod: 'train-0' }, scrapes({ phase }), {
          ...(partition === 0 ? { gpu_junction_temperature: 60, gpu_gfx_activity: 80 } : {}),
          gpu_used_vram: partition === 1 ? 73_600 : 20_000,
          gpu_total_vram: 73_600,
        }),
      ),
    [],
  ],
  [
    'a host that waits for disks',
    jointly(amdGpu(), host({ io: except(0.01, 0.3, lasting(20, 7)) })),
    ['HOST_PRESSURE IO WARN 7 min'],
  ],
  [
    'hot, erring and full at once',
    amdGpu({
      readings: {
        [junction]: except(62, 95, lasting(20, 11)),
        gpu_ecc_uncorrect_total: stepped(0, [scrapeAt(25), 3]),
        gpu_used_vram: except(200_000, 290_000, lasting(22, 6)),
      },
    }),
    ['THERMAL_THROTTLE HIGH 11 min', 'COMM_ERRORS HIGH 0.5 min', 'MEMORY_PRESSURE WARN 6 min'],
  ],
];

const alert = (name: string, began: number, ended: number, gpu?: number): NodeSeries => {
  return (node) =>
    active(
      {
        name,
        labels: { hostname: node, instance: `${node}:5000`, ...(gpu === undefined ? {} : { gpu_id: String(gpu) }) },
      },
      began,
      ended,
      phase,
    );
};
const tooHot = (from: number, to: number, gpu?: number): NodeSeries =>
  alert('GPUHighTemperature', scrapeAt(from), scrapeAt(to), gpu);

const recorded: Situation[] = [
  [
    'an episode on record, no heat: twelve minutes',
    jointly(amdGpu(), tooHot(20, 32, 0)),
    ['THERMAL_THROTTLE HIGH 12 min'],
  ],
  [
    'an episode on record, no heat: eight minutes',
    jointly(amdGpu(), tooHot(20, 28, 0)),
    ['THERMAL_THROTTLE WARN 8 min'],
  ],
  [
    'an episode that began before the window, eight minutes of it inside',
    jointly(amdGpu(), tooHot(-20, 8, 0)),
    ['THERMAL_THROTTLE WARN 8.12 min clipped at start'],
  ],
  ['an episode that ended before the window', jointly(amdGpu(), tooHot(-30, -10, 0)), []],
  ['an episode that names no GPU is the node’s', jointly(amdGpu(), tooHot(20, 32)), ['THERMAL_THROTTLE HIGH 12 min']],
  [
    'an episode of one GPU and the heat of another',
    jointly(hot([20, 6]), amdGpu({ gpu: { id: 3 } }), tooHot(40, 48, 3)),
    ['THERMAL_THROTTLE WARN 6 min', 'THERMAL_THROTTLE GPU 3 WARN 8 min'],
  ],
  [
    'heat of six minutes inside an episode of twelve: what held decides',
    jointly(hot([22, 6]), tooHot(20, 32, 0)),
    ['THERMAL_THROTTLE WARN 12 min'],
  ],
  [
    'heat of eleven minutes since before the episode',
    jointly(hot([18, 11]), tooHot(20, 32, 0)),
    ['THERMAL_THROTTLE HIGH 14 min'],
  ],
  ['an alert that never fired', jointly(amdGpu(), tooHot(20, 24, 0)), []],
  ['an alert of the host’s load', jointly(amdGpu(), alert('NodeHighCpuLoad', scrapeAt(20), scrapeAt(40))), []],
  ['an alert of memory errors', jointly(amdGpu(), alert('GPUEccErrors', scrapeAt(20), scrapeAt(40), 0)), []],
  ['heat without an episode', hot([20, 6]), ['THERMAL_THROTTLE WARN 6 min']],
];

const green: Situation[] = [
  [
    'on NVIDIA an episode alone is no evidence',
    jointly(nvidia(), (node) =>
      active({ name: 'GPUHighTemperature', labels: { Hostname: node, gpu: '0' } }, scrapeAt(20), scrapeAt(40), phase),
    ),
    [],
  ],
  [
    'on NVIDIA an episode gives its bounds to the heat that it overlaps',
    jointly(nvidia({ readings: { DCGM_FI_DEV_GPU_TEMP: except(62, 86, lasting(5, 9)) } }), (node) =>
      active({ name: 'GPUHighTemperature', labels: { Hostname: node, gpu: '0' } }, scrapeAt(-20), scrapeAt(25), phase),
    ),
    ['THERMAL_THROTTLE WARN 9 min'],
  ],
  [
    'an episode that is open now has no end',
    jointly(nvidia({ readings: { DCGM_FI_DEV_GPU_TEMP: except(62, 86, lasting(40, 60)) } }), (node) =>
      active({ name: 'GPUHighTemperature', labels: { Hostname: node, gpu: '0' } }, scrapeAt(42), ago(0), phase),
    ),
    ['THERMAL_THROTTLE HIGH 19.5 min clipped at end'],
  ],
  [
    'the bounds of an episode of errors stand in no flag of heat',
    jointly(nvidia({ readings: { DCGM_FI_DEV_GPU_TEMP: except(62, 86, lasting(40, 6)) } }), (node) =>
      active({ name: 'GPUXidErrors', labels: { Hostname: node, gpu: '0' } }, scrapeAt(30), scrapeAt(50), phase),
    ),
    ['THERMAL_THROTTLE WARN 6 min'],
  ],
  [
    'a window of the past, in which the episode had not ended',
    jointly(nvidia({ readings: { DCGM_FI_DEV_GPU_TEMP: except(62, 86, lasting(20, 30)) } }), (node) =>
      active({ name: 'GPUHighTemperature', labels: { Hostname: node, gpu: '0' } }, scrapeAt(21), scrapeAt(51), phase),
    ),
    ['THERMAL_THROTTLE HIGH 10 min clipped at end'],
    [ago(HOUR), at(30) + 20],
  ],
  [
    'the last minute of a hold',
    nvidia({ readings: { DCGM_FI_DEV_GPU_TEMP: except(62, 86, lasting(20, 10)) } }),
    ['THERMAL_THROTTLE WARN 0.5 min clipped at start'],
    [at(29) + 20, at(29) + 20 + 20 * MINUTE],
  ],
];

incidents([
  { cluster: 'red', vendor: 'amd', situations: alone },
  { cluster: 'red-alerts', vendor: 'amd', situations: recorded },
  { cluster: 'green-alerts', vendor: 'nvidia', situations: green },
]);
