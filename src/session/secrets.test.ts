import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fail, ok } from '../base/result.ts';
import type { ToolAnswer, ToolBox, ToolIo } from '../loop/ports.ts';
import type { LiveEvent } from '../protocol/live.ts';
import { knownSecrets, striking, withoutKeys, withoutSecrets, withTexts } from './secrets.ts';

const key = 'sk-proj-Zz0123456789abcdefXY';

describe('secrets that are known', () => {
  it('are the keys of the models, those of the config, and the values of variables with secret names', () => {
    const env = {
      OPENAI_API_KEY: key,
      MY_TOKEN: 't0ken-value',
      OTHER: 'plain value 1',
      LAB: 'l4b-key-in-there',
      PATH: '/bin',
    };
    const provider = {
      lab: { apiKeyEnv: 'LAB' },
      own: {
        apiKey: 'own-key-1',
        apiKeys: ['own-key-22'],
        headers: { 'X-Team': 'header-v4lue', accept: 'text/plain' },
        baseUrl: 'https://me:passw0rd9@h/',
      },
    };
    expect(knownSecrets({ env }, provider, ['from-a-file-1']).sort()).toEqual(
      [
        'from-a-file-1',
        key,
        't0ken-value',
        'l4b-key-in-there',
        'own-key-1',
        'own-key-22',
        'header-v4lue',
        'passw0rd9',
      ].sort(),
    );
  });

  it('are never short words, numbers or the places of keys, which would spoil files', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'smew-')), 'id_key1');
    writeFileSync(file, '');
    const env = { PG_PASSWORD: 'postgres', A_KEY: 'lm-studio', B_TOKEN: '20260101', C_SECRET: 'x1y2', SSH_KEY: file };
    expect(knownSecrets({ env }, {}, ['not-needed'])).toEqual([]);
  });

  it('are the lines of a value that has several', () => {
    const env = {
      SIGN_KEY: '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg1\nkqhkiG9w0BAQ2\n-----END PRIVATE KEY-----\n',
    };
    expect(knownSecrets({ env }, {}, [])).toEqual(['MIIEvQIBADANBg1', 'kqhkiG9w0BAQ2']);
  });

  it('are the passwords in addresses that commands get, such as a proxy, which itself may be shown', () => {
    const env = { HTTPS_PROXY: 'http://me:pr0xy-w0rd@proxy:3128' };
    expect(knownSecrets({ env }, {}, [])).toEqual(['pr0xy-w0rd']);
  });

  it('are struck out whole where one is the beginning of another', () => {
    const strike = striking(knownSecrets({ env: { A_KEY: 'abcd1234', B_KEY: 'abcd1234-and-more' } }, {}, []));
    expect(strike('x abcd1234-and-more y abcd1234')).toBe('x [key] y [key]');
  });
});

describe('tools without keys', () => {
  const answerOf = async (answer: ToolAnswer) => {
    const printed: LiveEvent[] = [];
    const box: ToolBox = {
      specs: [],
      prepare: ({ name }) =>
        name === 'bad'
          ? fail(answer)
          : ok({
              effect: 'reads',
              subject: 'x',
              run: async (io) => {
                io.emit({ type: 'tool.printed', callId: '1', text: answer.text });
                return answer;
              },
            }),
    };
    const clean = withoutKeys(box, striking([key]));
    const io: ToolIo = {
      callId: '1',
      signal: new AbortController().signal,
      emit: (happening) => happening.type === 'tool.printed' && printed.push(happening),
    };
    const refused = clean.prepare({ id: '1', name: 'bad', input: {} });
    const prepared = clean.prepare({ id: '1', name: 'read', input: {} });
    if (!prepared.ok || refused.ok) throw new Error('refused');
    return { ran: await prepared.value.run(io), refused: refused.fault, printed };
  };

  it('show none in text, data, refusals and live output', async () => {
    const data = { lines: [`a ${key}`], deep: { text: key, count: 3, none: null } };
    const all = await answerOf({ ok: true, text: `KEY=${key}\n`, data });
    expect(JSON.stringify(all)).not.toContain(key);
    expect(all.ran).toEqual({
      ok: true,
      text: 'KEY=[key]\n',
      data: { lines: ['a [key]'], deep: { text: '[key]', count: 3, none: null } },
    });
  });

  it('leave everything else as it was, also what only looks like a key', async () => {
    const answer = { ok: true, text: 'sk-live-0123456789abcdefgh', data: { path: 'a.ts' } };
    expect((await answerOf(answer)).ran).toEqual(answer);
    expect((await answerOf({ ok: true, text: 'x' })).ran).toEqual({ ok: true, text: 'x' });
  });
});

describe('what leaves the machine', () => {
  it.each([
    key,
    'github_pat_11ABCDEFG0123456789ab',
    'glpat-x1y2z3a4b5c6d7e8f9',
    'AKIAIOSFODNN7EXAMPLE',
    'xoxb-123456789-abcdef',
    'hf_AbCdEfGhIjKlMnOpQrSt12',
  ])('holds no %s, although no variable holds it', (secret) => {
    expect(withoutSecrets(`a ${secret}\n${secret}`, { env: {} })).toBe('a [key]\n[key]');
  });

  it('holds none at the beginning of a line in JSON', () => {
    expect(withoutSecrets(JSON.stringify({ text: `a\n${key}` }), { env: {} })).toBe('{"text":"a\\n[key]"}');
  });

  it('holds no value that JSON writes with escapes', () => {
    const secret = 'pa"ss\\w0rd';
    const clean = withTexts({ text: secret }, (text) => withoutSecrets(text, { env: { DB_PASSWORD: secret } }));
    expect(clean).toEqual({ text: '[key]' });
  });
});
