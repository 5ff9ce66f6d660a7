import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { fakeClock } from '../loop/fakes.ts';
import { listModels, modelInfo } from './model-list.ts';
import type { World } from './world.ts';

const dirs: string[] = [];
afterEach(() => {
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true, force: true });
});

function newWorld(): { readonly world: World; readonly keys: string } {
  const home = mkdtempSync(join(tmpdir(), 'smew-model-list-'));
  dirs.push(home);
  const keys = join(home, 'smew', 'keys');
  mkdirSync(keys, { recursive: true });
  const nowhere = 'http://127.0.0.1:1';
  const env = {
    SMEW_HOME: join(home, 'smew'),
    OLLAMA_HOST: nowhere,
    LMSTUDIO_BASE_URL: nowhere,
    LLAMACPP_BASE_URL: nowhere,
    VLLM_BASE_URL: nowhere,
  };
  const world = { env, home, cwd: home, platform: 'linux', version: '1', clock: fakeClock(), random: () => 0 } as const;
  return { world, keys };
}

it('What the catalogue knows of a model is shown without a key, and that none is set', async () => {
  const info = await modelInfo(newWorld().world, { model: 'openai/gpt-5-mini' });
  expect(info).toMatchObject({
    ok: true,
    value: {
      card: { contextTokens: 400_000 },
      notices: [expect.stringMatching(/^No key for "openai"\. Set OPENAI_API_KEY/)],
    },
  });
});

it('A provider that nobody knows is refused as before', async () => {
  const info = await modelInfo(newWorld().world, { model: 'nosuch/m' });
  expect(info).toMatchObject({ ok: false, fault: { kind: 'usage' } });
});

it('A key file that others can read keeps its provider in the list, with what to do', async () => {
  const { world, keys } = newWorld();
  const file = join(keys, 'openai');
  writeFileSync(file, 'sk-0123456789\n');
  chmodSync(file, 0o644);
  const list = await listModels(world, {});
  expect(list).toMatchObject({
    ok: true,
    value: {
      notices: [`The key file ${file} has mode 644, so that others can read it. Only you may: chmod 600 ${file}`],
    },
  });
  const openai = list.ok ? list.value.providers.find(({ provider }) => provider === 'openai') : undefined;
  expect(openai?.access).toBe('its key cannot be read');
});
