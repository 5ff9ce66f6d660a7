// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are shell text
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { lineParser } from '../shell-line/parse.ts';
import type { CommandStatus, Seen, Status } from './outcome.ts';
import { statusesOf } from './status.ts';

const parse = lineParser();

const short = (status: Status): string => {
  if (status.is === 'exit') return String(status.code);
  if (status.is !== 'unknown') return status.is;
  return `? ${status.mask.kind}${status.mask.by ? ` ${status.mask.by}` : ''}`;
};

async function statusOf(line: string, seen: Seen, program = 'check'): Promise<string> {
  const found = statusesOf(await parse(line), seen).find(({ command }) =>
    command.words.some(({ source }) => source === program),
  );
  return found ? short(found.status) : 'no such command';
}

describe('the own status of a command', () => {
  test.each<[string, number, string, Omit<Seen, 'exitCode'>?]>([
    ['check', 3, '3'],
    ['check | tail -5', 0, '? pipe tail'],
    ['check | tail -5', 0, '1', { pipeStatus: [1, 0] }],
    ['check | tee log | tail', 0, '0', { pipeStatus: [0, 0, 0] }],
    ['check 2>&1 | head -3', 0, '? cut off head', { pipeStatus: [141, 0] }],
    ['cd x && check | tail', 0, '2', { pipeStatus: [2, 0] }],
    ['cd x && check | tail', 1, 'not run', { pipeStatus: [1] }],
    ['set -o pipefail; check | tail', 0, '0'],
    ['set -o pipefail; check | tail', 2, '? pipe tail'],
    ['set -o pipefail; check | tail', 2, '2', { pipeStatus: [2, 0] }],
    ['set -euo pipefail\ncheck | tail\nb', 0, '0'],
    ['check || true', 0, '? or true'],
    ['check || exit 1', 0, '0'],
    ['check || exit 1', 1, 'failed'],
    ['check || exit 1; echo done', 0, '0'],
    ['check || exit 1; b', 1, '? after b'],
    ['check; echo done', 0, '? after echo'],
    ['check\nls', 0, '? after ls'],
    ['set -e; check; b', 0, '0'],
    ['set -e; check; echo x', 4, '4'],
    ['set -e; check; b', 4, '? after b'],
    ['check; exit $?', 2, '2'],
    ['check; exit', 2, '2'],
    ['check; exit 0', 0, '? after exit'],
    ['check > f 2>&1; rc=$?; cat f; exit $rc', 5, '5'],
    ['check > f 2>&1; cat f', 0, '? after cat'],
    ['check; echo "exit $?"', 0, '3', { output: 'a\nexit 3' }],
    ['check; echo $?', 0, '0', { output: 'fine\n0\n' }],
    ['check; echo $?', 0, '? after echo', { output: 'fine\n' }],
    ['check 2>&1 | tail -3; echo "code: ${PIPESTATUS[0]}"', 0, '1', { output: 'x\ncode: 1' }],
    ['check > f; rc=$?; tail f; echo "rc=$rc"', 0, '7', { output: 'rc=7' }],
    ['check; echo "A=$?"; other; echo "B=$?"', 0, '1', { output: 'A=1\nx\nB=0' }],
    ['check && echo ok || echo failed', 0, '? or echo'],
    ['check && echo ok || echo failed', 0, '0', { output: 'x\nok' }],
    ['check && echo ok || echo failed', 0, 'failed', { output: 'ok\nfailed' }],
    ['check && echo ok', 1, '1'],
    ['check && echo ok', 0, '0'],
    ['if check; then echo yes; else echo no; fi', 0, 'failed', { output: 'no' }],
    ['if check; then b; fi', 0, '? condition'],
    ['if ! check; then exit 1; fi', 0, '0'],
    ['if ! check; then exit 1; fi', 1, 'failed'],
    ['! check', 0, 'failed'],
    ['! check', 1, '0'],
    ['check & wait', 0, '? background'],
    ['for i in 1 2; do check; done', 0, '? loop'],
    ['f() { check; }; f', 0, '? function'],
    ['echo $(check)', 0, '? substitution'],
    ['x=$(check)', 3, '3'],
    ['(cd a; check)', 3, '3'],
    ['{ check; } 2>&1 | tail', 0, '6', { pipeStatus: [6, 0] }],
    ['cd a && check', 2, '2'],
    ['cd a && check', 1, '? and cd'],
    ['cd a && check', 1, '1', { output: 'AssertionError' }],
    ['cd a && check', 1, '? and cd', { output: 'bash: line 1: cd: a: No such file or directory' }],
    ['export CI=1 && check', 1, '1'],
    ['a && check', 0, '0'],
    ['a || check', 0, '? and a'],
    ['a; check', 4, '4'],
    ['exec check', 2, '2'],
    ["check 'unclosed", 2, '? unclear'],
    ['case $x in a) check;; esac', 0, '? branch'],
    ['trap "rm f" EXIT; check', 1, '? unclear'],
    ['check |& grep -q FAIL', 1, '? pipe grep'],
  ])('%j ended with %i: %s', async (line, exitCode, expected, more) => {
    expect(await statusOf(line, { exitCode, ...more })).toBe(expected);
  });

  test('is not known while the line goes on, or when a signal ended it', async () => {
    expect(await statusOf('check', { exitCode: undefined })).toBe('? not ended');
    expect(await statusOf('cd a && check', { exitCode: undefined })).toBe('? and cd');
  });
});

