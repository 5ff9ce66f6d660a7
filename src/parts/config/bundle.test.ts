import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

/** Bundlers give the names of a CommonJS library, which YAML is, in another way than Node does. */
test('a config file is read in a bundle as it is from the sources', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'smew-bundle-'));
  try {
    await writeFile(join(folder, 'config.yaml'), 'limits: {steps: 3}');
    await build({
      stdin: {
        contents: `
          import { loadConfig } from './load.ts';
          const userFile = ${JSON.stringify(join(folder, 'config.yaml'))};
          const loaded = await loadConfig({ userFile, env: {}, flags: {}, parseMode: (value) => ({ ok: true, value }) });
          process.stdout.write(String(loaded.value.config.limits.steps));`,
        resolveDir: import.meta.dirname,
        loader: 'ts',
      },
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      banner: { js: 'const require=process.getBuiltinModule;' },
      logLevel: 'silent',
    });
    expect(execFileSync(process.execPath, [join(folder, 'stdin.mjs')], { encoding: 'utf8' })).toBe('3');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
