import { afterAll, beforeAll, expect, test } from 'vitest';

import { amd, fullAmd } from '../support/fleet/amd.ts';
import { ago, MINUTE, scrapes } from '../support/fleet/clock.ts';
import { counting, jointly, type NodeSeries } from '../support/fleet/counting.ts';
import { dcgm, dcgmLabels } from '../support/fleet/dcgm.ts';
import { fullList } from '../support/fleet/dcgm-lists.ts';
import { differences } from '../support/fleet/differences.ts';
import { askGpu } from '../support/fleet/questions.ts';
import { series, stepped } from '../support/fleet/series.ts';
import { startWorld, type World } from '../support/fleet/world.ts';

const half = ago(30 * MINUTE);
const quarter = ago(15 * MINUTE);
const volatile = (bits: 'SBE' | 'DBE'): string => `DCGM_FI_DEV_ECC_${bits}_VOL_TOTAL`;
const lifelong = (bits: 'SBE' | 'DBE'): string => `DCGM_FI_DEV_ECC_${bits}_AGG_TOTAL`;
const nvlink = (kind: string): string => `DCGM_FI_DEV_NVLINK_${kind}_ERROR_COUNT_TOTAL`;

const nvidia: [behaviour: string, series: NodeSeries, errors: Record<string, number | null>][] = [
  [
    'corrected and uncorrected errors are apart',
    jointly(counting(volatile('SBE'), stepped(1, [half, 6])), counting(volatile('DBE'), stepped(0, [half, 2]))),
    { eccSbe: 5, eccDbe: 2 },
  ],
  [
    'the volatile counter is the source where the lifelong one counts the same',
    jointly(counting(volatile('SBE'), stepped(0, [half, 3])), counting(lifelong('SBE'), stepped(70, [half, 73]))),
    { eccSbe: 3 },
  ],
  [
    'the lifelong counter alone counts too',
    counting(lifelong('DBE'), stepped(70, [half, 71])),
    { eccDbe: 1, eccSbe: null },
  ],
  [
    'a lifelong counter that appears in the window brings its history, no rise',
    counting(lifelong('SBE'), 12, { from: half }),
    { eccSbe: 0 },
  ],
  [
    'what it counts from there on is one',
    counting(lifelong('SBE'), stepped(12, [quarter, 14]), { from: half }),
    { eccSbe: 2 },
  ],
  [
    'a volatile counter that appears with its first error is one',
    counting(volatile('SBE'), 4, { from: half }),
    { eccSbe: 4 },
  ],
  [
    'both kinds of link checksum error are one count',
    jointly(
      counting(nvlink('CRC_FLIT'), stepped(5, [half, 7])),
      counting(nvlink('CRC_DATA'), stepped(1, [quarter, 2])),
    ),
    { linkCrc: 3, linkReplay: null, linkRecovery: null },
  ],
  [
    'link replays and recoveries are apart',
    jointly(counting(nvlink('REPLAY'), stepped(0, [half, 4])), counting(nvlink('RECOVERY'), 3)),
    { linkReplay: 4, linkRecovery: 0 },
  ],
  [
    'a link series that spells the host in lower case is the same GPU',
    (node) => {
      const { Hostname: _upper, ...labels } = dcgmLabels({ node });
      return [
        ...dcgm({ node }, scrapes(), { DCGM_FI_DEV_GPU_TEMP: 60 }),
        series(nvlink('REPLAY'), { ...labels, hostname: node }, scrapes(), stepped(0, [half, 2])),
      ];
    },
    { linkReplay: 2 },
  ],
  [
    'NVIDIA counts no PCIe recoveries',
    (node) => dcgm({ node }, scrapes(), fullList(node)),
    { pcieRecovery: null, pcieReplay: 0 },
  ],
];

