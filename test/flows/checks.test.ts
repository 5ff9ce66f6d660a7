/** What a check behind a pipe proved, through the built program: the model is told, the report has it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scene } from './scene.ts';
import { wires } from './wires.ts';

const [wire] = wires;

test('a failing test behind a pipe is no success, neither for the model nor in the report', () =>
  scene(
    [
      { calls: [{ op: 'write', path: 'a.txt', content: 'x\n' }] },
      { calls: [{ op: 'bash', command: 'sh ./test.sh 2>&1 | tail -1' }] },
      { text: 'Done.' },
    ],
    async ({ dir, run, server }) => {
      writeFileSync(join(dir, 'test.sh'), 'echo one; echo two; exit 3\n');
      const { stdout } = await run(['run', 'write and test', '--yolo', '--output-format', 'json']);
      expect(wire?.results(server.requests.at(-1)?.body).at(-1)).toContain(
        'two\n[`sh ./test.sh` itself ended with exit code 3; the line ended with 0.]',
      );
      expect(JSON.parse(stdout).verifiedBy).toMatchObject([
        { command: 'sh ./test.sh', outcome: 'failed', exitCode: 3 },
      ]);
    },
    wire,
  ));
