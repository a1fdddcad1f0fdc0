import { afterAll, beforeAll, expect, test } from 'vitest';

import { active } from '../support/fleet/alerts.ts';
import { jointly } from '../support/fleet/counting.ts';
import { askCluster, askGpu, askNode, lastHour, wholeSeries } from '../support/fleet/questions.ts';
import { except, stepped } from '../support/fleet/series.ts';
import { host, lasting, nvidia, phase, scrapeAt } from '../support/fleet/situations.ts';
import { startWorld, type World } from '../support/fleet/world.ts';

const temp = 'DCGM_FI_DEV_GPU_TEMP';
const replay = 'DCGM_FI_DEV_PCIE_REPLAY_COUNTER';

let world: World;
beforeAll(async () => {
  world = await startWorld([
    {
      name: 'walked',
      series: [
        ...jointly(
          nvidia({ readings: { [temp]: except(62, 88, lasting(20, 12)) } }),
          nvidia({ readings: { [replay]: stepped(4, [scrapeAt(30), 9]) }, gpu: { index: 4 } }),
          host({ io: except(0.01, 0.35, lasting(10, 7)) }),
        )('n1'),
        ...jointly(nvidia({ readings: { [temp]: except(61, 93, lasting(5, 6)) }, gpu: { index: 2 } }), host())('n2'),
        ...active(
          { name: 'GPUHighTemperature', labels: { Hostname: 'n1', gpu: '0' } },
          scrapeAt(21),
          scrapeAt(33),
          phase,
        ),
      ],
    },
  ]);
});
afterAll(() => world?.close());

const ofGpu = `index tempC ${wholeSeries} errors { pcieReplay xid } hbmTotalGib`;
const walk = `flags { kind node { name state gpuCount } gpu { ${ofGpu} } episode { from to } }`;

interface Walked {
  readonly kind: string;
  readonly node: { readonly name: string; readonly gpuCount: number };
  readonly gpu: { readonly index: number } | null;
  readonly episode: { readonly from: string; readonly to: string } | null;
}

test.each([
  ['the cluster', `flags { ${walk} }`, 4],
  ['a node', `node(name: "n1") { flags { ${walk} } }`, 3],
])('from the flags of %s the readings of their GPUs are those of the GPUs', async (_target, selection, count) => {
  const answer = await askCluster(await world.gateway(), 'walked', selection);
  const flags: Walked[] = (answer.node ?? answer).flags.flags;
  expect(flags).toHaveLength(count);
  expect(flags.filter(({ gpu }) => gpu === null).map(({ kind }) => kind)).toEqual(['HOST_PRESSURE']);
  for (const flag of flags) {
    const direct = await world.gateway();
    const { name, state, gpuCount } = await askNode(direct, 'walked', flag.node.name, 'name state gpuCount');
    const gpu = flag.gpu && (await askGpu(direct, 'walked', name, ofGpu, lastHour, flag.gpu.index));
    expect(flag).toMatchObject({ node: { name, state, gpuCount }, gpu });
  }
});

test('the episode of a flag is that of its node', async () => {
  const selection = `healthEpisodes { kind started ended } flags { flags { kind gpu { index } episode { from to } } }`;
  const { healthEpisodes, flags } = await askNode(await world.gateway(), 'walked', 'n1', selection);
  expect(healthEpisodes).toHaveLength(1);
  const [{ kind, started, ended }] = healthEpisodes;
  expect(kind).toBe('THERMAL');
  const byKind = (flags.flags as Walked[]).map((flag) => [flag.kind, flag.episode]);
  expect(Object.fromEntries(byKind)).toEqual({
    THERMAL_THROTTLE: { from: started, to: ended },
    COMM_ERRORS: null,
    HOST_PRESSURE: null,
  });
});

test('a walk from the flags costs little more than the flags', async () => {
  const cost = async (selection: string): Promise<number> => {
    const gateway = await world.gateway();
    await askCluster(gateway, 'walked', `flags { flags { kind ${selection} } }`);
    return gateway.requests().length;
  };
  // One reading of the GPUs of all flags: not one for each.
  expect((await cost('gpu { index tempC { values } }')) - (await cost('gpu { index }'))).toBeLessThanOrEqual(4);
});
