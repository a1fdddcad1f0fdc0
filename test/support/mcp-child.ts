import { readConfig } from '../../src/config.ts';
import { mcp } from '../../src/commands/mcp.ts';
import { readingNames } from '../../src/readings/catalogue.ts';

// What `gpuql mcp --config FILE` runs, at an instant that a test gives.
const { GPUQL_TEST_CONFIG: config, GPUQL_TEST_NOW: now, GPUQL_TOKEN: token } = process.env;
process.exit(
  await mcp(readConfig(config!, {}, readingNames), {
    log: (line) => console.error(JSON.stringify(line)),
    say: () => {},
    token,
    now: () => Number(now),
  }),
);
