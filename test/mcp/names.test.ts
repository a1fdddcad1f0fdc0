import { expect, test } from 'vitest';

import { inSmallLetters } from '../../src/mcp/names.ts';

test('a note names families, checks and kinds as the answer around it does', () => {
  expect(inSmallLetters('Checked THERMAL, POWER of 1 node. AMD lacks (CLOCK_EVENTS, XID); POWER_CAP of n1.')).toBe(
    'Checked thermal, power of 1 node. AMD lacks (clock_events, xid); power_cap of n1.',
  );
});

test.each([
  'HW_SLOWDOWN events',
  '3 samples of DCGM_FI_DEV_POWER',
  'node RACK_7-XID',
  'pod HOST.example',
  'NVIDIA GPUs',
])('other names stay as they are: %s', (note) => {
  expect(inSmallLetters(note)).toBe(note);
});
