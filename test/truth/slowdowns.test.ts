import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ago, HOUR, iso, NOW } from '../support/fleet/clock.ts';
import { differences } from '../support/fleet/differences.ts';
import { flagFields, type ToldFlag } from '../support/fleet/flag-questions.ts';
import { flagsOf } from '../support/fleet/flag-truth.ts';
import { askCluster, lastHour, span, type WindowInput } from '../support/fleet/questions.ts';
import { at } from '../support/fleet/situations.ts';
import { slowdownsIn } from '../support/fleet/slow-truth.ts';
import { startWorld, type World } from '../support/fleet/world.ts';
import { quarter, slowSites, told } from '../support/slow-runs.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld(slowSites);
});
afterAll(() => world?.close());

const whole = `from to minutes clipped { start end } steps medianS meanS worstS ratio pauses { kind from to name }
  flags { ${flagFields} } cleanNodes { name } unsureNodes { name } checked families summary note`;

interface Told {
  readonly from: string;
  readonly to: string;
  readonly minutes: number;
  readonly clipped: { start: boolean; end: boolean };
  readonly pauses: readonly object[];
  readonly flags: readonly ToldFlag[];
  readonly cleanNodes: readonly { name: string }[];
  readonly unsureNodes: readonly { name: string }[];
  readonly checked: readonly string[];
  readonly families: readonly string[];
  readonly summary: string;
  readonly note: string | null;
}

const ask = async (run: string, args = '', window: WindowInput = lastHour, cluster = 'c'): Promise<Told[] | null> =>
  (
    await askCluster(
      await world.gateway(),
      cluster,
      `run(name: "${run}") { slowdowns${args && `(${args})`} { ${whole} } }`,
      window,
    )
  ).run.slowdowns;
const only = async (...asked: Parameters<typeof ask>): Promise<Told> => {
  const [first, ...others] = (await ask(...asked))!;
  expect(others).toEqual([]);
  return first!;
};

const hour = { start: ago(HOUR), end: NOW };
const names = (nodes: readonly { name: string }[]): string[] => nodes.map(({ name }) => name);
const around = ({ flags, cleanNodes, unsureNodes }: Told) => ({
  flags: flags.map(({ kind, node, gpu }) => `${kind} ${node.name} ${gpu?.index}`),
  clean: names(cleanNodes),
  unsure: names(unsureNodes),
});

describe('by its events alone', () => {
  test.each(Object.keys(told).filter((run) => run !== 'speechless'))(
    '%s has the stretches that it has',
    async (run) => {
      for (const [factor, minutes] of [
        [1.2, 2],
        [2.4, 0],
        [2.6, 0],
        [1.2, 10],
      ] as const) {
        const expected = slowdownsIn(told[run]!, hour, factor, minutes).map(({ from, to, ...more }) => ({
          ...more,
          from: iso(from),
          to: iso(to),
          ratio: more.meanS / more.medianS,
        }));
        const got = await ask(run, `factor: ${factor}, forAtLeastMinutes: ${minutes}`);
        expect(differences(run, expected, got)).toEqual([]);
      }
      expect(slowdownsIn(told[run]!, hour).length > 0).toBe(run !== 'steady');
    },
  );

  test('a run that was never slow has none, and one without step times none that are known', async () => {
    expect([await ask('steady'), await ask('speechless')]).toEqual([[], null]);
  });

  test('a window that cuts a stretch at both edges says so, and has its own median', async () => {
    const inside = span(at(22), at(30));
    expect(await ask('hot', '', inside)).toEqual([]);
    const cut = await only('hot', '', span(at(10), at(30)));
    expect(cut).toMatchObject({
      from: iso(at(20)),
      to: iso(at(30)),
      minutes: 10,
      clipped: { start: false, end: true },
    });
    expect(cut.note).toMatch(/Clipped at the window end/);
    const later = await only('hot', '', span(at(30), at(50)));
    expect(later).toMatchObject({ from: iso(at(30)), clipped: { start: true, end: false } });
  });
});

