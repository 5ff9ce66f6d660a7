import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { salvage } from './salvage.ts';
import { admitFor, tools } from './testing/tools.ts';
import { callAsText, resultsAsText, toolsAsText } from './text-protocol.ts';

const rescue = (text: string) => salvage({ text, tools, nativeCalls: [], isWhole: true, admit: admitFor(tools) });

describe('tools told as text', () => {
  it('are declared with their parameters and types, in few words', () => {
    const { text } = toolsAsText(tools);
    expect(text).toContain('- read(path: string, limit?: integer, raw?: boolean)');
    expect(text).toContain('edits: JSON list of JSON object {}');
    expect(text.length).toBeLessThan(1_100);
    expect(toolsAsText([]).text).toBe('');
  });

  it('are shown with a form that the reader reads', () => {
    expect(rescue(callAsText({ name: 'read', input: { path: 'a', limit: 3 } })).calls).toMatchObject([
      { name: 'read', input: { path: 'a', limit: 3 } },
    ]);
  });

  it('do not run when the prompt itself is repeated', () => {
    expect(rescue(toolsAsText(tools).text).calls).toEqual([]);
  });

  it('carry any text that holds no tags there and back', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.array(fc.record({ old: fc.stringMatching(/^[^<]*$/) })),
        (content, edits) => {
          fc.pre(!/[<\uff5c]/.test(content));
          const calls = [
            { name: 'write', input: { path: 'a', content } },
            { name: 'multi_edit', input: { path: 'b', edits } },
          ];
          const text = `I will do both.\n\n${calls.map(callAsText).join('\n')}`;
          expect(rescue(text).calls.map(({ name, input }) => ({ name, input }))).toEqual(calls);
        },
      ),
      { seed: 61 },
    );
  });

  it('answer in a form that is cut off when the model invents it', () => {
    const results = resultsAsText([
      { name: 'read', ok: true, text: 'x' },
      { name: 'bash', ok: false, text: 'exit 1' },
    ]);
    expect(results).toBe(
      '<tool_response>\nread succeeded:\nx\n</tool_response>\n<tool_response>\nbash failed:\nexit 1\n</tool_response>',
    );
    expect(rescue(`Done.\n${results}\nAll is well.`)).toMatchObject({ visibleText: 'Done.', invented: true });
  });
});
