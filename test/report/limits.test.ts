import { expect, test } from 'vitest';
import type { Metadata } from '../../src/report/index.ts';
import { reported, spelled } from '../support/reported.ts';

const keys = (count: number): Metadata => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 1]));
/** Metadata whose canonical JSON has so many bytes, with what a training step adds. */
const ofBytes = (bytes: number): Metadata => {
  const added = '"split":"train"'.length;
  const fixed = 2 + 10 * '"k0":"",'.length + added;
  const values = Array.from({ length: 10 }, (_, i) => [`k${i}`, 'x'.repeat(i < 9 ? 400 : bytes - fixed - 3600)]);
  return Object.fromEntries(values);
};

test.each<[string, Metadata, Metadata]>([
  ['31 keys beside split', keys(31), keys(32)],
  ['keys of 128 bytes', { ['ä'.repeat(64)]: 1 }, { [`${'ä'.repeat(64)}a`]: 1 }],
  ['values of 512 bytes', { k: 'ä'.repeat(256) }, { k: `${'ä'.repeat(256)}a` }],
  ['4 KiB of JSON', ofBytes(4096), ofBytes(4097)],
])('%s are taken, and one more is refused at the call', async (_, most, more) => {
  const { reporter, events } = await reported();
  const step = reporter.step(0);
  step.metric('x', 1, most);
  expect(() => step.metric('x', 1, more)).toThrow(/^metric "x": metadata has .* are the most$/);
  step.end();
  expect(events()[0]!.metadata).toHaveProperty('split', 'train');
});

test('the longest name of a stage is counted from the first stage on', async () => {
  const long = 'l'.repeat(300);
  const { reporter } = await reported({ stages: ['a', long] });
  const room = 4096 - 300 - '"stage":"",'.length;
  const step = reporter.step(0);
  expect(() => step.metric('x', 1, ofBytes(room + 1))).toThrow('4097 bytes');
  step.metric('x', 1, ofBytes(room));
  step.end();
  reporter.enterStage(long);
  const later = reporter.step(1);
  later.metric('x', 1, ofBytes(room));
  later.end();
});

test.each([
  ['a list', [1]],
  ['an object', {}],
  ['null', null],
  ['undefined', undefined],
  ['NaN', NaN],
  ['a function', () => 1],
  ['a BigInt', 1n],
])('a value of metadata that is %s is refused at the call', async (_, value) => {
  const { reporter, lines } = await reported();
  const step = reporter.step(0);
  const metadata = { layer: value } as unknown as Metadata;
  for (const call of [
    () => step.metric('x', 1, metadata),
    () => step.diagnostic('x', 1, metadata),
    () => reporter.evaluation('eval').metric('x', 1, metadata),
    () => reporter.annotate('x', metadata),
  ])
    expect(call).toThrow('metadata has a value of "layer" that is no text, number or boolean');
  expect(lines).toEqual([]);
});

test('numbers and booleans are recorded as their text', async () => {
  const { reporter, lines } = await reported();
  reporter.annotate('x', { n: 1.5, yes: true, text: 'ä"' });
  expect(JSON.parse(lines[0]!)).toHaveProperty('metadata', { n: '1.5', yes: 'true', text: 'ä"' });
});

test('a name that no event can have, a value that is no number, a step that is none', async () => {
  const { reporter } = await reported();
  const step = reporter.step(0);
  expect(() => step.metric('', 1)).toThrow('its name is no text, or empty');
  expect(() => step.metric('ä'.repeat(257), 1)).toThrow('more than 512 bytes');
  expect(() => step.metric('\ud800', 1)).toThrow('no Unicode');
  expect(() => step.count('c'.repeat(505), 1)).toThrow('more than 512 bytes');
  expect(() => step.diagnostic('d'.repeat(501), 1)).toThrow('more than 512 bytes');
  expect(() => step.metric('x', '1' as unknown as number)).toThrow('metric "x": its value is no number, but string');
  expect(() => step.objective(undefined as unknown as number)).toThrow('no number, but undefined');
  expect(() => step.count('x', -1)).toThrow('only goes up');
  step.end();
  for (const index of [-1, 1.5, NaN]) expect(() => reporter.step(index)).toThrow('a whole number from 0');
});

test('calls out of order are told at once', async () => {
  const { reporter } = await reported({ stages: ['easy', 'hard'] });
  const step = reporter.step(1);
  expect(() => reporter.step(2)).toThrow('step 1 has not ended');
  step.end();
  expect(() => step.metric('x', 1)).toThrow('step 1 has ended');
  const pass = reporter.evaluation('eval');
  expect(() => reporter.evaluation('probe')).toThrow('"eval" has not ended');
  expect(() => reporter.enterStage('harder')).toThrow('there are: easy, hard');
  await reporter.finish();
  expect(() => pass.end()).toThrow('the run has ended');
  expect(() => reporter.step(3)).toThrow('the run has ended');
});

test('a series has one value a millisecond: later ones of the same moment come a millisecond later each', async () => {
  const { reporter, clock, events } = await reported();
  const start = clock.ms;
  for (let index = 0; index < 3; index++) {
    const step = reporter.step(index);
    step.metric('a', index);
    step.metric('a', index, { layer: 1 });
    step.end();
  }
  clock.ms -= 60_000;
  reporter.step(3).end();
  clock.ms += 120_000;
  reporter.step(4).end();
  const times = (series: string): number[] =>
    events()
      .filter((event) => spelled(event).startsWith(series))
      .map(({ tsMs }) => tsMs - start);
  expect(times('a{split')).toEqual([0, 1, 2]);
  expect(times('a{layer')).toEqual([0, 1, 2]);
  // A clock that was set back takes no series back.
  expect(times('runtime/step_seconds')).toEqual([0, 1, 2, 3, 60_000]);
});