describe('flags', () => {
  test.each(['hot', 'two', 'before', 'touched', 'paused', 'twice'])(
    'of %s are those of its workload that overlap the stretch, with their keys',
    async (run) => {
      const asked = `run(name: "${run}") { slowdowns { from to flags { ${flagFields} } } workload { flags { flags { ${flagFields} } } } }`;
      const got = (await askCluster(await world.gateway(), 'c', asked)).run;
      const all: ToldFlag[] = got.workload.flags.flags;
      expect(all.length).toBeGreaterThan(0);
      const series = slowSites[0]!.series;
      for (const [i, { from, to }] of slowdownsIn(told[run]!, hour).entries()) {
        const nodes = [...new Set(all.map(({ node }) => node.name))];
        const truth = nodes
          .flatMap((node) => flagsOf(series, { node, vendor: 'nvidia', window: hour, now: NOW }))
          .filter((flag) => flag.from <= to && flag.to >= from);
        const overlapping: ToldFlag[] = got.slowdowns[i].flags;
        expect(overlapping).toEqual(all.filter((flag) => overlapping.some(({ key }) => key === flag.key)));
        expect(overlapping.map(({ kind, node, from: since }) => [kind, node.name, since]).sort()).toEqual(
          truth.map(({ kind, node, from: since }) => [kind, node, iso(since)]).sort(),
        );
      }
    },
  );

  test('that overlap it are named with their minutes, and the other node that stayed clean, and no cause is claimed', async () => {
    const found = await only('hot');
    expect(around(found)).toEqual({ flags: ['THERMAL_THROTTLE hot-1 0'], clean: ['hot-2'], unsure: [] });
    expect(found.summary).toBe(
      "From 2026-06-01 11:20 to 11:35 UTC 36 steps took 25 s on average, 2.5 times the run's median of 10 s (worst 25 s, 15 min without pauses); flags that overlap it: THERMAL_THROTTLE of GPU 0 on hot-1 (10.1 min of it); hot-2 stayed clean; overlap is not cause.",
    );
    expect(found.note).toBeNull();
  });

  test('of two nodes are both named', async () => {
    const found = await only('two');
    expect(around(found)).toEqual({
      flags: ['THERMAL_THROTTLE two-1 0', 'COMM_ERRORS two-2 0'],
      clean: [],
      unsure: [],
    });
    expect(found.summary).toMatch(
      /: THERMAL_THROTTLE of GPU 0 on two-1 \(10 min of it\) and COMM_ERRORS of GPU 0 on two-2 \(0\.5 min of it\); overlap is not cause\.$/,
    );
  });

  test('that ended just before it are not beside it', async () => {
    const found = await only('before');
    expect(around(found)).toEqual({ flags: [], clean: ['before-1'], unsure: [] });
  });

  test('that merely touch it are told with how little that is', async () => {
    const found = await only('touched');
    expect(around(found).flags).toEqual(['THERMAL_THROTTLE touched-1 0']);
    expect(found.summary).toMatch(/GPU 0 on touched-1 \(2\.1 min of it\)/);
  });

  test('count for the slow time alone where a pause lies in them', async () => {
    const found = await only('paused');
    expect(found.pauses).toEqual([
      { kind: 'EVALUATION', from: iso(at(25)), to: iso(at(30)), name: 'held-out' },
      { kind: 'CHECKPOINT', from: iso(at(31)), to: iso(at(32)), name: null },
    ]);
    expect(found).toMatchObject({ from: iso(at(20)), to: iso(at(35) + 20), minutes: 9.33333 });
    // Hot from minute 25 to 31, of which five were an evaluation, and a little after that a checkpoint.
    expect(found.summary).toMatch(/9\.3 min without pauses\); .*GPU 0 on paused-1 \(1 min of it\)/);
  });

  test('of one stretch are not those of another', async () => {
    const [first, second, ...others] = (await ask('twice'))!;
    expect([around(first!), around(second!), others]).toEqual([
      { flags: [], clean: ['twice-1', 'twice-2'], unsure: [] },
      { flags: ['THERMAL_THROTTLE twice-1 0'], clean: ['twice-2'], unsure: [] },
      [],
    ]);
  });
});

const everyCheck = ['THERMAL', 'POWER', 'UTILIZATION', 'COMM', 'HOST', 'MEMORY'];

