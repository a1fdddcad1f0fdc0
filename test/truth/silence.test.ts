import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { amd } from '../support/fleet/amd.ts';
import { ago, HOUR, MINUTE, scrapes, type Scraping } from '../support/fleet/clock.ts';
import { dcgm } from '../support/fleet/dcgm.ts';
import { askNode, span } from '../support/fleet/questions.ts';
import { startWorld, type World } from '../support/fleet/world.ts';

const half = ago(30 * MINUTE);
const start = ago(HOUR);
const temp = { DCGM_FI_DEV_GPU_TEMP: 60, DCGM_FI_DEV_POWER_USAGE: 300 };

/** A node with a healthy GPU 0, and a GPU 77 that is scraped as the case says. */
const beside = (node: string, scraping: Scraping) => [
  ...dcgm({ node }, scrapes({ from: ago(30 * HOUR) }), temp),
  ...dcgm({ node, index: 77 }, scrapes({ from: ago(30 * HOUR), ...scraping }), temp),
];

const named: [behaviour: string, scraping: Scraping][] = [
  ['gone for three hours', { to: ago(3 * HOUR) }],
  ['gone for 23 hours', { to: ago(23 * HOUR) }],
  ['silent for the last six minutes', { to: ago(6 * MINUTE) }],
  ['silent for the first six minutes', { holes: [[start - 60, start + 6 * MINUTE]] }],
  ['silent for six minutes in the middle', { holes: [[half, half + 6 * MINUTE]] }],
  [
    'silent twice',
    {
      holes: [
        [start + 300, start + 900],
        [half, half + 900],
      ],
    },
  ],
  ['silent from one scrape to another 330 s later', { phase: 0, holes: [[half, half + 329]] }],
  ['last scraped 330 s before the end', { phase: 0, to: ago(330) }],
  // contract is silent: on what was not there yet; `anywhere in the window` is taken at its word.
  ['born in the middle', { from: half }],
];
const unnamed: [behaviour: string, scraping: Scraping][] = [
  ['scraped throughout', {}],
  ['silent for four minutes in the middle', { holes: [[half, half + 4 * MINUTE]] }],
  ['silent from one scrape to another 300 s later', { phase: 0, holes: [[half, half + 299]] }],
  ['last scraped 300 s before the end', { phase: 0, to: ago(300) }],
  ['silent for the last four minutes', { to: ago(4 * MINUTE) }],
  ['silent for the first four minutes', { holes: [[start - 60, start + 4 * MINUTE]] }],
  ['silent for an hour, two hours before the window', { holes: [[ago(4 * HOUR), ago(3 * HOUR)]] }],
  [
    'silent for four minutes, three times',
    {
      holes: [
        [start + 300, start + 540],
        [half, half + 240],
        [half + 600, half + 840],
      ],
    },
  ],
];
const loudNode = (at: number): string => `loud-${at}`;
const quietNode = (at: number): string => `quiet-${at}`;

let world: World;
beforeAll(async () => {
  world = await startWorld([
    {
      name: 'silence',
      series: [
        ...named.flatMap(([, scraping], at) => beside(quietNode(at), scraping)),
        ...unnamed.flatMap(([, scraping], at) => beside(loudNode(at), scraping)),
        ...beside('old', { to: ago(26 * HOUR) }),
      ],
    },
    // Two scrapes in 400 s: longer than 5 minutes, shorter than three scrapes.
    { name: 'rare', series: dcgm({ node: 'n1' }, scrapes({ every: 200, holes: [[half, half + MINUTE]] }), temp) },
    {
      name: 'red',
      vendor: 'amd',
      series: [
        ...amd({ node: 'm1', id: 0 }, scrapes({ from: ago(5 * HOUR) }), { gpu_junction_temperature: 60 }),
        ...amd({ node: 'm1', id: 77 }, scrapes({ from: ago(5 * HOUR), to: ago(2 * HOUR) }), {
          gpu_junction_temperature: 60,
        }),
      ],
    },
  ]);
});
afterAll(() => world?.close());

