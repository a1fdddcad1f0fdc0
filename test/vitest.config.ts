import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: {
    // graphql ships two builds. What Node picks for the libraries must be what the sources get, or no schema is one.
    alias: [{ find: /^graphql$/, replacement: fileURLToPath(import.meta.resolve('graphql')) }],
  },
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 180_000,
    // One more than the cores of a small machine: some tests mostly wait, one of them for a store that is away for a minute.
    maxWorkers: 3,
  },
});
