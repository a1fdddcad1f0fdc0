import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Tests that set the clock, or measure their own process: they have one each. */
const apart = ['test/server/**/*.test.ts', 'test/report/**/*.test.ts'];

export default defineConfig({
  resolve: {
    // graphql ships two builds. What Node picks for the libraries must be what the sources get, or no schema is one.
    alias: [{ find: /^graphql$/, replacement: fileURLToPath(import.meta.resolve('graphql')) }],
  },
  test: {
    testTimeout: 60_000,
    hookTimeout: 180_000,
    // One more than the cores of a small machine: some tests mostly wait, one of them for a store that is away for a minute.
    maxWorkers: 3,
    projects: [
      // Files share a process, and load what they test once: a third of the time otherwise.
      { extends: true, test: { name: 'together', include: ['test/**/*.test.ts'], exclude: apart, isolate: false } },
      { extends: true, test: { name: 'apart', include: apart } },
    ],
  },
});
