/** A provider of the AI SDK, named in the user's own config, through the built program. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scene } from './scene.ts';

/** Lists the folder, then says what it was shown. */
const provider = `
export const createMine = ({ apiKey }) => (modelId) => ({
  provider: 'mine.chat',
  modelId,
  doStream: async ({ prompt }) => {
    const results = prompt.filter(({ role }) => role === 'tool').flatMap(({ content }) => content);
    const said = results.length === 0
      ? [{ type: 'tool-call', toolCallId: 'c1', toolName: 'list', input: '{}' }]
      : [{ type: 'text-delta', id: '1', delta: apiKey + ' ' + modelId + ' saw ' + results[0].output.value }];
    const finish = { type: 'finish', finishReason: results.length === 0 ? 'tool-calls' : 'stop', usage: { inputTokens: 7, outputTokens: 3 } };
    return { stream: ReadableStream.from([...said, finish]) };
  },
  doGenerate: async () => ({}),
});
`;
const config = 'provider: {mine: {sdk: ./mine.mjs, apiKey: key-0123}}\nmodel: mine/some/model\n';

test('a module beside the config speaks for a service that no wire knows', () =>
  scene([], async ({ dir, home, run }) => {
    mkdirSync(join(home, 'smew'), { recursive: true });
    writeFileSync(join(home, 'smew/mine.mjs'), provider);
    writeFileSync(join(home, 'smew/config.yaml'), config);
    writeFileSync(join(dir, 'seen.txt'), 'x');
    const { code, stdout, stderr } = await run(['run', 'look', '-m', 'mine/some/model']);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stdout).toContain('key-0123 some/model saw');
    expect(stdout).toContain('seen.txt');
  }));

test('a project may not name one', () =>
  scene([{ text: 'plain' }], async ({ dir, run }) => {
    mkdirSync(join(dir, '.smew'));
    writeFileSync(join(dir, '.smew/mine.mjs'), 'throw new Error("loaded");');
    writeFileSync(join(dir, '.smew/config.yaml'), 'provider: {openai: {sdk: ./mine.mjs}}\n');
    const { code, stdout } = await run(['run', 'look', '--trust']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'plain\n' });
  }));