/** That a note speaks of GPU 77: among others or alone. */
const speaksOf77 = /\bGPUs?\b[^.;\n]*\b77\b/i;

describe('a GPU that was silent for more than 5 minutes of the window is named in the note', () => {
  test.each(named.map(([behaviour], at) => [behaviour, quietNode(at)] as const))('%s', async (_behaviour, node) => {
    const { note, gpus } = await askNode(await world.gateway(), 'silence', node, 'note gpus { index }');
    expect(gpus, 'it stays listed').toEqual([{ index: 0 }, { index: 77 }]);
    expect(note).toMatch(speaksOf77);
  });

  test.each(unnamed.map(([behaviour], at) => [behaviour, loudNode(at)] as const))(
    'but not one %s',
    async (_behaviour, node) => {
      const { note, gpus } = await askNode(await world.gateway(), 'silence', node, 'note gpus { index }');
      expect(gpus).toEqual([{ index: 0 }, { index: 77 }]);
      expect(note ?? '').not.toMatch(speaksOf77);
    },
  );

  test('the note needs nothing beside it', async () => {
    expect((await askNode(await world.gateway(), 'silence', quietNode(0), 'note')).note).toMatch(speaksOf77);
  });

  test('three scrapes are tolerated where they take longer', async () => {
    const note = async (scrapeIntervalS: number): Promise<string> =>
      (await askNode(await world.gateway({ scrapeIntervalS }), 'rare', 'n1', 'note')).note ?? '';
    const speaksOf0 = /\b(?:GPUs?|n1)\b[^.;\n]*\b0\b/i;
    expect(await note(200)).not.toMatch(speaksOf0);
    expect(await note(30)).toMatch(speaksOf0);
  });
});

// VictoriaMetrics tells by the day which series there were, so there a GPU of the window's days stays listed, silent.
const byDay = process.env['GPUQL_ENGINE']?.startsWith('victoria') ?? false;

describe('a GPU that is gone', () => {
  const selection =
    'gpus { index tempC { mean } peakTempC powerW { values } hbmTotalGib errors { pcieReplay } throttle { thermalS } }';
  const nulls = {
    tempC: null,
    peakTempC: null,
    powerW: null,
    hbmTotalGib: null,
    errors: { pcieReplay: null },
    throttle: { thermalS: null },
  };

  test.each([0, 1])('reads nulls and stays listed (%i)', async (at) => {
    const { gpus } = await askNode(await world.gateway(), 'silence', quietNode(at), selection);
    expect(gpus[1]).toEqual({ index: 77, ...nulls });
    expect(gpus[0].tempC).toEqual({ mean: 60 });
  });

  test('is forgotten where it was last seen more than 24 hours before the window', async () => {
    const { gpus, gpuCount } = await askNode(await world.gateway(), 'silence', 'old', 'gpuCount gpus { index }');
    expect(gpus.slice(0, 1)).toEqual([{ index: 0 }]);
    expect(gpuCount).toBe(byDay ? 2 : 1);
  });

  test('is not yet there in a window before it came', async () => {
    const born = quietNode(named.findIndex(([behaviour]) => behaviour === 'born in the middle'));
    const { gpus } = await askNode(
      await world.gateway(),
      'silence',
      born,
      'gpus { index }',
      span(ago(6 * HOUR), ago(5 * HOUR)),
    );
    expect(gpus).toHaveLength(byDay ? 2 : 1);
  });

  test('counts among its node’s GPUs', async () => {
    expect((await askNode(await world.gateway(), 'silence', quietNode(0), 'gpuCount')).gpuCount).toBe(2);
  });

  test('on AMD alike', async () => {
    const { gpus, note } = await askNode(await world.gateway(), 'red', 'm1', 'note gpus { index tempC { mean } }');
    expect(gpus).toEqual([
      { index: 0, tempC: { mean: 60 } },
      { index: 77, tempC: null },
    ]);
    expect(note).toMatch(speaksOf77);
  });
});
