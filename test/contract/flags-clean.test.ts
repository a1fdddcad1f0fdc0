import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ago, HOUR, NOW, scrapes } from '../support/fleet/clock.ts';
import { jointly } from '../support/fleet/counting.ts';
import { type ToldFlag, wholeReport } from '../support/fleet/flag-questions.ts';
import { allocatableGpus, nodeInfo } from '../support/fleet/kube-state-metrics.ts';
import { type KubePod, podSeries } from '../support/fleet/pods.ts';
import { askCluster, askNode, lastHour, span } from '../support/fleet/questions.ts';
import { except, stepped } from '../support/fleet/series.ts';
import { amdGpu, at, host, lasting, nvidia, scrapeAt } from '../support/fleet/situations.ts';
import { active } from '../support/fleet/alerts.ts';
import { startWorld, type World } from '../support/fleet/world.ts';

const temp = 'DCGM_FI_DEV_GPU_TEMP';
const dbe = 'DCGM_FI_DEV_ECC_DBE_VOL_TOTAL';
const tensor = 'DCGM_FI_PROF_PIPE_TENSOR_ACTIVE';
const kube = scrapes({ phase: 20 });
const job = (name: string, node: string, more: Partial<KubePod> = {}) =>
  podSeries(
    { name: `${name}-0`, node, owner: ['Job', name], gpus: 8, created: ago(5 * HOUR), running: ago(5 * HOUR), ...more },
    kube,
  );

let world: World;
beforeAll(async () => {
  world = await startWorld([
    { name: 'no-ecc', series: jointly(nvidia({ readings: { [dbe]: null } }), host())('n1') },
    { name: 'host-only', series: [...jointly(nvidia(), host())('n1'), ...host()('infra')] },
    {
      name: 'ghosts',
      series: [...jointly(nvidia(), host())('n1'), ...job('ghostly', 'ghost'), ...job('seen', 'n1')],
    },
    {
      name: 'half-known',
      series: [
        ...jointly(nvidia(), host())('n1'),
        ...job('seen', 'n1'),
        ...job('both', 'n1', { name: 'both-0' }),
        ...job('both', 'ghost', { name: 'both-1' }),
      ],
    },
    { name: 'empty', series: [] },
    {
      name: 'gone',
      series: [
        ...jointly(nvidia(), host())('n1'),
        ...nvidia({ gpu: { index: 1 }, scraping: { from: ago(20 * HOUR), to: ago(10 * HOUR) } })('n1'),
        nodeInfo('n1', '10.0.0.1', kube),
        allocatableGpus('n1', kube, 1),
      ],
    },
    {
      name: 'swapped',
      series: jointly(
        nvidia({
          lives: [
            [0, { uuid: 'GPU-old' }],
            [at(30), { uuid: 'GPU-new' }],
          ],
        }),
        host(),
      )('n1'),
    },
    {
      name: 'swap-slow',
      series: jointly(
        nvidia({
          scraping: { holes: [[at(20), at(27)]] },
          lives: [
            [0, { uuid: 'GPU-old' }],
            [at(25), { uuid: 'GPU-new' }],
          ],
        }),
        host(),
      )('n1'),
    },
    {
      name: 'tensor-stops',
      series: jointly(nvidia({ own: { [tensor]: { to: at(10) } } }), host())('n1'),
    },
    {
      name: 'cut',
      vendor: 'amd',
      series: [
        ...jointly(
          ...[0, 1].map((partition) => amdGpu({ gpu: { id: partition, partition, serial: 'SN-one', mode: 'dpx' } })),
          host(),
        )('m1'),
        ...active(
          {
            name: 'GPUHighTemperature',
            labels: { instance: 'm1:5000', hostname: 'm1', gpu_id: '1', serial_number: 'SN-one' },
          },
          scrapeAt(20),
          scrapeAt(32),
        ),
      ],
    },
    {
      name: 'two-at-once',
      series: [
        ...jointly(nvidia({ readings: { [temp]: except(62, 88, lasting(20, 12)) } }), host())('n1'),
        ...jointly(nvidia({ readings: { [dbe]: stepped(0, [scrapeAt(30), 1]) } }), host())('n2'),
      ],
    },
  ]);
});
afterAll(() => world?.close());

const one = async (cluster: string, node: string, args = '', window = lastHour) =>
  (await askNode(await world.gateway(), cluster, node, `flags${args} { ${wholeReport} }`, window)).flags;
const ofJob = async (cluster: string, name: string, args = '') =>
  (
    await askCluster(
      await world.gateway(),
      cluster,
      `workload(kind: JOB, name: "${name}") { placementSource flags${args} { ${wholeReport} } }`,
    )
  ).workload.flags;