describe('with nothing beside it', () => {
  test('clean signals are said to be clean, with the families that were checked, and that the code is the place to look', async () => {
    const found = await only('code');
    expect(around(found)).toEqual({ flags: [], clean: ['code-1', 'code-2'], unsure: [] });
    expect(found.checked).toEqual(everyCheck);
    expect(found.families).toEqual(
      'GPU_TEMP TENSOR_ACTIVE HBM THROTTLE_VIOLATIONS LINK_ERRORS ECC XID HOST_PRESSURE'.split(' '),
    );
    expect(found.summary).toMatch(
      /; no flag overlaps it, and the platform's signals were clean over the stretch on code-1 and code-2 \(checked: GPU_TEMP, TENSOR_ACTIVE, HBM, THROTTLE_VIOLATIONS, LINK_ERRORS, ECC, XID, HOST_PRESSURE\), so the code is the place to look\.$/,
    );
    expect(found.note).toBeNull();
  });

  test('what an AMD GPU cannot report is named', async () => {
    const found = await only('red', '', lastHour, 'red');
    expect(around(found)).toEqual({ flags: [], clean: ['red-1'], unsure: [] });
    expect(found.checked).toEqual(everyCheck.filter((check) => check !== 'POWER'));
    expect(found.families).toEqual('GPU_TEMP TENSOR_ACTIVE HBM LINK_ERRORS ECC HOST_PRESSURE'.split(' '));
    expect(found.summary).toMatch(
      /clean .*cannot report THROTTLE_VIOLATIONS, CLOCK_EVENTS, XID\), so the code is the place to look\.$/,
    );
    expect(found.note).toMatch(/AMD GPUs report no throttle timers/);
  });

  test('a silence outside it is none of its own', async () => {
    expect(around(await only('elsewhere'))).toEqual({ flags: [], clean: ['elsewhere-1'], unsure: [] });
  });

  test.each([
    [
      'silent',
      'c',
      lastHour,
      ['silent-1'],
      ['silent-2'],
      /silent-2 did not tell all the time of GPU_TEMP,/,
      /GPU 0 on silent-2/,
    ],
    ['missing', 'c', lastHour, [], ['missing-1'], /missing-1 did not tell all the time of ECC/, /Missing: ECC/],
    ['unnamed', 'c', lastHour, [], [], /no workload was named/, /No workload was named/],
    ['ghost', 'c', lastHour, [], [], /tells of no pods of its workload JOB default\/ghost/, /JOB default\/ghost/],
    [
      'gone',
      'c',
      lastHour,
      [],
      [],
      /no pod of its workload JOB default\/gone is known to have run/,
      /is known to have run/,
    ],
    ['left', 'c', lastHour, ['left-1'], [], /where it ran is known for \d.* of 15 min/, /Where it ran is known/],
    ['moved', 'c', lastHour, ['moved-1'], [], /reported for other workloads too/, /other workloads/],
    ['late', 'late', span(ago(3 * HOUR), ago(2 * HOUR)), [], ['late-1'], /pods that exist now/, /pods that exist now/],
  ] as const)(
    '%s: what is not known is said, and nothing is called clean',
    async (run, cluster, window, clean, unsure, why, note) => {
      const found = await only(run, '', window, cluster);
      expect(around(found)).toEqual({ flags: [], clean, unsure });
      expect(found.summary).toMatch(/no all-clear/);
      expect(found.summary).toMatch(why);
      expect(found.summary).not.toMatch(/\bclean\b|place to look/);
      expect(found.note).toMatch(note);
    },
  );

  test('a family that is not there is not among those that answered', async () => {
    const { families } = await only('missing');
    expect(families).not.toContain('ECC');
    expect(families).toContain('GPU_TEMP');
  });

  test('where no node is known nothing was checked', async () => {
    expect(await only('unnamed')).toMatchObject({ checked: [], families: [] });
  });

  test('of a stretch shorter than a silence that is told that is said', async () => {
    const found = await only('twice', 'forAtLeastMinutes: 2', span(at(7), at(30)));
    expect(found.summary).not.toMatch(/silence of under/);
    const short = await only('code', '', span(at(16), at(23)));
    expect(short).toMatchObject({ minutes: 2.91667, clipped: { end: true } });
    expect(short.summary).toMatch(/a silence of under 5 min would not show/);
    expect(short.note).toMatch(/shorter than the silences that are told/);
  });
});

describe('a run that hangs', () => {
  test('after a slow stretch is not said to have been slow, nor to be well, since', async () => {
    const found = await only('hung');
    expect(found).toMatchObject({
      from: iso(at(30)),
      to: iso(at(40)),
      minutes: 10,
      clipped: { start: false, end: false },
    });
    expect(found.note).toMatch(
      /No step ended from 2026-06-01 11:40 to 12:00 UTC: that time counts neither as slow nor as fast/,
    );
  });

  test('one that said it had finished does not hang', async () => {
    expect((await only('finished')).note).toBeNull();
  });
});

describe('arguments', () => {
  test.each([
    ['factor: 1', 'factor'],
    ['factor: 100.1', 'factor'],
    ['factor: -2', 'factor'],
    ['forAtLeastMinutes: -1', 'forAtLeastMinutes'],
    ['forAtLeastMinutes: 1440.5', 'forAtLeastMinutes'],
  ])('%s is refused, and the rest of the document is answered', async (args, named) => {
    const { data, errors } = await (
      await world.gateway()
    ).query(
      `{ cluster(name: "c", window: { range: LAST_1H }) { run(name: "hot") { name slowdowns(${args}) { from } } } }`,
    );
    expect(data.cluster.run).toEqual({ name: 'hot', slowdowns: null });
    expect(errors).toMatchObject([{ path: ['cluster', 'run', 'slowdowns'], extensions: { code: 'BAD_REQUEST' } }]);
    expect(errors![0]!.message).toMatch(new RegExp(`^${named} is .*give`));
  });

  test.each(['factor: 100, forAtLeastMinutes: 1440', 'factor: null, forAtLeastMinutes: null', 'forAtLeastMinutes: 0'])(
    '%s is taken',
    async (args) => {
      expect((await ask('hot', args))!.length).toBe(args.startsWith('factor: 100') ? 0 : 1);
    },
  );
});

test('the same is answered in a window of any number of points', async () => {
  const [one, many] = [
    await ask('hot', '', { ...lastHour, points: 1 }),
    await ask('hot', '', { ...lastHour, points: 96 }),
  ];
  expect(one).toEqual(many);
  expect(quarter).toEqual([20, 35]);
});