const amdCounts = (prefix: 'amd_' | '') => (node: string) =>
  amd({ node, prefix }, scrapes(), {
    gpu_junction_temperature: 60,
    gpu_ecc_correct_total: stepped(7, [half, 9]),
    gpu_ecc_deferred_total: stepped(1, [quarter, 2]),
    gpu_ecc_uncorrect_total: stepped(0, [quarter, 1]),
    pcie_replay_count: stepped(3, [half, 8]),
    pcie_recovery_count: stepped(1, [half, 2]),
    // What newer exporters offer and the answers leave out.
    gpu_afid_errors: 30,
    gpu_violation_ppt_residency_accumulated: stepped(0, [half, 900]),
    gpu_violation_current_accumulated_counter: stepped(0, [half, 9000]),
  });
const amdErrors = {
  eccSbe: 3,
  eccDbe: 1,
  pcieReplay: 5,
  pcieRecovery: 1,
  linkCrc: null,
  linkReplay: null,
  linkRecovery: null,
  xid: null,
  xidCodes: null,
};

const nodeOf = (at: number): string => `maker-${at}`;
let world: World;
beforeAll(async () => {
  world = await startWorld([
    { name: 'makers', series: nvidia.flatMap(([, build], at) => build(nodeOf(at))) },
    { name: 'red', vendor: 'amd', series: amdCounts('amd_')('m1') },
    { name: 'red-bare', vendor: 'amd', series: amdCounts('')('m1') },
    {
      name: 'red-old', // before deferred errors were counted
      vendor: 'amd',
      series: amd({ node: 'm1' }, scrapes(), {
        gpu_junction_temperature: 60,
        gpu_ecc_correct_total: stepped(7, [half, 9]),
      }),
    },
    { name: 'red-full', vendor: 'amd', series: fullAmd({ node: 'm1' }, scrapes()) },
  ]);
});
afterAll(() => world?.close());

const all = 'linkCrc linkReplay linkRecovery pcieReplay pcieRecovery eccSbe eccDbe xid xidCodes';

test.each(nvidia.map(([behaviour, , expected], at) => [behaviour, nodeOf(at), expected] as const))(
  '%s',
  async (_behaviour, node, expected) => {
    const { errors } = await askGpu(await world.gateway(), 'makers', node, `errors { ${all} }`);
    expect(differences('errors', expected, errors)).toEqual([]);
  },
);

test.each([
  ['red', 'with the amd_ prefix'],
  ['red-bare', 'without a prefix'],
])('%s: AMD counts, %s', async (cluster) => {
  const { errors } = await askGpu(await world.gateway(), cluster, 'm1', `errors { ${all} }`);
  expect(differences('errors', amdErrors, errors)).toEqual([]);
});

test('AMD corrected errors are counted where nothing is deferred', async () => {
  const { errors } = await askGpu(await world.gateway(), 'red-old', 'm1', 'errors { eccSbe eccDbe }');
  expect(errors).toEqual({ eccSbe: 2, eccDbe: null });
});

test('what AMD lacks is null and is never asked for', async () => {
  const gateway = await world.gateway();
  const throttle = 'thermalS powerS boardLimitS syncBoostS lowUtilS reliabilityS clockEvents { kind count }';
  const got = await askGpu(gateway, 'red-full', 'm1', `throttle { ${throttle} } errors { ${all} }`);
  expect(new Set(Object.values(got.throttle)), 'throttle').toEqual(new Set([null]));
  expect(got.errors, 'errors').toMatchObject({
    linkCrc: null,
    linkReplay: null,
    linkRecovery: null,
    xid: null,
    xidCodes: null,
  });
  expect(JSON.stringify(gateway.requests())).not.toMatch(/violation|xid|afid|clock_?event|throttle|nvlink|xgmi|DCGM/i);
});

test('what NVIDIA lacks is never asked for', async () => {
  const gateway = await world.gateway();
  await askGpu(gateway, 'makers', nodeOf(0), `errors { ${all} }`);
  expect(JSON.stringify(gateway.requests())).not.toMatch(/pcie_recovery|amd_/i);
});
