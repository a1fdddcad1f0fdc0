import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ago, DAY, HOUR, scrapes } from '../support/fleet/clock.ts';
import { jointly } from '../support/fleet/counting.ts';
import type { ToldFlag } from '../support/fleet/flag-questions.ts';
import { podSeries } from '../support/fleet/pods.ts';
import { askCluster, askNode, span, type WindowInput } from '../support/fleet/questions.ts';
import { except, stepped } from '../support/fleet/series.ts';
import { at, host, lasting, nvidia, phase } from '../support/fleet/situations.ts';
import { dcgm } from '../support/fleet/dcgm.ts';
import { startWorld, type World } from '../support/fleet/world.ts';

const temp = 'DCGM_FI_DEV_GPU_TEMP';
const tensor = 'DCGM_FI_PROF_PIPE_TENSOR_ACTIVE';
const power = 'DCGM_FI_DEV_POWER_VIOLATION';
const long = { from: ago(6 * HOUR) };
const kube = scrapes({ phase: 20, from: ago(6 * HOUR) });

let world: World;
beforeAll(async () => {
  world = await startWorld([
    {
      name: 'c',
      series: [
        // A job that warms up for hours before it works.
        ...nvidia({ readings: { [tensor]: stepped(0.1, [at(10), 0.5]) }, scraping: long })('warming'),
        ...nvidia({ readings: { [tensor]: except(0.5, 0.1, lasting(-20, 20)) }, scraping: long })('falling'),
        // Three short ones, less than five minutes apart, and a capped GPU at every scrape since three hours.
        ...nvidia({
          readings: { [temp]: except(62, 88, lasting(-5, 6), lasting(5, 6), lasting(15, 6)) },
          scraping: long,
        })('chain'),
        ...nvidia({
          readings: { [power]: (time) => 1e9 * Math.max(0, Math.floor((time - ago(3 * HOUR)) / 30)) },
          scraping: long,
        })('capped'),
        ...jointly(
          nvidia({ readings: { [temp]: except(62, 88, lasting(-60, 110)) }, scraping: long }),
          host({ io: except(0.01, 0.4, lasting(-60, 110)), cpu: except(0.01, 0.4, lasting(-60, 110)) }, long),
        )('shared'),
        ...podSeries(
          { name: 'late-0', node: 'shared', owner: ['Job', 'late'], gpus: 1, created: at(-20), running: at(-20) },
          kube,
        ),
      ],
    },
    {
      name: 'weeks',
      series: dcgm({ node: 'n1' }, scrapes({ phase, from: ago(8 * DAY) }), {
        [temp]: stepped(62, [ago(7.5 * DAY), 90]),
      }),
    },
  ]);
});
afterAll(() => world?.close());

const selection = 'flags { key kind evidence { resource } }';
const onNode = async (node: string, kind: string, window: WindowInput, cluster = 'c') => {
  const { flags } = await askNode(
    await world.gateway(),
    cluster,
    node,
    `flags(kinds: [${kind}]) { ${selection} }`,
    window,
  );
  return (flags.flags as ToldFlag[]).map(({ key }) => key);
};

/** The keys under windows of an hour, the first of which begins at a minute, each so many minutes later. */
const sliding = async (node: string, kind: string, first: number, by: readonly number[]) =>
  Promise.all(by.map((minutes) => onNode(node, kind, span(at(first + minutes), at(first + minutes + 60)))));

describe('a key stays while the window slides', () => {
  test.each([
    ['over the end of low activity that was there for hours', 'warming', 'UTILIZATION_COLLAPSE', -10, [0, 1, 5, 9]],
    ['over a fall in activity, into it and out of it', 'falling', 'UTILIZATION_COLLAPSE', -65, [0, 20, 50]],
    ['along stretches that are joined', 'chain', 'THERMAL_THROTTLE', -15, [0, 8, 12, 15, 18]],
    ['along a timer that rises all the time', 'capped', 'POWER_CAP', -60, [0, 7, 30, 60]],
  ])('%s', async (_what, node, kind, first, by) => {
    const keys = await sliding(node, kind, first, by);
    expect(keys[0]).toHaveLength(1);
    expect(new Set(keys.map((own) => own[0])).size).toBe(1);
  });

  test('over a week', async () => {
    // It began six days and 23 hours before the first window, and seven days and an hour before the second.
    const first = ago(7.5 * DAY) + 7 * DAY - HOUR;
    const one = await onNode('n1', 'THERMAL_THROTTLE', span(first, first + 6 * HOUR), 'weeks');
    const two = await onNode('n1', 'THERMAL_THROTTLE', span(first + 2 * HOUR, first + 8 * HOUR), 'weeks');
    expect(one).toHaveLength(1);
    expect(two).toEqual(one);
  });

  test('of a job that began in the middle of the heat', async () => {
    const gateway = await world.gateway();
    const ofJob = async (start: number): Promise<string[]> => {
      const asked = `workload(kind: JOB, name: "late") { flags(kinds: [THERMAL_THROTTLE]) { ${selection} } }`;
      const { workload } = await askCluster(gateway, 'c', asked, span(at(start), at(start + 60)));
      return workload.flags.flags.map(({ key }: ToldFlag) => key);
    };
    const early = await ofJob(-40);
    expect(early).toHaveLength(1);
    expect(await ofJob(-10)).toEqual(early);
  });

  test('of a host that waits for two things', async () => {
    const early = await onNode('shared', 'HOST_PRESSURE', span(at(-70), at(-10)));
    expect(new Set(early).size).toBe(2);
    expect((await onNode('shared', 'HOST_PRESSURE', span(at(-30), at(30)))).sort()).toEqual(early.sort());
  });
});
