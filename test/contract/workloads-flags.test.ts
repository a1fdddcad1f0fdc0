import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ago, HOUR, MINUTE, scrapes } from '../support/fleet/clock.ts';
import { jointly, type NodeSeries } from '../support/fleet/counting.ts';
import { type ToldFlag, wholeReport } from '../support/fleet/flag-questions.ts';
import { type KubePod, podSeries } from '../support/fleet/pods.ts';
import { askCluster, lastHour, span, type WindowInput } from '../support/fleet/questions.ts';
import { except, type Series, stepped } from '../support/fleet/series.ts';
import { at, host, lasting, nvidia, scrapeAt } from '../support/fleet/situations.ts';
import { startWorld, type World } from '../support/fleet/world.ts';

const temp = 'DCGM_FI_DEV_GPU_TEMP';
const tensor = 'DCGM_FI_PROF_PIPE_TENSOR_ACTIVE';
const xid = 'DCGM_FI_DEV_XID_ERRORS';
const long = { from: ago(5 * HOUR) };
const sightings = scrapes({ phase: 20, ...long });
const pod = (job: string, node: string, life: Partial<KubePod> = {}, seen = sightings): Series[] =>
  podSeries(
    {
      name: `${job}-0`,
      node,
      owner: ['Job', job],
      gpus: 8,
      created: ago(6 * HOUR),
      running: ago(6 * HOUR),
      ...life,
    },
    seen,
  );
const on = (node: string, made: Parameters<typeof nvidia>[0] = {}, gpu = made.gpu): Series[] =>
  (jointly(nvidia({ scraping: long, ...made, ...(gpu ? { gpu } : {}) }), host({}, long)) satisfies NodeSeries)(node);

/** Kubernetes is watched only since ten minutes ago. */
const oflate = scrapes({ phase: 20, from: ago(10 * MINUTE) });

let world: World;
beforeAll(async () => {
  world = await startWorld([
    {
      name: 'c',
      series: [
        ...on('w1', { readings: { [xid]: stepped(0, [scrapeAt(0.5), 79]) } }),
        ...pod('fresh', 'w1', { created: at(0), scheduled: at(0), running: at(1) }),
        ...on('w2', { readings: { [xid]: stepped(0, [scrapeAt(59), 79]) } }),
        ...pod('over', 'w2', { ended: at(59), endedAs: 'Succeeded' }),
        // Two pods of one job on one node, of which the other node's GPU is somebody else's.
        ...jointly(
          nvidia({
            readings: { [tensor]: except(0.5, 0.05, lasting(20, 12)) },
            scraping: long,
            gpu: { pod: 'pair-0' },
          }),
          nvidia({
            readings: { [tensor]: except(0.5, 0.05, lasting(30, 12)) },
            scraping: long,
            gpu: { index: 1, pod: 'pair-1' },
          }),
          nvidia({
            readings: { [tensor]: except(0.5, 0.05, lasting(35, 12)) },
            scraping: long,
            gpu: { index: 2, pod: 'other-0' },
          }),
          host({}, long),
        )('w3'),
        ...pod('pair', 'w3', { name: 'pair-0' }),
        ...pod('pair', 'w3', { name: 'pair-1', uid: 'uid-pair-1' }),
        // Pending for the first half of the hour, with a node, while the node is hot.
        ...on('w4', { readings: { [temp]: except(62, 90, lasting(2, 20)) } }),
        ...pod('pulling', 'w4', { created: at(0), scheduled: at(0), running: at(30) }),
        // Ran for three minutes in the middle of twenty hot ones.
        ...on('w5', { readings: { [temp]: except(62, 90, lasting(10, 20)) } }),
        ...pod('brief', 'w5', { created: at(18), running: at(18), ended: at(21), deleted: at(21) }),
        // Twice on one node, with twenty minutes between.
        ...on('w6', { readings: { [temp]: except(62, 90, lasting(5, 50)) } }),
        ...pod('twice', 'w6', { uid: 'u1', created: at(8), running: at(8), ended: at(20), deleted: at(20) }),
        ...pod('twice', 'w6', { uid: 'u2', created: at(40), running: at(40), ended: at(52), deleted: at(52) }),
        // A job whose node fell silent only after it had left.
        ...on('w7', { scraping: { ...long, to: at(40) } }),
        ...pod('left', 'w7', { ended: at(20), deleted: at(20) }),
        ...on('w8', { scraping: { ...long, to: at(40) } }),
        ...pod('stayed', 'w8', { ended: at(50), deleted: at(50) }),
      ],
    },
    {
      name: 'late',
      series: [
        ...on('v1', { readings: { [temp]: except(62, 90, [ago(2.5 * HOUR), ago(2.2 * HOUR)]) } }),
        ...pod('pending', 'v1', { created: ago(4 * HOUR), scheduled: ago(4 * HOUR), running: Infinity }, oflate),
        ...on('v2', { readings: { [temp]: except(62, 90, [ago(2.5 * HOUR), ago(2.2 * HOUR)]) } }),
        ...pod('running', 'v2', { created: ago(4 * HOUR), scheduled: ago(4 * HOUR), running: ago(4 * HOUR) }, oflate),
      ],
    },
  ]);
});
afterAll(() => world?.close());

