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
  'ACCESSKEY',
  'S3_SECRETKEY',
  'DB_PASS',
  'PASS',
  'PW',
  'USERPWD',
  'SSHPASS',
  'MYSQL_PWD',
  'AZURE_STORAGE_CONNECTION_STRING',
  'SLACK_WEBHOOK_URL',
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
  'GIT_ASKPASS',
  'PASSENGER_ROOT',
  'PASS_THROUGH',
  'BYPASS',
  'COMPASS',
  'INIT_CWD',
])('%s is none', (name) => {
  expect(secretNames({ [name]: 'x' }, none)).toEqual([]);
});

test('a value that looks like a key is one under any name; the allow list wins, config can name more', () => {
  const environment = { HARMLESS: 'sk-abc', GH_TOKEN: 'x', MINE: 'y', PLAIN: 'z', EMPTY_TOKEN: '' };
  const names = secretNames(environment, { keep: ['GH_TOKEN'], names: ['MINE'] });
  expect(names).toEqual(['HARMLESS', 'MINE']);
  expect(withoutNames(environment, names)).toEqual({ GH_TOKEN: 'x', PLAIN: 'z', EMPTY_TOKEN: '' });
});

test.each([
  'sk_live_abcdef',
  'rk_test_abcdef',
  'hf_abcdefghijklmnopqrst',
  'ghp_abc',
  'ghu_abc',
  'npm_abcdefghijklmnopqrstuvwxyz0123456789',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
  'Bearer abcdefgh1234',
  'Basic dXNlcjpwYXNz',
  'https://hooks.slack.com/services/T0/B0/x',
  'DefaultEndpointsProtocol=https;AccountName=a;AccountKey=abc==',
  'Server=db;User Id=sa;Password=secret',
  'postgres://user:secret@db:5432/app',
  'redis://:secret@cache',
])('%s looks like a secret', (value) => {
  expect(secretNames({ HARMLESS: value }, none)).toEqual(['HARMLESS']);
});

test.each([
  'postgres://db/app',
  'https://user@host/x',
  'git@host:a/b.git',
  'hf_home',
  'Basic settings',
  'a:b@c',
  'eyJ',
])('%s looks like none', (value) => {
  expect(secretNames({ HARMLESS: value }, none)).toEqual([]);
});

test('a proxy or package index with a password goes along: without it nothing could be fetched', () => {
  const address = 'http://user:secret@proxy:3128';
  const needed = ['HTTP_PROXY', 'https_proxy', 'ALL_PROXY', 'npm_config_proxy', 'PIP_INDEX_URL', 'GOPROXY'];
  expect(secretNames(Object.fromEntries(needed.map((name) => [name, address])), none)).toEqual([]);
  expect(secretNames({ DATABASE_URL: address }, none)).toEqual(['DATABASE_URL']);
});
