import type { Log } from '../server/deps.ts';

/** JSON, one line each. Lines of level `debug` can hold store addresses and the stores' own words; they are dropped unless asked for. */
export const createLog =
  (write: (line: string) => void, withDebug: boolean): Log =>
  (line) => {
    if (line['level'] === 'debug' && !withDebug) return;
    write(`${JSON.stringify({ time: new Date().toISOString(), ...line })}\n`);
  };
