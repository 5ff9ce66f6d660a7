import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type KeyPlaces, keyReader, storeKeys } from './keys.ts';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'smew-keys-'));
  mkdirSync(join(home, 'keys'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const reader = () => keyReader({ directory: join(home, 'keys'), home, env: { PATH: process.env['PATH'] } });
const read = (places: KeyPlaces = {}, provider = 'openai') => reader()(provider, places);
const write = (name: string, text: string, mode = 0o600) => {
  writeFileSync(join(home, name), text);
  chmodSync(join(home, name), mode);
};

describe('a key', () => {
  it('is read from the user’s own file for the provider, a line each', async () => {
    write('keys/openai', '# work\nsk-1\n\n  sk-2  \n');
    expect(await read()).toEqual({ ok: true, value: { configured: [], kept: ['sk-1', 'sk-2'] } });
    expect(await read({}, 'groq')).toEqual({ ok: true, value: { configured: [], kept: [] } });
  });

  it('is not read from a file that others can read', async () => {
    write('keys/openai', 'sk-secret\n', 0o640);
    const answer = await read();
    expect(answer).toMatchObject({
      ok: false,
      fault: { kind: 'usage', message: expect.stringMatching(/mode 640.*chmod 600/) },
    });
    expect(JSON.stringify(answer)).not.toContain('sk-secret');
  });

  it('is read from a file of the config’s own', async () => {
    write('mine.txt', 'sk-3');
    expect(await read({ apiKeyFile: '~/mine.txt' })).toMatchObject({ ok: true, value: { configured: ['sk-3'] } });
    expect(await read({ apiKeyFile: 'mine.txt' })).toMatchObject({ ok: false, fault: { kind: 'usage' } });
    const absent = await read({ apiKeyFile: join(home, 'absent') });
    expect(absent).toMatchObject({ ok: false, fault: { message: expect.stringContaining('there is no') } });
  });

  it('is what a command prints, asked once a run', async () => {
    const ask = reader();
    const apiKeyCommand = `echo x >> ${join(home, 'count')}; echo sk-4`;
    expect(await ask('openai', { apiKeyCommand })).toMatchObject({ ok: true, value: { configured: ['sk-4'] } });
    expect(await ask('openai', { apiKeyCommand })).toMatchObject({ ok: true, value: { configured: ['sk-4'] } });
    expect(readFileSync(join(home, 'count'), 'utf8')).toBe('x\n');
  });

  it.each([
    ['echo no such entry >&2; exit 1', /provider\.openai\.apiKeyCommand gave no key: no such entry/],
    ['true', /it printed nothing/],
  ])('is not had from %s, and the fault says why', async (apiKeyCommand, message) => {
    const answer = await read({ apiKeyCommand });
    expect(answer).toMatchObject({
      ok: false,
      fault: { kind: 'unauthorised', message: expect.stringMatching(message) },
    });
  });

  it('is stored for the user alone, also over a file that was open to others', async () => {
    write('keys/groq', 'old', 0o644);
    const stored = await storeKeys(join(home, 'keys'), 'groq', ['new']);
    expect(stored).toEqual({ ok: true, value: join(home, 'keys', 'groq') });
    expect(statSync(join(home, 'keys/groq')).mode & 0o777).toBe(0o600);
    expect(await read({}, 'groq')).toMatchObject({ ok: true, value: { kept: ['new'] } });
  });

  it('is never looked for outside of the directory of keys', async () => {
    write('outside', 'sk-5');
    expect(await read({}, '../outside')).toMatchObject({ ok: true, value: { kept: [] } });
  });
});