const ofJob = async (name: string, window: WindowInput = lastHour, cluster = 'c') => {
  const asked = `workload(kind: JOB, name: "${name}") { placementSource placement { phase } flags { ${wholeReport} } }`;
  const { workload } = await askCluster(await world.gateway(), cluster, asked, window);
  const flags: ToldFlag[] = workload.flags.flags;
  return {
    placementSource: workload.placementSource as string,
    placement: workload.placement as object[],
    clean: workload.flags.clean as boolean,
    note: workload.flags.note as string,
    words: flags.map(({ kind, gpu, minutes }) => `${kind} ${gpu?.index} ${Number(minutes.toFixed(1))}`),
    flags,
  };
};

describe('a job answers for what happened while it was Running', () => {
  test('not for a fault of half a minute before, while it was Pending at the beginning of the window', async () => {
    expect((await ofJob('fresh')).words).toEqual([]);
  });
  test('not for a fault after it had succeeded, shortly before the end of the window', async () => {
    expect((await ofJob('over')).words).toEqual([]);
  });
  test('not while it was Pending on a hot node', async () => {
    expect(await ofJob('pulling')).toMatchObject({ words: [], clean: true });
  });
  test('for heat that is older and newer than its three minutes', async () => {
    const { flags } = await ofJob('brief');
    expect(flags).toHaveLength(1);
    expect(flags[0]).toMatchObject({ kind: 'THERMAL_THROTTLE', severity: 'WARN', clipped: { start: true, end: true } });
  });
  test('for each of its two stays', async () => {
    const { flags } = await ofJob('twice');
    expect(flags).toHaveLength(2);
    expect(new Set(flags.map(({ key }) => key)).size).toBe(2);
    expect(flags.every(({ clipped: { start, end } }) => start && end)).toBe(true);
  });
  test('with the activity of all its pods of a node, and of no other’s', async () => {
    expect((await ofJob('pair')).words).toEqual(['UTILIZATION_COLLAPSE 0 12', 'UTILIZATION_COLLAPSE 1 12']);
  });
});

describe('silence', () => {
  test('after it left is none of its own', async () => {
    expect(await ofJob('left')).toMatchObject({ words: [], clean: true });
  });
  test('while it ran is', async () => {
    const { clean, note } = await ofJob('stayed');
    expect(clean).toBe(false);
    expect(note).toMatch(/GPU 0 on w8/);
  });
});

describe('of pods that exist now', () => {
  const then = span(ago(3 * HOUR), ago(2 * HOUR));
  test('one that runs is taken to have run', async () => {
    const told = await ofJob('running', then, 'late');
    expect(told.placementSource).toBe('CURRENT_PODS');
    expect(told.words).toEqual([expect.stringMatching('THERMAL_THROTTLE 0')]);
  });
  test('one that is Pending never ran', async () => {
    const told = await ofJob('pending', then, 'late');
    expect(told.placementSource).toBe('CURRENT_PODS');
    expect(told.placement).toEqual([{ phase: 'PENDING' }]);
    expect(told.words).toEqual([]);
  });
});
