/** The parser and its grammar as WebAssembly: loaded once, when a line first needs them. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { attempt, messageOf } from '../../../base/attempt.ts';
import type { Result } from '../../../base/result.ts';
import type { SyntaxNode } from './syntax.ts';

/** Parses a line; the callback's result is returned and the syntax tree freed. */
export type WithSyntax = <T>(source: string, read: (root: SyntaxNode) => T) => T | undefined;

/** Compiled at first sight and left so: the optimising tiers of a parser's module cost ten times its memory. */
const memoryFlags = ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering'];

/** Fails, with a text, where a file is missing or the module cannot be made. */
export const loadBash = (): Promise<Result<WithSyntax, string>> =>
  attempt(async () => {
    const { setFlagsFromString } = process.getBuiltinModule('node:v8');
    for (const flag of memoryFlags) setFlagsFromString(flag);
    const { Language, Parser } = await import('web-tree-sitter');
    await Parser.init({ wasmBinary: readFileSync(find(runtimePlaces)) });
    const parser = new Parser();
    parser.setLanguage(await Language.load(readFileSync(find(grammarPlaces))));
    return <T>(source: string, read: (root: SyntaxNode) => T): T | undefined => {
      const tree = parser.parse(source);
      if (!tree) return undefined;
      const value = read(tree.rootNode);
      tree.delete();
      return value;
    };
  }, messageOf);

const grammarPlaces = ['assets/grammars/bash.wasm'];
/** In the built program, and beside the sources. */
const runtimePlaces = ['assets/grammars/web-tree-sitter.wasm', 'node_modules/web-tree-sitter/web-tree-sitter.wasm'];

/** The nearest folder above this file that holds one of them: chunks of the bundle lie deeper than the program. */
function find(places: readonly string[]): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const found = places.map((place) => join(folder, place)).find((path) => existsSync(path));
    if (found !== undefined) return found;
    if (folder === dirname(folder)) throw new Error(`${places.join(' or ')} is missing: install Smew again`);
  }
}
