import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fail, ok } from '../../base/result.ts';
import { fault } from '../../protocol/fault.ts';
import { Mode } from '../../protocol/permission.ts';
import { type ConfigSources, loadConfig, originOf } from './load.ts';
import { setInFile } from './write.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'smew-config-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const parseMode: ConfigSources['parseMode'] = (text) => {
  const mode = Mode.safeParse(text === 'acceptEdits' ? 'accept-edits' : text);
  return mode.success ? ok(mode.data) : fail(fault('usage', `no mode "${text}"`));
};

interface Given extends Partial<Omit<ConfigSources, 'userFile' | 'projectFile'>> {
  readonly user?: string;
  readonly project?: string;
}

async function load({ user, project, ...more }: Given) {
  const userFile = join(folder, 'user.yaml');
  const projectFile = join(folder, 'project.yaml');
  if (user !== undefined) await writeFile(userFile, user);
  if (project !== undefined) await writeFile(projectFile, project);
  return await loadConfig({ userFile, projectFile, env: {}, flags: {}, parseMode, ...more });
}

async function loaded(given: Given) {
  const result = await load(given);
  if (!result.ok) throw new Error(result.fault.message);
  return result.value;
}

async function refused(given: Given): Promise<string> {
  const result = await load(given);
  if (result.ok) throw new Error('it was accepted');
  return result.fault.message;
}

describe('the layers', () => {
  test('without any source every default is in force', async () => {
    const value = await loaded({});
    expect(value.config.limits).toMatchObject({ steps: 250, turnSeconds: 0, bashSeconds: 120, bashMaxSeconds: 600 });
    expect(value.config.permissions).toEqual({ mode: 'default', allow: [] });
    expect(value.notices).toEqual([]);
    expect(originOf(value, 'limits.steps').layer).toBe('default');
  });

  test('a later layer wins, and the value knows where it comes from', async () => {
    const layers: [Given, number, string][] = [
      [{ user: 'limits: {steps: 1}' }, 1, join(folder, 'user.yaml, line 1')],
      [{ project: 'limits:\n  steps: 2' }, 2, join(folder, 'project.yaml, line 2')],
      [{ env: { SMEW_MAX_STEPS: '3' } }, 3, 'SMEW_MAX_STEPS'],
      [{ flags: { limits: { steps: 4 } } }, 4, '--max-steps'],
    ];
    let given: Given = {};
    for (const [layer, steps, place] of layers) {
      given = { ...given, ...layer };
      const value = await loaded(given);
      expect(value.config.limits.steps).toBe(steps);
      expect(originOf(value, 'limits.steps').place).toBe(place);
    }
  });

  test('a group keeps what a later layer does not name', async () => {
    const { config } = await loaded({
      user: 'limits: {steps: 1, nudges: 2}\nprovider: {a: {baseUrl: "http://a/v1"}, b: {apiKeyEnv: B}}',
      flags: { limits: { steps: 3 }, provider: { a: { apiKey: 'k' } } },
    });
    expect(config.limits).toMatchObject({ steps: 3, nudges: 2 });
    expect(config.provider).toEqual({ a: { baseUrl: 'http://a/v1', apiKey: 'k' }, b: { apiKeyEnv: 'B' } });
  });

  test('lists grow', async () => {
    const { config } = await loaded({
      user: 'permissions: {allow: ["bash(npm test *)", edit]}',
      flags: { permissions: { allow: ['edit', 'write'] } },
    });
    expect(config.permissions.allow).toEqual(['bash(npm test *)', 'edit', 'write']);
  });

  test('an empty file, an empty group and an empty variable set nothing', async () => {
    const { config } = await loaded({ user: '\n', project: 'limits:\n#  steps: 3\nmodel:\n', env: { SMEW_MODEL: '' } });
    expect(config.limits.steps).toBe(250);
    expect(config.model).toBeUndefined();
  });

  test('a mode is understood by its other names, in a file and in a variable', async () => {
    expect((await loaded({ user: 'permissions: {mode: acceptEdits}' })).config.permissions.mode).toBe('accept-edits');
    const env = { SMEW_PERMISSION_MODE: 'acceptEdits' };
    expect((await loaded({ env })).config.permissions.mode).toBe('accept-edits');
  });
});

