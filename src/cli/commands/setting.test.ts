import { EventEmitter } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runProgram } from '../program.ts';

function desk() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'smew-cli-')));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const smew = async (...args: string[]) => {
    const [out, err] = [new PassThrough(), new PassThrough()];
    const clock = { now: () => Date.UTC(2026, 10, 30, 18) };
    const env = { SMEW_HOME: join(base, 'home') };
    const world = { env, home: base, cwd: base, platform: 'linux', version: '0.1.0', clock, random: Math.random };
    const code = await runProgram(args, {
      world,
      terminal: { in: Readable.from([]), out, err, signals: new EventEmitter() },
    });
    return { code, out: String(out.read() ?? ''), err: String(err.read() ?? '') };
  };
  return { base, smew };
}

describe('--add-dir', () => {
  it('takes a directory, and refuses what is missing or is a file', async () => {
    const { base, smew } = desk();
    mkdirSync(join(base, 'more'));
    writeFileSync(join(base, 'file'), '');
    expect((await smew('context', '--add-dir', 'more')).code).toBe(0);
    expect(await smew('context', '--add-dir', 'more', '--add-dir', 'none')).toMatchObject({
      code: 2,
      err: expect.stringContaining('Cannot use --add-dir none: ENOENT'),
    });
    expect(await smew('context', '--add-dir', 'file')).toMatchObject({
      code: 2,
      err: 'smew: Cannot use --add-dir file: it is no directory. Name an existing directory.\n',
    });
  });
});

describe('a model without its provider', () => {
  it('is told how it is written, and which it may be', async () => {
    const { smew } = desk();
    const { code, err } = await smew('models', 'info', 'gpt-5-mini');
    expect(code).toBe(2);
    expect(err).toContain('"gpt-5-mini" names no model. Write it as provider/model, for example');
    expect(err).toMatch(/Perhaps you mean: [^.]*openai\/gpt-5-mini/);
    expect((await smew('models', 'info', 'no-such')).err).not.toContain('Perhaps');
  });
});

describe('trust', () => {
  it('is given, listed and taken back, also from a folder that is gone', async () => {
    const { base, smew } = desk();
    const folder = join(base, 'work');
    mkdirSync(folder);
    expect((await smew('trust', '--list')).out).toBe('No folder is trusted.\n');
    await smew('trust', 'work');
    await smew('trust');
    expect((await smew('trust', '--list')).out).toBe(`${base}\n${folder}\n`);
    expect((await smew('trust', '--remove')).out).toBe(`${base} is not trusted any more.\n`);
    rmSync(folder, { recursive: true });
    expect((await smew('trust', '--remove', 'work')).code).toBe(0);
    expect((await smew('trust', '--list')).out).toBe('No folder is trusted.\n');
    expect(await smew('trust', '--remove', 'work')).toMatchObject({
      code: 2,
      err: expect.stringContaining('is not trusted'),
    });
    expect((await smew('trust', '--list', '--remove')).code).toBe(2);
  });
});
