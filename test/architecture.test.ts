/** The house rules hold, and each of them can fail. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as rules from './house/rules.ts';
import { readSource, type Source } from './house/source.ts';

const root = join(import.meta.dirname, '..');
const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(root, path)));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const house = tracked
  .filter((path) => /^(src|bench|test)\/.*\.ts$/.test(path))
  .map((path) => readSource(path, read(path)));

/** A virtual house: path to text. */
const sample = (files: Record<string, string>): Source[] =>
  Object.entries(files).map(([path, text]) => readSource(path, text));
const lines = (count: number) => 'a();\n'.repeat(count);

interface Case {
  readonly says: string;
  readonly rule: rules.Rule;
  /** Each must be refused. */
  readonly wrong: readonly Record<string, string>[];
  /** Each must pass. */
  readonly right: readonly Record<string, string>[];
}

const cases: Case[] = [
  {
    says: 'arrows between the floors point down only',
    rule: rules.layers,
    wrong: [
      { 'src/loop/a.ts': "import { b } from '../session/b.ts';" },
      { 'src/loop/a.ts': "import type { B } from '../parts/tools/b.ts';" },
      { 'src/parts/tools/a.ts': "export { b } from '../storage/b.ts';" },
      { 'src/parts/storage/a.ts': "const b = () => import('../tools/b.ts');" },
      { 'src/surfaces/headless/a.ts': "import { b } from '../tui/b.ts';" },
      { 'src/cli/a.ts': "type B = import('../parts/config/b.ts').B;" },
      { 'src/base/a.ts': "import { readFileSync } from 'node:fs';" },
      { 'src/elsewhere/a.ts': "import { b } from '../base/b.ts';" },
      { 'src/session/a.ts': "import { b } from '../parts/tools/testing/b.ts';" },
    ],
    right: [
      { 'src/parts/tools/a.ts': "import { b } from '../edits/b.ts'; import * as fs from 'node:fs';" },
      { 'src/parts/storage/a.ts': "import { b } from './deep/b.ts'; import type { C } from '../../loop/ports.ts';" },
      { 'src/parts/tools/a.test.ts': "import { b } from '../models/b.ts';" },
    ],
  },
  {
    says: 'no circle of imports, not even of types',
    rule: rules.circles,
    wrong: [
      { 'src/a.ts': "import type { B } from './b.ts';", 'src/b.ts': "import type { A } from './a.ts';" },
      {
        'src/a.ts': "import './b.ts';",
        'src/b.ts': "export * from './c.ts';",
        'src/c.ts': "const a = () => import('./a.ts');",
      },
    ],
    right: [{ 'src/a.ts': "import './b.ts'; import './c.ts';", 'src/b.ts': "import './c.ts';", 'src/c.ts': '' }],
  },
  {
    says: 'a file has at most 400 lines',
    rule: rules.sizes,
    wrong: [{ 'src/a.ts': lines(401) }],
    right: [{ 'src/a.ts': lines(400) }],
  },
  {
    says: 'the core of the loop can be read in one sitting',
    rule: rules.coreSize,
    wrong: [{ 'src/loop/run.ts': lines(390), 'src/loop/act.ts': lines(331) }],
    right: [{ 'src/loop/run.ts': lines(390), 'src/loop/inbox.ts': lines(331) }],
  },
  {
    says: 'a name says what the file holds',
    rule: rules.names,
    wrong: [{ 'src/base/utils.ts': '' }, { 'src/parts/common/a.ts': '' }, { 'src/base/pathHelpers.ts': '' }],
    right: [{ 'src/base/utility-belt.ts': '', 'src/base/uncommon.ts': '' }],
  },
  {
    says: 'nothing is caught outside of the named doors',
    rule: rules.catches,
    wrong: [{ 'src/parts/tools/read.ts': 'try { a(); } catch { b(); }' }],
    right: [{ 'src/base/attempt.ts': 'try { a(); } catch { b(); }', 'src/cli/a.ts': 'try { a(); } finally { b(); }' }],
  },
  {
    says: 'no module keeps state',
    rule: rules.state,
    wrong: [{ 'src/cli/a.ts': 'let a = 1;' }, { 'src/cli/a.ts': 'export const a = new Map<string, string>();' }],
    right: [{ 'src/cli/a.ts': "const a = new Set(['x']); function b() { let c = 1; return c; }" }],
  },
  {
    says: 'only the public doors pass on what others export',
    rule: rules.barrels,
    wrong: [{ 'src/parts/tools/index.ts': "export * from './a.ts';\nexport { b } from './b.ts';" }],
    right: [
      { 'src/doors/tool.ts': "export * from './a.ts';", 'src/cli/a.ts': "export * from './b.ts';\nconst a = 1;" },
    ],
  },
  {
    says: 'slow modules are not loaded at start',
    rule: rules.slowImports,
    wrong: [{ 'src/parts/models/a.ts': "import { request } from 'node:http';" }, { 'src/cli/a.ts': 'fetch(url);' }],
    right: [
      { 'src/parts/models/a.ts': "import type { ClientRequest } from 'node:http'; import { open } from 'node:fs';" },
    ],
  },
  {
    says: 'schemas are written with zod/mini',
    rule: rules.schemas,
    wrong: [{ 'src/protocol/a.ts': "import * as z from 'zod';" }],
    right: [{ 'src/protocol/a.ts': "import * as z from 'zod/mini';" }],
  },
];

describe.each(cases)('$says', ({ rule, wrong, right }) => {
  test('in the house', () => {
    expect(rule(house)).toEqual([]);
  });
  test.each(wrong.map((files) => [files]))('refused: %j', (files) => {
    expect(rule(sample(files))).not.toEqual([]);
  });
  test.each(right.map((files) => [files]))('allowed: %j', (files) => {
    expect(rule(sample(files))).toEqual([]);
  });
});

describe('papers', () => {
  const decisions = readdirSync(join(root, 'docs/decisions')).map((name) => read(`docs/decisions/${name}`));
  const manifest = JSON.parse(read('package.json'));
  const kinds = ['dependencies', 'devDependencies', 'optionalDependencies'];
  const packages = kinds.flatMap((kind) => Object.keys(manifest[kind] ?? {}));

  test.each(packages)('docs/decisions says why %s is a dependency', (name) => {
    expect(decisions.some((text) => text.includes(`\`${name}\``))).toBe(true);
  });

  test('nothing that is tracked names a path or a host of the machine it was written on', () => {
    const texts = tracked.filter((path) => !/\.(png|gif|wasm|gz|bin)$/.test(path));
    expect(texts.flatMap((path) => rules.foreignWords(path, read(path)))).toEqual([]);
  });

  test.each(['work', 'root'])('a path below /%s is found', (name) => {
    expect(rules.foreignWords('a.md', `see /${name}/x`)).toHaveLength(1);
    expect(rules.foreignWords('a.md', `see src/${name}/x`)).toEqual([]);
  });
});
