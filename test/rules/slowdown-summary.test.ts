import { describe, expect, test } from 'vitest';

import type { SlowStretch } from '../../src/rules/slowdown.ts';
import { slowdownSummary, type Surroundings } from '../../src/rules/slowdown-summary.ts';

const noon = Date.parse('2026-06-01T12:00:00Z') / 1000;
const stretch: SlowStretch = {
  from: noon,
  to: noon + 900,
  clipped: { start: false, end: false },
  steps: 36,
  medianS: 10,
  meanS: 25,
  worstS: 31.26,
  slowS: 840,
  coveredS: 840,
  silent: { before: null, after: null },
};
const well: Surroundings = {
  flags: [],
  clean: ['n1', 'n2'],
  families: ['GPU_TEMP', 'ECC'],
  lacking: [],
  doubts: [],
  unheardS: 300,
};
const said = (around: Partial<Surroundings>, more: Partial<SlowStretch> = {}) =>
  slowdownSummary({ ...stretch, ...more }, { ...well, ...around });
const opening =
  "From 2026-06-01 12:00 to 12:15 UTC 36 steps took 25 s on average, 2.5 times the run's median of 10 s (worst 31.3 s, 14 min without pauses); ";

test('clean signals', () => {
  expect(said({})).toBe(
    `${opening}no flag overlaps it, and the platform's signals were clean over the stretch on n1 and n2 (checked: GPU_TEMP, ECC), so the code is the place to look.`,
  );
});

test('a flag, with who stayed clean and who is not to be called so', () => {
  const flags = [{ kind: 'HOST_PRESSURE', node: 'n3', gpu: null, overlapS: 0 } as const];
  expect(said({ flags, clean: ['n1'], doubts: ['n2 did not tell'] })).toBe(
    `${opening}flags that overlap it: HOST_PRESSURE of n3 (0 min of it); n1 stayed clean; n2 did not tell; overlap is not cause.`,
  );
});

describe('never clean', () => {
  test.each([
    ['with a doubt', { doubts: ['n2 did not tell'] }],
    ['without a node', { clean: [] }],
    ['with neither', { clean: [], doubts: ['a', 'b'] }],
  ])('%s', (_what, around) => {
    expect(said(around)).toMatch(/no all-clear: (n2 did not tell|nothing was checked|a; b)\.$/);
    expect(said(around)).not.toMatch(/\bclean\b|place to look/);
  });
});

test('figures of any size keep three digits, and none is made up', () => {
  expect(said({}, { medianS: 0.0123456, meanS: 0.052, worstS: 0.06 })).toMatch(
    /took 0\.052 s on average, 4\.21 times the run's median of 0\.0123 s \(worst 0\.06 s/,
  );
  expect(said({}, { medianS: 1234.5, meanS: 2400, worstS: 3000.4 })).toMatch(
    /2400 s on average, 1\.94 times the run's median of 1235 s \(worst 3000 s/,
  );
});

test('one step has no average, and a stretch that begins on another day says so', () => {
  expect(said({}, { steps: 1, from: noon - 86_400, meanS: 840, worstS: 840 })).toMatch(
    /^From 2026-05-31 12:00 to 2026-06-01 12:15 UTC one step took 840 s, 84 times the run's median of 10 s \(14 min without pauses\);/,
  );
});

test('long lists are cut, with a count', () => {
  const nodes = Array.from({ length: 64 }, (_, i) => `n${i}`);
  const flags = nodes.map((node) => ({ kind: 'THERMAL_THROTTLE', node, gpu: 3, overlapS: 90 }) as const);
  expect(said({ clean: nodes })).toMatch(/ on n0, n1, n2, n3 and 60 more \(/);
  expect(said({ clean: nodes.slice(0, 5) })).toMatch(/ on n0, n1, n2, n3 and n4 \(/);
  const long = said({ flags, clean: nodes, doubts: nodes.map((node) => `${node} did not tell`) });
  expect(long).toMatch(/GPU 3 on n3 \(1\.5 min of it\) and 60 more; n0, n1, n2, n3 and 60 more stayed clean;/);
  expect(long).toMatch(/n3 did not tell; 60 more reasons; overlap is not cause\.$/);
});

test('what would not show in so short a stretch, and what the maker lacks, is said beside what was checked', () => {
  const lacking = ['CLOCK_EVENTS', 'XID'];
  expect(said({ lacking }, { to: noon + 299 })).toMatch(
    /\(checked: GPU_TEMP, ECC; these GPUs cannot report CLOCK_EVENTS, XID; a silence of under 5 min would not show\)/,
  );
  expect(said({}, { to: noon + 300 })).not.toMatch(/silence/);
  const flags = [{ kind: 'POWER_CAP', node: 'n3', gpu: 1, overlapS: 60 } as const];
  expect(said({ flags, clean: ['n1'] }, { to: noon + 299 })).toMatch(
    /; n1 stayed clean, though a silence of under 5 min would not show; overlap is not cause\.$/,
  );
});
