/** What `npm run build` made: the package that users get, and what every start has to read. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';

const dist = resolve(import.meta.dirname, '../../dist');
const read = (path: string) => readFileSync(join(dist, path), 'utf8');
const manifest = JSON.parse(read('package.json'));

test('the published package brings no runtime and nothing of the workshop', () => {
  expect(Object.keys(manifest.dependencies)).toEqual(['@vscode/ripgrep']);
  expect(Object.keys(manifest.optionalDependencies)).toEqual(['@lydell/node-pty']);
  expect(manifest).not.toHaveProperty('devDependencies');
  expect(manifest).not.toHaveProperty('scripts');
});

test('every door and the launcher of the published package exist', () => {
  expect(Object.keys(manifest.exports)).toEqual(['.', './protocol', './tool', './policy']);
  for (const path of [...Object.values<string>(manifest.exports), manifest.bin.smew, 'LICENSE', 'README.md'])
    expect(existsSync(join(dist, path)), path).toBe(true);
});

test('the licences of what is bundled are in the notices', () => {
  const notices = read('THIRD-PARTY-NOTICES.txt');
  for (const name of ['eventsource-parser', 'ignore', 'picomatch', 'yaml', 'zod'])
    expect(notices).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, 'm'));
});

test('the doors can be imported by a program of somebody else', async () => {
  const tool: object = await import(join(dist, manifest.exports['./tool']));
  const protocol: object = await import(join(dist, manifest.exports['./protocol']));
  const session: object = await import(join(dist, manifest.exports['.']));
  expect({ ...tool, ...protocol, ...session }).toMatchObject({
    defineTool: expect.any(Function),
    Event: expect.any(Object),
    openSession: expect.any(Function),
  });
});

test('a start reads less than 150 kB and no module that is slow to load', () => {
  const { files, builtIns } = readAtStart('main.js');
  expect(files.reduce((sum, path) => sum + read(path).length, 0)).toBeLessThan(150_000);
  expect(builtIns.filter((name) => /^node:(https?|http2|tls|zlib|crypto|sqlite|worker_threads)$/.test(name))).toEqual(
    [],
  );
});

/** Everything that is imported statically, from one file on. */
function readAtStart(entry: string): { readonly files: readonly string[]; readonly builtIns: readonly string[] } {
  const files = new Set<string>();
  const builtIns = new Set<string>();
  const visit = (path: string): void => {
    if (files.has(path)) return;
    files.add(path);
    for (const { moduleRequest } of parseSync(path, read(path)).module.staticImports) {
      if (moduleRequest.value.startsWith('.')) visit(join(path, '..', moduleRequest.value));
      else builtIns.add(moduleRequest.value);
    }
  };
  visit(entry);
  return { files: [...files], builtIns: [...builtIns] };
}