describe('against bash itself', () => {
  const folder = fs.mkdtempSync(join(tmpdir(), 'status-'));
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));
  const log = join(folder, 'log');
  const told = join(folder, 'told');
  const prelude = join(folder, 'prelude');
  fs.writeFileSync(
    prelude,
    `p() { builtin echo "$1 $2" >> ${log}; return $2; }\ntrap '{ printf "%s " "\${PIPESTATUS[@]}"; } > ${told}' EXIT\n`,
  );

  const leaf = fc.tuple(fc.nat(999), fc.constantFrom(0, 0, 1, 3)).map(([id, code]) => `p ${id} ${code}`);
  const small = fc.constantFrom(
    'true',
    'echo ok',
    'echo "e $?"',
    'echo ${PIPESTATUS[0]}',
    'rc=$?',
    'exit $rc',
    'exit',
    'exit 1',
    'false',
    'set -e',
    'set -o pipefail',
    'set +e',
  );
  const { line } = fc.letrec<{ line: string; one: string; chain: string }>((tie) => ({
    one: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      { weight: 6, arbitrary: leaf },
      { weight: 2, arbitrary: small },
      { weight: 1, arbitrary: tie('line').map((inner) => `(${inner})`) },
      { weight: 1, arbitrary: tie('line').map((inner) => `{ ${inner}; }`) },
      { weight: 1, arbitrary: tie('chain').map((inner) => `x=$(${inner})`) },
      {
        weight: 1,
        arbitrary: fc
          .tuple(tie('line'), tie('line'), tie('line'))
          .map(([a, b, c]) => `if ${a}; then ${b}; else ${c}; fi`),
      },
      { weight: 1, arbitrary: tie('line').map((inner) => `for i in 1 2; do ${inner}; done`) },
      { weight: 1, arbitrary: tie('line').map((inner) => `case x in x) ${inner};; esac`) },
    ),
    chain: fc
      .tuple(
        fc.array(fc.tuple(tie('one'), fc.constantFrom(' | ', ' && ', ' || ', ' | ', ' && ')), {
          minLength: 1,
          maxLength: 3,
        }),
        fc.boolean(),
      )
      .map(
        ([parts, isNegated]) =>
          (isNegated && parts.length === 2 ? '! ' : '') +
          parts.map(([one, operator], index) => (index === 0 ? one : operator + one)).join(''),
      ),
    line: fc.array(tie('chain'), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('; ')),
  }));

  test('what is called known is true', { timeout: 600_000 }, async () => {
    let known = 0;
    await fc.assert(
      fc.asyncProperty(line, async (source) => {
        fs.writeFileSync(log, '');
        fs.rmSync(told, { force: true });
        const ran = spawnSync('bash', ['-c', source], { encoding: 'utf8', env: { ...process.env, BASH_ENV: prelude } });
        const text = fs.existsSync(told) ? fs.readFileSync(told, 'utf8') : '';
        const pipeStatus = text.trim() === '' ? undefined : text.trim().split(' ').map(Number);
        const output = ran.stdout + ran.stderr;
        const ids = source.match(/p \d+/g) ?? [];
        fc.pre(new Set(ids).size === ids.length);
        const truth = new Map(
          fs
            .readFileSync(log, 'utf8')
            .trim()
            .split('\n')
            .map((row) => row.split(' ') as [string, string]),
        );
        for (const found of statusesOf(await parse(source), {
          exitCode: ran.status ?? undefined,
          pipeStatus,
          output,
        })) {
          if (found.command.words[0]?.value !== 'p') continue;
          known += check(found, truth);
        }
      }),
      { numRuns: process.env['SMEW_TEST_LONG'] ? 3000 : 60, seed: 11 },
    );
    expect(known).toBeGreaterThan(20);
  });

  function check({ command, status }: CommandStatus, truth: ReadonlyMap<string, string>): number {
    const code = truth.get(command.words[1]?.value ?? '');
    if (status.is === 'unknown') return 0;
    if (status.is === 'not run') expect(code).toBeUndefined();
    else if (status.is === 'failed') expect(code).toMatch(/^[1-9]/);
    else expect(code).toBe(String(status.code));
    return 1;
  }
});
