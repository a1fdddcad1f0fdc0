import { jointly, type NodeSeries } from '../../support/fleet/counting.ts';
import { incidents, type Situation } from '../../support/fleet/incidents.ts';
import { except, stepped, type Value } from '../../support/fleet/series.ts';
import { at, besides, climbing, lasting, nvidia, scrapeAt } from '../../support/fleet/situations.ts';

const replay = 'DCGM_FI_DEV_PCIE_REPLAY_COUNTER';
const gauge = 'DCGM_FI_DEV_XID_ERRORS';
const total = 'DCGM_EXP_XID_ERRORS_TOTAL';
const dbe = 'DCGM_FI_DEV_ECC_DBE_VOL_TOTAL';
const kept = 'DCGM_FI_DEV_ECC_DBE_AGG_TOTAL';
const link = (what: string): string => `DCGM_FI_DEV_NVLINK_${what}_ERROR_COUNT_TOTAL`;
const none = link('RECOVERY');

const counts = (metric: string, value: Value): NodeSeries => nvidia({ readings: { [metric]: value } });
const once = (metric: string): NodeSeries => counts(metric, stepped(4, [scrapeAt(20), 5]));
const warned = ['COMM_ERRORS WARN 0.5 min'];
const high = ['COMM_ERRORS HIGH 0.5 min'];
const mig = (id: string): NodeSeries =>
  nvidia({
    readings: { [replay]: stepped(4, [scrapeAt(20), 7]), DCGM_FI_DEV_GPU_UTIL: null },
    gpu: { extra: { GPU_I_ID: id, GPU_I_PROFILE: '3g.40gb' } },
  });
const sliced = (vgpu: string): NodeSeries =>
  nvidia({ readings: { [dbe]: stepped(0, [scrapeAt(20), 2]) }, gpu: { pod: `infer-${vgpu}`, extra: { vgpu } } });
const replica = (name: string, value: Value): NodeSeries =>
  besides(total, value, { xid: '79', replica_of: name, instance: `10.9.0.1:${name}` });

const counters: Situation[] = [
  ['one PCIe replay', once(replay), warned],
  ['NVLink flits with a bad checksum', once(link('CRC_FLIT')), warned],
  ['NVLink replays', once(link('REPLAY')), warned],
  [
    'NVLink data with a bad checksum, flits too, and a recovery two minutes later',
    jointly(
      nvidia({ readings: { [link('CRC_FLIT')]: stepped(1, [scrapeAt(20), 3]) } }),
      besides(link('CRC_DATA'), stepped(0, [scrapeAt(20), 5])),
      besides(none, stepped(0, [scrapeAt(22), 1])),
    ),
    ['COMM_ERRORS WARN 2.5 min'],
  ],
  ['an uncorrectable memory error', counts(dbe, stepped(0, [scrapeAt(20), 1])), high],
  [
    'correctable memory errors',
    jointly(nvidia(), besides('DCGM_FI_DEV_ECC_SBE_VOL_TOTAL', climbing(0, 3, lasting(10, 30)))),
    [],
  ],
  ['replays of weeks ago, none since', counts(replay, 9000), []],
  ['a replay before the window only', counts(replay, stepped(4, [scrapeAt(-1), 9])), []],
  [
    'a replay up to the first sample',
    counts(replay, stepped(4, [scrapeAt(0), 9])),
    ['COMM_ERRORS WARN 0.12 min clipped at start'],
  ],
  [
    'a replay in the last sample',
    counts(replay, stepped(4, [scrapeAt(59.5), 9])),
    ['COMM_ERRORS WARN 0.5 min clipped at end'],
  ],
  [
    'replays all the time',
    counts(replay, climbing(4, 1, [at(-30), at(90)])),
    ['COMM_ERRORS WARN 59.62 min clipped at both'],
  ],
  [
    'a replay every five minutes, four and a half between them',
    counts(replay, stepped(4, [scrapeAt(20), 5], [scrapeAt(25), 6], [scrapeAt(30), 8])),
    ['COMM_ERRORS WARN 10.5 min'],
  ],
  [
    'a replay every six minutes, five and a half between them',
    counts(replay, stepped(4, [scrapeAt(20), 5], [scrapeAt(26), 6], [scrapeAt(32), 8])),
    [...warned, ...warned, ...warned],
  ],
  ['a counter that a driver reload sets to zero', counts(replay, stepped(9, [scrapeAt(20), 0])), []],
  ['a counter that stands at two after a driver reload', counts(replay, stepped(9, [scrapeAt(20), 2])), warned],
  [
    'a counter born while its GPU was scraped',
    nvidia({ readings: { [replay]: 2 }, own: { [replay]: { from: at(20) } } }),
    warned,
  ],
  [
    'a counter of zero born while its GPU was scraped',
    nvidia({ readings: { [replay]: 0 }, own: { [replay]: { from: at(20) } } }),
    [],
  ],
  [
    'a counter born because its exporter came up',
    nvidia({ readings: { [replay]: 7 }, scraping: { from: at(20) } }),
    [],
  ],
  [
    'an exporter that restarts with another driver, counts from zero and sees one error',
    nvidia({
      readings: { [replay]: stepped(9, [scrapeAt(20), 0], [scrapeAt(30), 1]) },
      lives: [
        [0, {}],
        [at(20), { driver: '570.86.10' }],
      ],
    }),
    warned,
  ],
  [
    'pods that take turns, no error',
    nvidia({
      lives: [
        [0, { pod: 'a' }],
        [at(20), { pod: 'b' }],
        [at(30), { pod: 'a' }],
      ],
    }),
    [],
  ],
  [
    'an error just where another pod takes the GPU',
    nvidia({
      readings: { [replay]: stepped(4, [scrapeAt(20), 6]) },
      lives: [
        [0, { pod: 'a' }],
        [at(20), { pod: 'b' }],
      ],
    }),
    warned,
  ],
  [
    'another GPU in its place, with a history of its own',
    nvidia({
      readings: { [replay]: stepped(4, [scrapeAt(20), 50]) },
      lives: [
        [0, { uuid: 'GPU-old' }],
        [at(20), { uuid: 'GPU-new' }],
      ],
    }),
    [],
  ],
  [
    'a life’s count of uncorrectable errors that comes into view',
    nvidia({ readings: { [dbe]: null, [kept]: 3 }, own: { [kept]: { from: at(20) } } }),
    [],
  ],
  [
    'a life’s count of uncorrectable errors that goes up',
    nvidia({ readings: { [dbe]: null, [kept]: stepped(3, [scrapeAt(20), 4]) } }),
    high,
  ],
  ['a blank in the middle of a count', counts(replay, except(4, 9.223372036854776e18, lasting(20, 1))), []],
  ['a blank of 32 bits in the middle of a count', counts(replay, except(4, 2_147_483_632, lasting(20, 1))), []],
  [
    'errors while nobody scraped for twelve minutes',
    nvidia({ readings: { [replay]: stepped(4, [at(25), 9]) }, scraping: { holes: [[at(20), at(32)]] } }),
    ['COMM_ERRORS WARN 12.5 min'],
  ],
  ['one board’s errors under two MIG instances', jointly(mig('1'), mig('2')), warned],
  ['one GPU’s errors copied for each of three pods', jointly(sliced('0'), sliced('1'), sliced('2')), high],
  [
    'errors on two GPUs of one node',
    jointly(once(replay), nvidia({ readings: { [dbe]: stepped(0, [scrapeAt(20), 1]) }, gpu: { index: 6 } })),
    [...warned, 'COMM_ERRORS GPU 6 HIGH 0.5 min'],
  ],
];

