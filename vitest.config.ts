import { defineConfig } from 'vitest/config';

/** `unit`: beside the code, fast. `flows`: whole turns through the built program (run `npm run build` first). */
export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: ['src/**/*.test.ts', 'test/*.test.ts'], testTimeout: 20_000 } },
      { test: { name: 'flows', include: ['test/flows/**/*.test.ts'], testTimeout: 120_000, hookTimeout: 120_000 } },
    ],
  },
});
