import { expect, test } from 'vitest';
import { secretNames, withoutNames } from './secrets.ts';

const none = { keep: [], names: [] };

test.each([
  'OPENAI_API_KEY',
  'ANTHROPIC_API_KEY',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'GITHUB_TOKEN',
  'GH_TOKEN',
  'NPM_TOKEN',
  'DB_PASSWORD',
  'PGPASSWORD',
  'POSTGRES_PASSWORD',
  'GOOGLE_APPLICATION_CREDENTIALS',
  'STRIPE_SECRET',
  'MY_KEY_2',
  'apikey',
  'CLIENT_SECRET',
])('%s is a secret', (name) => {
  expect(secretNames({ [name]: 'x' }, none)).toEqual([name]);
});

test.each([
  'PATH',
  'HOME',
  'SSH_AUTH_SOCK',
  'XAUTHORITY',
  'PWD',
  'OLDPWD',
  'KEYBOARD',
  'MONKEY',
  'TOKENIZERS_PARALLELISM',
  'EDITOR',
  'COLORTERM',
  'AUTHOR',
  'NODE_PATH',
])('%s is none', (name) => {
  expect(secretNames({ [name]: 'x' }, none)).toEqual([]);
});

test('a value that looks like a key is one under any name; the allow list wins, config can name more', () => {
  const environment = { HARMLESS: 'sk-abc', GH_TOKEN: 'x', MINE: 'y', PLAIN: 'z', EMPTY_TOKEN: '' };
  const names = secretNames(environment, { keep: ['GH_TOKEN'], names: ['MINE'] });
  expect(names).toEqual(['HARMLESS', 'MINE']);
  expect(withoutNames(environment, names)).toEqual({ GH_TOKEN: 'x', PLAIN: 'z', EMPTY_TOKEN: '' });
});
