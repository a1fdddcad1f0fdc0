import { join } from 'node:path';

import { engines, type Engine } from './engines.ts';
import type { Tsdb } from './tsdb.ts';

/** Neither of the flags for blocks is in `--help`; both are in 2.x and 3.x. */
const prometheus = (dataDir: string, { block, receiver }: Tsdb): string[] => [
  `--config.file=${join(dataDir, 'prometheus.yml')}`,
  `--storage.tsdb.path=${dataPath(dataDir)}`,
  '--storage.tsdb.retention.time=10y',
  `--storage.tsdb.min-block-duration=${block}`,
  `--storage.tsdb.max-block-duration=${block}`,
  ...(receiver ? ['--web.enable-remote-write-receiver'] : []),
  '--log.level=warn',
];

const victoriaMetrics = (dataDir: string): string[] => [
  `-storageDataPath=${dataPath(dataDir)}`,
  '-retentionPeriod=100y',
  // Both would answer something else than what was written: the newest 30 s left out, and points moved to a grid.
  '-search.latencyOffset=0s',
  '-search.disableCache',
  '-loggerLevel=ERROR',
];

/** Where the engine keeps its files, apart from ours (configuration, log) in the same folder. */
export const dataPath = (dataDir: string): string => join(dataDir, 'data');

/** The command line of a store that listens on this port of the loopback interface only. */
export function storeArguments(engine: Engine, dataDir: string, port: number, tsdb: Tsdb): string[] {
  return engines[engine].family === 'prometheus'
    ? [...prometheus(dataDir, tsdb), `--web.listen-address=127.0.0.1:${port}`]
    : [...victoriaMetrics(dataDir), `-httpListenAddr=127.0.0.1:${port}`];
}