describe('mistakes', () => {
  test('broken YAML is a fault with file, line, column and what to do', async () => {
    const message = await refused({ user: 'model: a/b\nlimits: {steps: 3\n' });
    expect(message).toContain(`${join(folder, 'user.yaml')}, line `);
    expect(message).toMatch(/line 3, column 1: this is not valid YAML: .+ Correct it/);
  });

  test('the same name twice is a fault, since one of the two would be lost', async () => {
    expect(await refused({ user: 'model: a/b\nmodel: c/d\n' })).toMatch(/line 2, column 1.*unique/);
  });

  test('a file that is a list or a word is refused', async () => {
    expect(await refused({ user: '- a\n- b\n' })).toContain('holds no settings');
    expect(await refused({ user: 'hello' })).toContain('holds no settings');
  });

  test('an unknown key is a notice with the nearest known name, and the rest holds', async () => {
    const { config, notices } = await loaded({
      user: 'max_output_tokens: 5\nlimits:\n  stepz: 3\n  nudges: 4\nprovider:\n  a: {base_url: "http://x"}\nzebra: 1\n',
    });
    expect(config.limits).toMatchObject({ steps: 250, nudges: 4 });
    const file = join(folder, 'user.yaml');
    expect([...notices].sort()).toEqual([
      `${file}, line 1: there is no setting "max_output_tokens"; it is ignored. Did you mean "maxOutputTokens"?`,
      `${file}, line 3: there is no setting "limits.stepz"; it is ignored. Did you mean "limits.steps"?`,
      `${file}, line 6: there is no setting "provider.a.base_url"; it is ignored. Did you mean "provider.a.baseUrl"?`,
      `${file}, line 7: there is no setting "zebra"; it is ignored.`,
    ]);
  });

  test.each([
    ['limits:\n  steps: many', 'line 2: limits.steps is "many"; wanted a whole number of at least 1 (Replies of the'],
    ['limits: {steps: 0}', 'limits.steps is 0; wanted a whole number of at least 1'],
    ['limits: {toolSeconds: 0}', 'wanted a number of at least 0.1 and at most 2000000'],
    ['limits: {turnSeconds: 9999999}', 'wanted a number of at least 0 and at most 2000000'],
    ['limits: 5', 'limits is 5; wanted settings below it'],
    ['temperature: 3', 'temperature is 3; wanted a number of at least 0 and at most 2'],
    ['model: [a]', 'model is ["a"]; wanted a text'],
    ['addDirs: /tmp', 'addDirs is "/tmp"; wanted a list of texts'],
    ['permissions: {allow: [3]}', 'permissions.allow.0 is 3; wanted a text'],
    ['permissions: {mode: wild}', 'no mode "wild"'],
    ['permissions: {mode: 3}', 'permissions.mode is 3; wanted one of default, accept-edits'],
  ])('%j is a fault that names file, path, value and what is wanted', async (user, message) => {
    const said = await refused({ user });
    expect(said).toContain(message);
    expect(said).toContain(join(folder, 'user.yaml'));
  });

  test('a wrong value in a variable names the variable', async () => {
    expect(await refused({ env: { SMEW_MAX_STEPS: 'ten' } })).toMatch(/^SMEW_MAX_STEPS: limits\.steps is "ten"/);
  });

  test('a secret of the wrong kind is not printed', async () => {
    const said = await refused({ user: 'provider: {a: {apiKey: [sk-secret]}}' });
    expect(said).toContain('provider.a.apiKey');
    expect(said).not.toContain('sk-secret');
  });

  test('an alias bomb is a fault, and ends soon', async () => {
    const levels = Array.from(
      { length: 9 },
      (_, level) => `l${level + 1}: &l${level + 1} [${`*l${level},`.repeat(9)}]`,
    );
    expect(await refused({ user: `l0: &l0 [x]\n${levels.join('\n')}` })).toContain('not valid YAML');
  });

  test('a name such as __proto__ is only an unknown name', async () => {
    const { config, notices } = await loaded({ user: '__proto__: {model: x}\nlimits: {__proto__: {steps: 1}}' });
    expect(config.model).toBeUndefined();
    expect(config.limits.steps).toBe(250);
    expect(notices).toHaveLength(2);
  });

  test('what is no regular file is a fault, and a named pipe does not hold the start', async () => {
    const userFile = join(folder, 'pipe.yaml');
    execFileSync('mkfifo', [userFile]);
    const result = await loadConfig({ userFile, env: {}, flags: {}, parseMode });
    expect(result).toMatchObject({ ok: false, fault: { kind: 'storage' } });
    if (!result.ok) expect(result.fault.message).toContain('it is a named pipe, not a regular file');
    expect(await setInFile(userFile, { path: 'model', value: 'x' })).toMatchObject({ ok: false });
  });

  test('a file that cannot be read is a fault', async () => {
    const result = await loadConfig({ userFile: folder, env: {}, flags: {}, parseMode });
    expect(result).toMatchObject({ ok: false, fault: { kind: 'storage' } });
  });
});