describe('reports under several names in one document are those of a document each', () => {
  const pair = async (cluster: string, args: string) => {
    const gateway = await world.gateway();
    const selection = `some: flags${args} { ${wholeReport} } all: flags { ${wholeReport} }`;
    const { some, all } = await askNode(gateway, cluster, 'n1', selection);
    return { some, all };
  };

  test.each([
    ['another check’s silence does not hold back a clean one', 'no-ecc', '(kinds: [HOST_PRESSURE])'],
    ['nor does it where they share a reading', 'no-ecc', '(kinds: [THERMAL_THROTTLE])'],
    ['nor is it told in its note', 'tensor-stops', '(kinds: [MEMORY_PRESSURE, HOST_PRESSURE])'],
  ])('%s', async (_what, cluster, args) => {
    const alone = await one(cluster, 'n1', args);
    expect(alone.clean).toBe(true);
    const { some, all } = await pair(cluster, args);
    expect(all.clean).toBe(false);
    expect(some).toEqual(alone);
  });

  test('two windows', async () => {
    const gateway = await world.gateway();
    const document = `query ($late: WindowInput) {
      now: cluster(name: "two-at-once") { flags { ${wholeReport} } }
      late: cluster(name: "two-at-once", window: $late) { flags { ${wholeReport} } }
    }`;
    const { data } = await gateway.query(document, { late: span(at(29), at(60)) });
    const kinds = (flags: ToldFlag[]) => flags.map(({ kind, node, minutes }) => `${kind} ${node.name} ${minutes}`);
    expect(kinds(data.now.flags.flags)).toEqual(['THERMAL_THROTTLE n1 12', 'COMM_ERRORS n2 0.5']);
    // What is left of the heat is short; the error is as serious as it was.
    expect(kinds(data.late.flags.flags)).toEqual(['COMM_ERRORS n2 0.5', 'THERMAL_THROTTLE n1 3']);
  });
});
describe('nothing that was not looked at is clean', () => {
  test('a node without GPUs, asked about its GPUs', async () => {
    const { clean, note } = await one('host-only', 'infra', '(kinds: [THERMAL_THROTTLE])');
    expect(note).toMatch(/0 GPUs/);
    expect(clean).toBe(false);
  });

  test('it does not keep its cluster from being clean', async () => {
    const { flags } = await askCluster(await world.gateway(), 'host-only', `flags { ${wholeReport} }`);
    expect(flags).toMatchObject({ clean: true, flags: [] });
  });

  test.each(['(kinds: [THERMAL_THROTTLE])', '(kinds: [COMM_ERRORS, MEMORY_PRESSURE])', ''])(
    'a job that asked for GPUs of a node that no exporter tells of %s',
    async (args) => {
      expect((await ofJob('ghosts', 'ghostly', args)).clean).toBe(false);
    },
  );

  test('a job of which one node is seen and the other is not', async () => {
    const { clean, note } = await ofJob('half-known', 'both', '(kinds: [THERMAL_THROTTLE])');
    expect(clean).toBe(false);
    expect(note).toMatch(/ghost/);
  });

  test('a job on a node that is seen', async () => {
    expect(await ofJob('ghosts', 'seen')).toMatchObject({ clean: true, flags: [] });
  });

  test('a cluster of which the store holds nothing', async () => {
    const { flags } = await askCluster(await world.gateway(), 'empty', `flags { ${wholeReport} }`);
    expect(flags).toMatchObject({ clean: false, flags: [] });
  });

  test('a GPU that was gone ten hours ago, of a node that goes on', async () => {
    const { clean, note } = await one('gone', 'n1');
    expect(clean).toBe(false);
    expect(note).toMatch(/GPU 1 on n1/);
  });
});

describe('a board that was replaced', () => {
  test('at once is clean', async () => {
    expect(await one('swapped', 'n1')).toMatchObject({ clean: true, flags: [] });
  });
  test('within seven minutes is not', async () => {
    expect(await one('swap-slow', 'n1')).toMatchObject({ clean: false, flags: [] });
  });
});

test('an episode of a partition is one of the GPU that it is cut from', async () => {
  const { flags } = await one('cut', 'm1');
  const told: ToldFlag[] = flags;
  expect(told.map(({ kind, gpu, severity }) => `${kind} ${gpu?.index} ${severity}`)).toEqual([
    'THERMAL_THROTTLE 0 HIGH',
  ]);
});

test('a window that ends in the future is judged until now', async () => {
  const { flags } = await one('two-at-once', 'n1', '', span(at(0), NOW + 3 * HOUR));
  expect(flags.map(({ kind, clipped }: ToldFlag) => ({ kind, clipped }))).toEqual([
    { kind: 'THERMAL_THROTTLE', clipped: { start: false, end: false } },
  ]);
  expect(await one('swapped', 'n1', '', span(at(0), NOW + 3 * HOUR))).toMatchObject({ clean: true });
});
