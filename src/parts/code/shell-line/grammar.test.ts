import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const grammar = join(import.meta.dirname, '../../../../assets/grammars/bash.wasm');

test('the grammar is the file of tree-sitter-bash 0.25.1', () => {
  const sum = createHash('sha256').update(readFileSync(grammar)).digest('hex');
  expect(sum).toBe('8292919c88a0f7d3fb31d0cd0253ca5a9531bc1ede82b0537f2c63dd8abe6a7a');
});

test('a plain line loads no parser, another loads it once', () => {
  const module = join(import.meta.dirname, 'parse.ts');
  const script = `
    let made = 0;
    const compile = WebAssembly.instantiate;
    WebAssembly.instantiate = (...given) => (made++, compile(...given));
    const parse = (await import(${JSON.stringify(module)})).lineParser();
    await parse('sh ./test.sh');
    const plain = made;
    await parse('a | b');
    const first = made;
    await parse('a && b');
    console.log(JSON.stringify([plain, first > 0, made - first]));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(JSON.parse(stdout)).toEqual([0, true, 0]);
});
