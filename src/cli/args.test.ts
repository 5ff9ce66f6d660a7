import { describe, expect, test } from 'vitest';
import { parse } from './args.ts';
import type { Invocation } from './invocation.ts';

const typed = (argv: readonly string[], isStdinTty = true): Invocation => {
  const parsed = parse(argv, { isStdinTty });
  if (!parsed.ok) throw new Error(parsed.fault.message);
  return parsed.value;
};

const refusal = (argv: readonly string[], isStdinTty = true): string => {
  const parsed = parse(argv, { isStdinTty });
  if (parsed.ok) throw new Error(`taken as ${JSON.stringify(parsed.value)}`);
  expect(parsed.fault.kind).toBe('usage');
  return parsed.fault.message;
};

describe('the task', () => {
  test.each([
    ['of run', ['run', 'fix the bug']],
    ['of run, unquoted', ['run', 'fix', 'the', 'bug']],
    ['of -p', ['-p', 'fix the bug']],
    ['of run with -p', ['run', '-p', 'fix the bug']],
    ['of --print=', ['--print=fix the bug']],
    ['after a -p that stands alone', ['-p', '--output-format', 'json', 'fix the bug']],
    ['before -p', ['fix the bug', '-p']],
    ['of -t', ['-t', 'fix the bug']],
    ['attached to --task', ['run', '--task=fix the bug']],
    ['alone', ['fix the bug']],
    ['behind --', ['--', 'fix the bug']],
  ])('is found as the argument %s', (_, argv) => {
    expect(typed(argv)).toMatchObject({ command: 'run', task: 'fix the bug', input: 'none' });
  });

  test('keeps a beginning that only looks like a flag', () => {
    expect(typed(['run', '--help is broken, mend it'])).toMatchObject({ task: '--help is broken, mend it' });
    expect(typed(['run', '- first item'])).toMatchObject({ task: '- first item' });
    expect(typed(['run', '--', '--help'])).toMatchObject({ task: '--help' });
  });

  test('may be the name of a command behind -- or -p', () => {
    expect(typed(['--', 'demo'])).toMatchObject({ command: 'run', task: 'demo' });
    expect(typed(['-p', 'demo'])).toMatchObject({ command: 'run', task: 'demo' });
  });

  test('comes from the pipe where none is written, and with one the pipe is extra', () => {
    expect(typed([], false)).toMatchObject({ command: 'run', input: 'task' });
    expect(typed([], false)).not.toHaveProperty('task');
    expect(typed(['-p', 'review this'], false)).toMatchObject({ task: 'review this', input: 'extra' });
  });

  test('is missed, given twice or empty with a fault that says so', () => {
    expect(refusal([])).toMatch(/terminal interface comes later.*smew run "/);
    expect(refusal(['run'])).toMatch(/^Say what is to be done/);
    expect(refusal(['-p'])).toMatch(/^Say what is to be done/);
    expect(refusal(['run', ' '])).toMatch(/empty/);
    expect(refusal(['run', 'one', '-t', 'two'])).toMatch(/2 times: "two" and "one"/);
    expect(refusal(['-t', 'one', '-t', 'two'])).toMatch(/2 times/);
  });
});

describe('the flags of a run', () => {
  test('are all read', () => {
    const argv = ['run', 'x', '-m', 'openrouter/qwen/qwen3-coder', '--max-steps=7', '--max-time', '10m', '-C', 'dir'];
    argv.push('--add-dir', 'a', '--add-dir=b', '--append-system-prompt', '- Be brief', '--effort', 'high', '--trust');
    argv.push('--image', 'a.png', '--name', 'mine', '--output-format', 'json', '-q', '--permission-mode', 'plan');
    argv.push('--allowed-tools', 'read,bash(git log, git diff)', '--allowedTools', 'edit');
    expect(typed(argv)).toEqual({
      command: 'run',
      task: 'x',
      input: 'none',
      setting: {
        cd: 'dir',
        model: 'openrouter/qwen/qwen3-coder',
        effort: 'high',
        mode: 'plan',
        allowedTools: ['read', 'bash(git log, git diff)', 'edit'],
        addDirs: ['a', 'b'],
        appendSystemPrompt: '- Be brief',
        maxSteps: 7,
        maxTimeMs: 600_000,
        isTrusted: true,
      },
      start: { from: 'new' },
      isStored: true,
      name: 'mine',
      images: ['a.png'],
      format: 'json',
      verbosity: 'quiet',
    });
  });

  test.each([
    [['--mode', 'acceptEdits'], { mode: 'accept-edits' }],
    [['--mode', 'read-only'], { mode: 'plan' }],
    [['--permission-mode', 'bypassPermissions'], { mode: 'bypass' }],
    [['--yolo'], { mode: 'bypass' }],
    [['--dangerously-skip-permissions'], { mode: 'bypass' }],
    [['--max-turns', '3'], { maxSteps: 3 }],
    [['--cwd', 'dir'], { cd: 'dir' }],
    [['-Cdir'], { cd: 'dir' }],
    [['-C=dir'], { cd: 'dir' }],
    [['--max-time', '90'], { maxTimeMs: 90_000 }],
    [['--max-time', '1.5h'], { maxTimeMs: 5_400_000 }],
  ])('know the other spelling %j', (argv, setting) => {
    expect(typed(['run', 'x', ...argv])).toMatchObject({ setting });
  });

  test('group letters, and the last of a repeated flag counts', () => {
    expect(typed(['-qc', 'x', '-m', 'a/b', '-m', 'c/d'])).toMatchObject({
      verbosity: 'quiet',
      start: { from: 'latest', isFork: false },
      setting: { model: 'c/d' },
    });
  });

  test.each([
    [['-c'], { from: 'latest', isFork: false }],
    [['-c', '--fork'], { from: 'latest', isFork: true }],
    [['-r', '3f2a'], { from: 'session', session: '3f2a', isFork: false }],
    [['--resume=my work', '--fork'], { from: 'session', session: 'my work', isFork: true }],
  ])('choose the session: %j', (argv, start) => {
    expect(typed(['-p', 'x', ...argv])).toMatchObject({ start });
  });

  test.each([
    [['--fork'], /--fork needs the session/],
    [['-c', '-r', 'x'], /name two sessions/],
    [['-r'], /-r needs a session here/],
    [['-c', '--no-session'], /--no-session keeps nothing/],
    [['--name', 'a', '--no-session'], /--no-session keeps nothing/],
    [['-q', '-v'], /contradict/],
    [['--yolo', '--mode', 'plan'], /plan was given too/],
    [['--max-steps', '0'], /whole number from 1; got "0"/],
    [['--max-steps', '-5'], /whole number from 1; got "-5"/],
    [['--max-steps', '1e3'], /whole number/],
    [['--max-time', 'soon'], /such as 90s/],
    [['--max-time', '99999h'], /24 days/],
    [['--mode', 'acceptedits'], /one of default, accept-edits/],
    [['--output-format', 'xml'], /one of text, json, stream-json; got "xml"/],
    [['--allowed-tools', 'bash(git'], /parentheses/],
    [['--allowed-tools', ','], /at least one tool/],
    [['--yolo=yes'], /takes no value/],
    [['-m', '--yolo'], /-m needs a value.*write -m=--yolo/],
    [['-m'], /^-m needs a value: -m PROVIDER\/MODEL\.$/],
    [['--model='], /empty/],
    [['--max-step', '3'], /no flag --max-step\. Did you mean --max-steps\?/],
    [['--otuput-format', 'json'], /Did you mean --output-format\?/],
    [['-x'], /no flag -x/],
    [['--live-tools'], /does not belong to "smew run"; it belongs to: smew replay/],
  ])('refuse %j', (argv, message) => {
    expect(refusal(['run', 'x', ...argv])).toMatch(message);
  });
});

describe('the commands', () => {
  test.each<[string[], Invocation]>([
    [['sessions'], { command: 'sessions list', isJson: false, isEverywhere: false }],
    [['sessions', 'list', '--all', '--json'], { command: 'sessions list', isJson: true, isEverywhere: true }],
    [['sessions', 'show', 'ab'], { command: 'sessions show', isJson: false, session: 'ab' }],
    [
      ['sessions', 'export', 'ab', '--format', 'json', '-o', 'f'],
      { command: 'sessions export', session: 'ab', format: 'json', output: 'f' },
    ],
    [['sessions', 'delete', 'a', 'b', '-C', 'd'], { command: 'sessions delete', sessions: ['a', 'b'], cd: 'd' }],
    [['sessions', 'fork', 'a', '--name', 'n'], { command: 'sessions fork', session: 'a', name: 'n' }],
    [['sessions', 'name', 'a', 'my work'], { command: 'sessions name', session: 'a', name: 'my work' }],
    [['replay', 'a', '--live-tools'], { command: 'replay', session: 'a', hasLiveTools: true, isJson: false }],
    [['tools'], { command: 'tools list', isJson: false }],
    [['tools', 'info', 'read'], { command: 'tools info', tool: 'read', isJson: false }],
    [['config', 'path'], { command: 'config path' }],
    [['trust', 'dir'], { command: 'trust', dir: 'dir', act: 'give' }],
    [['trust', '--remove'], { command: 'trust', act: 'remove' }],
    [['trust', '--list'], { command: 'trust', act: 'list' }],
    [['help', 'sessions', 'list'], { command: 'help', about: 'sessions list' }],
    [['help', 'sessions'], { command: 'help', about: 'sessions list' }],
    [['run', '--help'], { command: 'help', about: 'run' }],
    [['tools', 'info', '-h'], { command: 'help', about: 'tools info' }],
    [['--help'], { command: 'help' }],
    [['sesions', '--help'], { command: 'help' }],
    [['-V'], { command: 'version' }],
    [['version'], { command: 'version' }],
  ])('read %j', (argv, invocation) => {
    expect(typed(argv)).toEqual(invocation);
  });

  test.each([
    [['sesions', 'list'], /no command "sesions"\. Did you mean "smew sessions"\?/],
    [['rnu'], /Did you mean "smew run"\?.*smew run "rnu"/],
    [['sessions', 'shwo', 'a'], /Did you mean "smew sessions show"\?/],
    [['sessions', 'wipe'], /There is: list, show/],
    [['sessions', 'show'], /needs more: smew sessions show <session>/],
    [['sessions', 'name', 'a', 'b', 'c'], /does not know what to do with "c"/],
    [['demo', 'now'], /does not know what to do with "now"/],
    [['tools', 'list', '--max-steps', '3'], /does not belong to "smew tools list"/],
    [['help', 'tolls list'], /Did you mean "smew help tools list"\?/],
  ])('refuse %j', (argv, message) => {
    expect(refusal(argv)).toMatch(message);
  });

  test('a word near no command is a task', () => {
    expect(typed(['hello'])).toMatchObject({ command: 'run', task: 'hello' });
  });

  test('a word of JavaScript objects is no command', () => {
    expect(typed(['constructor'])).toMatchObject({ command: 'run', task: 'constructor' });
    expect(refusal(['run', 'x', '--constructor'])).toMatch(/no flag/);
    expect(refusal(['run', 'x', '--mode', 'constructor'])).toMatch(/one of/);
  });
});
