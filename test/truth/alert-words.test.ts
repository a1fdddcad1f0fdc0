import { afterAll, beforeAll, expect, test } from 'vitest';

import { active } from '../support/fleet/alerts.ts';
import { ago, MINUTE, scrapes } from '../support/fleet/clock.ts';
import { dcgm } from '../support/fleet/dcgm.ts';
import { askNode } from '../support/fleet/questions.ts';
import { startWorld, type World } from '../support/fleet/world.ts';

const words: [alert: string, labels: Record<string, string>, kind: string | null][] = [
  ['GPUHighTemperature', {}, 'THERMAL'],
  ['GPUTemperatureCritical', {}, 'THERMAL'],
  ['GpuThermalSlowdown', {}, 'THERMAL'],
  ['GPUXidErrors', {}, 'COMM'],
  ['XidError', {}, 'COMM'],
  ['GPUECCError', { gpu: '1' }, 'COMM'],
  ['NvlinkErrors', {}, 'COMM'],
  ['GpuPcieReplay', {}, 'COMM'],
  ['GPUMemoryNearFull', {}, 'MEMORY'],
  ['gpu_hbm_usage_high', {}, 'MEMORY'],
  ['GPUMemoryTemperatureHigh', {}, 'THERMAL'], // the first match wins
  ['GPUPowerCapped', {}, 'POWER'],
  ['DCGMPowerViolation', {}, 'POWER'],
  ['GPULowUtilization', {}, 'UTILIZATION'],
  ['GpuIdle', {}, 'UTILIZATION'],
  ['NodeHighCpuLoad', {}, 'HOST'],
  ['HostDiskPressure', {}, 'HOST'],
  ['HighTemperature', {}, null], // no word of a GPU, no GPU among its labels
  ['HighTemperature', { gpu: '2' }, 'THERMAL'],
  ['PodMemoryHigh', {}, null],
  ['KubeletDown', {}, null],
  ['Watchdog', {}, null],
  ['GPUDriverMismatch', {}, null],
  ['TargetDown', {}, null],
];
const wordNode = (at: number): string => `word-${at}`;

let world: World;
beforeAll(async () => {
  const series = words.flatMap(([name, labels], at) => {
    const node = wordNode(at);
    const alert = { name, labels: { Hostname: node, ...labels } };
    return dcgm({ node }, scrapes(), { DCGM_FI_DEV_GPU_TEMP: 60 }).concat(
      active(alert, ago(50 * MINUTE), ago(20 * MINUTE)),
    );
  });
  world = await startWorld([{ name: 'words', series }]);
});
afterAll(() => world?.close());

const selection = 'healthEpisodes { kind gpu }';

test.each(words.map(([name, labels, kind], at) => [name, labels, kind, wordNode(at)] as const))(
  'the words of %s %o say %s',
  async (_name, _labels, kind, node) => {
    const { healthEpisodes } = await askNode(await world.gateway(), 'words', node, selection);
    expect(healthEpisodes.map((one: { kind: string }) => one.kind)).toEqual(kind === null ? [] : [kind]);
  },
);

test('a GPU among its labels is the episode’s GPU, without one it is the node’s', async () => {
  const gateway = await world.gateway();
  const gpuOf = async (at: number) => (await askNode(gateway, 'words', wordNode(at), selection)).healthEpisodes[0].gpu;
  expect(await gpuOf(words.findIndex(([, labels]) => labels['gpu'] === '2'))).toBe(2);
  expect(await gpuOf(0)).toBeNull();
});
