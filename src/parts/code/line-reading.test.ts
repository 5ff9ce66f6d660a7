import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ReadCheck, readLine } from './line-reading.ts';
import { lineParser } from './shell-line/parse.ts';

interface Labelled {
  readonly line: string;
  readonly exit: number;
  readonly pipe?: readonly number[];
  readonly output?: string;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly checks: readonly Partial<ReadCheck>[];
}

const parse = lineParser();
const file = join(import.meta.dirname, '../../../test/fixtures/command-lines.jsonl');
const list = readFileSync(file, 'utf8')
  .trimEnd()
  .split('\n')
  .map((row): Labelled => JSON.parse(row));

const read = ({ line, exit, pipe, output, scripts = {} }: Omit<Labelled, 'checks'>) =>
  readLine(line, { exitCode: exit, pipeStatus: pipe, output }, { parse, scriptsIn: () => scripts });

describe('the labelled list', () => {
  test('is long enough', () => {
    expect(list.length).toBeGreaterThanOrEqual(300);
  });

  test.each(list)('$line ended with $exit', async ({ checks, ...ran }) => {
    const found = (await read(ran)).checks.map(({ kind, status, outcome, counts }) => ({
      kind,
      status,
      outcome,
      counts,
    }));
    expect(found).toEqual(checks.map(({ kind, status, outcome, counts }) => ({ kind, status, outcome, counts })));
  });
});

describe('what changes files', () => {
  test.each([
    'echo x > a.txt',
    'sed -i s/a/b/ a.ts',
    'cat > a.py <<EOF\nx\nEOF',
    'rm a',
    'mv a b',
    'git checkout -- a',
    'npm install left-pad',
    'npx prettier --write .',
    'npx eslint --fix .',
    'cargo fmt',
    'cat x | tee y',
    "python - <<'EOF'\nopen('a', 'w').write('x')\nEOF",
    'cd a && patch -p1 < x.diff',
  ])('%j does', async (line) => {
    expect((await read({ line, exit: 0 })).changes).toBe(true);
  });

  test.each([
    'ls',
    'npm test',
    'npm test > out.txt 2>&1',
    'grep x a > /dev/null',
    'echo x > /tmp/y',
    'git status',
    'git diff > /tmp/d',
    'sed -n 1p a',
    'cat a 2>&1',
    'python -c "print(1)"',
    'rm -rf /tmp/x',
    'npx eslint .',
    'ruff check .',
  ])('%j does not', async (line) => {
    expect((await read({ line, exit: 0 })).changes).toBe(false);
  });

  test('a check before a change of its own line is stale', async () => {
    const stale = async (line: string) => (await read({ line, exit: 0 })).checks.map(({ isStale }) => isStale === true);
    expect(await stale('npm test && rm a')).toEqual([true]);
    expect(await stale('rm a && npm test')).toEqual([false]);
    expect(await stale('npx eslint --fix . && npm test')).toEqual([false, false]);
  });
});

test('what is recorded is bounded', async () => {
  const { commands, isPartial } = await read({
    line: Array.from({ length: 100 }, () => `echo ${'x'.repeat(900)}`).join(' ; '),
    exit: 0,
  });
  expect([commands.length, isPartial]).toEqual([30, true]);
  expect(JSON.stringify(commands).length).toBeLessThan(10_000);
});

test('no output costs much time to be read', async () => {
  const texts = [
    ' '.repeat(200_000),
    '\n'.repeat(200_000),
    ' \n'.repeat(100_000),
    '='.repeat(200_000),
    '1 passed, '.repeat(20_000),
    '1'.repeat(200_000),
  ];
  for (const output of texts) {
    const startedMs = performance.now();
    await read({ line: 'make test | tail', exit: 0, output });
    expect(performance.now() - startedMs).toBeLessThan(5000);
  }
});
