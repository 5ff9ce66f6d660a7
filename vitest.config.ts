import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** A folder for the results as JSON, one file a run: how `.ci/run` counts. */
const results = process.env['SMEW_TEST_RESULTS'];

/**
 * `unit`: beside the code, fast. `flows`: whole turns through the built program (run `npm run build` first), and the
 * parts' `*.process.test.ts`, which keep many real processes busy for seconds.
 */
export default defineConfig({
  test: {
    // By default one core is left idle, which on two cores doubles the time.
    maxWorkers: '100%',
    reporters: results ? ['default', ['json', { outputFile: join(results, `${process.pid}.json`) }]] : ['default'],
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'test/*.test.ts'],
          exclude: ['**/*.process.test.ts'],
          // No test changes what others see (no mocks, no module state), so files may share a process: it halves the cost.
          isolate: false,
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: 'flows',
          include: ['test/flows/**/*.test.ts', 'src/**/*.process.test.ts', 'test/*.process.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
