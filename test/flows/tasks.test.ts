/** Whole tasks through the built program: real HTTP, real files, real shells. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scene } from './scene.ts';
import { wires } from './wires.ts';

const fizzbuzz = `for (let n = 1; n <= 15; n++) console.log((n % 3 ? '' : 'Fizz') + (n % 5 ? '' : 'Buzz') || n);\n`;

describe.each(wires)('over the wire $name', (wire) => {
  test('fizzbuzz is written and run, and the answer goes to standard output alone', () =>
    scene(
      [
        { calls: [{ op: 'write', path: 'fizzbuzz.js', content: fizzbuzz }] },
        { calls: [{ op: 'bash', command: 'node fizzbuzz.js' }] },
        { text: 'fizzbuzz.js prints the right lines.' },
      ],
      async ({ dir, run, server }) => {
        const { code, stdout, stderr } = await run(['run', 'write and run fizzbuzz', '--yolo']);
        expect({ code, stdout }).toEqual({ code: 0, stdout: 'fizzbuzz.js prints the right lines.\n' });
        expect(readFileSync(join(dir, 'fizzbuzz.js'), 'utf8')).toBe(fizzbuzz);
        expect(server.requests.at(-1)?.raw.toString()).toContain('FizzBuzz');
        expect(stderr).toContain('Changed: fizzbuzz.js');
        expect(stderr).toContain('bash node fizzbuzz.js · exit 0');
      },
      wire,
    ));

  test('a name in the README is changed through the whole chain', () =>
    scene(
      [
        { calls: [{ op: 'grep', pattern: 'Oldname' }] },
        { calls: [{ op: 'read', path: 'README.md' }] },
        { calls: [{ op: 'edit', path: 'README.md', old: '# Oldname', new: '# Newname' }] },
        { text: 'Renamed.' },
      ],
      async ({ dir, run }) => {
        writeFileSync(join(dir, 'README.md'), '# Oldname\n\nText.\n');
        const { code, stdout } = await run(['-p', 'rename it to Newname', '--permission-mode', 'accept-edits']);
        expect({ code, stdout }).toEqual({ code: 0, stdout: 'Renamed.\n' });
        expect(readFileSync(join(dir, 'README.md'), 'utf8')).toBe('# Newname\n\nText.\n');
      },
      wire,
    ));

  test('twelve files are read in one reply, and each call gets its own result', () =>
    scene(
      [
        { calls: [{ op: 'glob', pattern: '*.py' }] },
        { calls: Array.from({ length: 12 }, (_, n) => ({ op: 'read' as const, path: `part${n}.py` })) },
        { text: 'They count to twelve.' },
      ],
      async ({ dir, run, server }) => {
        for (let n = 0; n < 12; n++) writeFileSync(join(dir, `part${n}.py`), `NUMBER = ${n}\n`);
        const { code } = await run(['run', 'read all py files and summarise']);
        expect(code).toBe(0);
        const results = wire.results(server.requests.at(-1)?.body).slice(-12);
        expect(results.map((content) => /NUMBER = (\d+)/.exec(content)?.[1])).toEqual(
          Array.from({ length: 12 }, (_, n) => String(n)),
        );
      },
      wire,
    ));

  test('a tool that fails is answered in words, and the model goes on', () =>
    scene(
      [
        { calls: [{ op: 'read', path: 'absent.txt' }] },
        { calls: [{ op: 'bash', command: 'echo out; echo err >&2; exit 3' }] },
        { calls: [{ op: 'raw', name: 'no_such_tool', args: {} }] },
        { calls: [{ op: 'raw', name: 'read', rawArguments: '{"path": ' }] },
        { text: 'I saw four failures.' },
      ],
      async ({ run, server }) => {
        const { code } = await run(['run', 'fail', '--yolo']);
        expect(code).toBe(0);
        const body = server.requests.at(-1)?.raw.toString() ?? '';
        for (const said of ['absent.txt', 'out', 'err', '3', 'no_such_tool']) expect(body).toContain(said);
      },
      wire,
    ));

  test('the first request of a fresh session in a small repository is at most 6,500 bytes', () =>
    scene(
      [{ text: 'Yes.' }],
      async ({ dir, run, server }) => {
        mkdirSync(join(dir, 'src'));
        for (const name of ['README.md', 'package.json', 'src/a.js', 'src/b.js', 'test.sh'])
          writeFileSync(join(dir, name), 'x\n');
        await run(['run', 'The test fails. Fix it and run sh ./test.sh.']);
        expect(server.requests[0]?.raw.length).toBeLessThanOrEqual(6500);
      },
      wire,
    ));

  test('system, tools and earlier messages stay byte-identical from request to request, and when the session is continued', () =>
    scene(
      [
        { calls: [{ op: 'list' }] },
        { text: 'One.', reasoning: 'thought' },
        { calls: [{ op: 'bash', command: 'echo hi' }] },
        { text: 'Two.' },
      ],
      async ({ run, server }) => {
        await run(['run', 'first', '--yolo']);
        expect((await run(['run', '-c', 'second', '--yolo'])).stdout).toBe('Two.\n');
        const bodies = server.requests.map(({ raw }) => raw.toString());
        expect(bodies).toHaveLength(4);
        const lasting = bodies.map(wire.lasting);
        for (let at = 1; at < lasting.length; at++) expect(lasting[at]?.startsWith(lasting[at - 1] ?? '-')).toBe(true);
      },
      wire,
    ));
});

test('in default mode a headless ask is a denial with a reason, and exit code 4 where it was the last step', () =>
  scene(
    [{ calls: [{ op: 'bash', command: 'touch made' }] }, { text: 'I could not run it.' }],
    async ({ dir, run, server }) => {
      const { code, stdout } = await run(['run', 'touch it', '--output-format', 'json']);
      expect(code).toBe(4);
      expect(existsSync(join(dir, 'made'))).toBe(false);
      expect(JSON.parse(stdout)).toMatchObject({ exitCode: 4, denials: [{ tool: 'bash' }] });
      expect(server.requests.at(-1)?.raw.toString()).toContain('nobody can answer');
    },
  ));

test('the task comes from a pipe, alone or as extra input', () =>
  scene([{ text: 'Heard.' }], async ({ run, server }) => {
    expect((await run(['run'], { stdin: 'what is this?' })).stdout).toBe('Heard.\n');
    expect((await run(['-p', 'explain the log'], { stdin: 'line one of the log' })).code).toBe(0);
    const bodies = server.requests.map(({ raw }) => raw.toString());
    expect(bodies[0]).toContain('what is this?');
    expect(bodies[1]).toContain('explain the log');
    expect(bodies[1]).toContain('line one of the log');
  }));

test('a session is continued by id prefix, by name and as a fork, and a limit of steps ends with code 3', () =>
  scene([{ calls: [{ op: 'list' }] }, { text: 'First.' }, { text: 'Second.' }, { text: 'Third.' }], async ({ run }) => {
    const limited = await run(['run', 'go', '--max-steps', '1', '--name', 'work', '--output-format', 'json']);
    expect(limited.code).toBe(3);
    const { sessionId } = JSON.parse(limited.stdout) as { sessionId: string };
    expect((await run(['run', '-r', sessionId.slice(0, 17), 'go on'])).stdout).toBe('First.\n');
    expect((await run(['run', '-r', 'work', 'more'])).stdout).toBe('Second.\n');
    const forked = await run(['run', '-r', 'work', '--fork', 'again', '--output-format', 'json']);
    expect(JSON.parse(forked.stdout)).toMatchObject({ result: 'Third.' });
    expect((JSON.parse(forked.stdout) as { sessionId: string }).sessionId).not.toBe(sessionId);
    const listed = await run(['sessions', 'list', '--json']);
    expect(JSON.parse(listed.stdout)).toHaveLength(2);
  }));

test('nothing is left on disk with --no-session, and the folder of another project stays apart', () =>
  scene([{ text: 'Hi.' }], async ({ run }) => {
    expect((await run(['run', 'hi', '--no-session'])).code).toBe(0);
    expect((await run(['sessions', 'list'])).stdout).toContain('No sessions');
    expect((await run(['run', '-c', 'hi'])).code).toBe(2);
  }));

test('notes of a project take effect only when it is trusted', () =>
  scene([{ text: 'Hi.' }], async ({ dir, run, server }) => {
    writeFileSync(join(dir, 'AGENTS.md'), 'Begin each answer with Quack.\n');
    const untrusted = await run(['run', 'hi']);
    expect(untrusted.stderr).toContain('not trusted');
    await run(['run', 'hi', '--trust']);
    await run(['trust']);
    await run(['run', 'hi']);
    const bodies = server.requests.map(({ raw }) => raw.toString().includes('Quack'));
    expect(bodies).toEqual([false, true, true]);
  }));

test('a provider that is out of reach, unauthorised or out of quota ends with code 5, a usage error with 2', () =>
  scene(
    [{ text: 'x', fault: { kind: 'status', status: 401, body: '{"error":{"message":"bad key"}}' } }],
    async ({ run }) => {
      const refused = await run(['run', 'hi']);
      expect(refused.code).toBe(5);
      expect(refused.stderr).toContain('bad key');
      expect(refused.stderr).not.toContain('sk-test-0123456789');
      expect((await run(['run', '--no-such-flag', 'hi'])).code).toBe(2);
      expect((await run(['run', 'hi', '-m', 'nowhere/x'])).code).toBe(2);
    },
  ));

test('smew demo repairs the failing test with recorded replies and says so', () =>
  scene([], async ({ run }) => {
    const { code, stdout, stderr } = await run(['demo'], { env: { SMEW_MODEL: undefined } });
    expect(code).toBe(0);
    expect(stderr).toContain('recorded');
    expect(stderr).toContain('+  const extraKilograms = Math.ceil(');
    expect(stdout).toContain('src/postage.js');
  }));
