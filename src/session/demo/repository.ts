/** The scratch repository of `smew demo`: one small module, one failing test, one cause. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { attempt, messageOf } from '../../base/attempt.ts';
import type { Result } from '../../base/result.ts';
import { type Fault, fault } from '../../protocol/fault.ts';

const files: Readonly<Record<string, string>> = {
  'README.md': '# parcel\n\nPostage for parcels. Run the tests with `node test/postage.test.js`.\n',
  'package.json':
    '{\n  "name": "parcel",\n  "private": true,\n  "scripts": { "test": "node test/postage.test.js" }\n}\n',
  'src/postage.js': `/** Postage in cents: a base fee, and a surcharge for every started kilogram above the first. */
function postage(grams) {
  const base = 450;
  const surcharge = 120;
  const extraKilograms = Math.floor((grams - 1000) / 1000);
  return base + Math.max(0, extraKilograms) * surcharge;
}

module.exports = { postage };
`,
  'test/postage.test.js': `const assert = require('node:assert');
const { postage } = require('../src/postage.js');

assert.equal(postage(800), 450, 'up to a kilogram: the base fee');
assert.equal(postage(1000), 450, 'exactly a kilogram: the base fee');
assert.equal(postage(1200), 570, 'a started second kilogram costs one surcharge');
assert.equal(postage(3500), 810, 'three more started kilograms cost three surcharges');
console.log('4 assertions passed');
`,
};

/** Makes the repository in a new temporary directory and returns its path. With git where git is installed. */
export const makeDemoRepository = (): Promise<Result<string, Fault>> =>
  attempt(
    async () => {
      const directory = await mkdtemp(join(tmpdir(), 'smew-demo-'));
      for (const [name, text] of Object.entries(files)) {
        await mkdir(dirname(join(directory, name)), { recursive: true });
        await writeFile(join(directory, name), text);
      }
      await commitAll(directory);
      return directory;
    },
    (cause) =>
      fault('storage', `Cannot make the demo repository: ${messageOf(cause)}. Set TMPDIR to a writable directory.`),
  );

/** Best effort: the demo works without git too. */
async function commitAll(cwd: string): Promise<void> {
  const git = (...args: string[]) =>
    promisify(execFile)('git', ['-c', 'user.name=smew', '-c', 'user.email=smew@localhost', ...args], { cwd });
  await attempt(async () => {
    await git('init', '--quiet', '--initial-branch=main');
    await git('add', '--all');
    await git('commit', '--quiet', '--message', 'A parcel service with one failing test');
  }, messageOf);
}