describe("a project's own config", () => {
  test('may set model and limits', async () => {
    const { config, notices } = await loaded({ project: 'model: a/b\nlimits: {steps: 7}' });
    expect(config).toMatchObject({ model: 'a/b', limits: { steps: 7 } });
    expect(notices).toEqual([]);
  });

  test('may not lift a cap, switch a guard off or let secrets through', async () => {
    const { config, notices } = await loaded({
      user: 'limits: {cost: 1, tokens: 1000}',
      project:
        'limits: {cost: 99, tokens: 99000, bashSeconds: 7}\npolicies: {off: [compaction]}\nreplies: {disabled: [salvage]}\nbash: {keepEnv: [A_TOKEN]}\nfallback: [a/b]',
    });
    expect(config.limits).toMatchObject({ cost: 1, tokens: 1000, bashSeconds: 7 });
    expect([config.policies.off, config.replies.disabled, config.bash.keepEnv, config.fallback]).toEqual([
      [],
      [],
      [],
      [],
    ]);
    expect(notices).toHaveLength(6);
  });

  test('may not set providers, prices of models, allow rules or folders; each is told', async () => {
    const { config, notices } = await loaded({
      user: 'provider: {openai: {apiKey: mine}}\npermissions: {allow: [edit]}',
      project:
        'provider: {openai: {baseUrl: "http://evil/v1"}}\npermissions: {allow: [bash]}\naddDirs: [/]\nmodel: a/b\nmodels: {a/b: {price: {input: 0, output: 0}}}',
    });
    expect(config.provider).toEqual({ openai: { apiKey: 'mine' } });
    expect(config.permissions.allow).toEqual(['edit']);
    expect(config.addDirs).toEqual([]);
    expect(config.models).toEqual({});
    expect(config.model).toBe('a/b');
    expect(notices).toHaveLength(4);
    expect(notices[0]).toContain('only your own config may set "provider" (openai)');
  });

  test.each([
    ['plan', undefined, 'plan', 0],
    ['default', undefined, 'default', 0],
    ['accept-edits', undefined, 'default', 1],
    ['bypass', undefined, 'default', 1],
    ['bypass', 'auto', 'auto', 1],
    ['accept-edits', 'auto', 'accept-edits', 0],
    ['default', 'plan', 'plan', 1],
  ])('mode %s of a project under the user mode %s gives %s', async (project, user, mode, told) => {
    const { config, notices } = await loaded({
      project: `permissions: {mode: ${project}}`,
      ...(user === undefined ? {} : { user: `permissions: {mode: ${user}}` }),
    });
    expect(config.permissions.mode).toBe(mode);
    expect(notices).toHaveLength(told);
  });

  test('is not read when no file is given', async () => {
    const userFile = join(folder, 'none.yaml');
    await writeFile(join(folder, 'project.yaml'), 'model: a/b');
    const result = await loadConfig({ userFile, env: {}, flags: {}, parseMode });
    expect(result.ok && result.value.config.model).toBeUndefined();
  });
});
