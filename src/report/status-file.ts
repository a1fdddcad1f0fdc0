import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { CannotReport } from './cannot-report.ts';

/** Writes the state of a run, whole: who reads the file finds the old state or the new one. */
export type WriteState = (state: object) => void;

/**
 * @param say  told once when it cannot be written any more
 * @throws     CannotReport: its folder cannot be made
 */
export function statusFile(path: string, say: (line: string) => void): WriteState {
  const beside = `${path}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true });
  } catch (error) {
    throw new CannotReport(`The status file ${path} cannot be written: ${(error as Error).message}`, { cause: error });
  }
  let isBroken = false;
  return (state) => {
    try {
      writeFileSync(beside, `${JSON.stringify(state)}\n`);
      renameSync(beside, path);
      isBroken = false;
    } catch (error) {
      if (!isBroken) say(`The status file ${path} cannot be written: ${(error as Error).message}`);
      isBroken = true;
    }
  };
}