const faults: Situation[] = [
  ['an XID comes up', counts(gauge, stepped(0, [scrapeAt(20), 79])), high],
  ['an old XID shows all the time', counts(gauge, 79), []],
  [
    'an old XID under changing pods and error texts',
    nvidia({
      readings: { [gauge]: 79 },
      lives: [
        [0, { pod: 'a' }],
        [at(20), { pod: 'b', extra: { err_code: '79' } }],
      ],
    }),
    [],
  ],
  ['an XID that came up just before the window', counts(gauge, stepped(0, [scrapeAt(-1), 79])), []],
  [
    'one XID after another in a few minutes',
    counts(gauge, stepped(0, [scrapeAt(20), 31], [scrapeAt(23), 79])),
    ['COMM_ERRORS HIGH 3.5 min'],
  ],
  ['no XID before the first one', nvidia({ readings: { [gauge]: 48 }, own: { [gauge]: { from: at(20) } } }), high],
  [
    'an exporter that comes up with an XID on display',
    nvidia({ readings: { [gauge]: 48 }, scraping: { from: at(20) } }),
    [],
  ],
  ['a blank is no XID', counts(gauge, except(0, 2_147_483_632, lasting(20, 2))), []],
  [
    'the same XID twice, counted, where the gauge shows nothing new',
    jointly(counts(gauge, 43), besides(total, stepped(1, [scrapeAt(20), 2], [scrapeAt(22), 3]), { xid: '43' })),
    ['COMM_ERRORS HIGH 2.5 min'],
  ],
  [
    'counted for the first time, and another code half an hour later',
    jointly(
      nvidia(),
      besides(total, 1, { xid: '31' }, { from: at(20) }),
      besides(total, stepped(2, [scrapeAt(50), 3]), { xid: '79' }),
    ),
    [...high, ...high],
  ],
  ['a count of faults that stands still', jointly(nvidia(), besides(total, 5, { xid: '79' })), []],
  [
    'one fault that two exporters count, each since its own start',
    jointly(nvidia(), replica('9400', stepped(9, [scrapeAt(20), 10])), replica('9401', stepped(2, [scrapeAt(20), 3]))),
    high,
  ],
  [
    'replays that end in a fault: one flag, high',
    nvidia({ readings: { [replay]: climbing(4, 2, lasting(20, 3)), [gauge]: stepped(0, [scrapeAt(26), 79]) } }),
    ['COMM_ERRORS HIGH 6.5 min'],
  ],
  [
    'a replay, and a fault long after it',
    nvidia({ readings: { [replay]: stepped(4, [scrapeAt(20), 5]), [gauge]: stepped(0, [scrapeAt(40), 79]) } }),
    [...warned, ...high],
  ],
  [
    'a GPU that falls off the bus: an XID, then silence',
    nvidia({ readings: { [gauge]: stepped(0, [scrapeAt(20), 79]) }, scraping: { to: scrapeAt(21) } }),
    high,
  ],
];

incidents([
  { cluster: 'miscounted', vendor: 'nvidia', situations: counters },
  { cluster: 'faulty', vendor: 'nvidia', situations: faults },
]);
