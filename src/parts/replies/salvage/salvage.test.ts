import { describe, expect, it } from 'vitest';
import { type Leaky, salvage } from './salvage.ts';
import { foreign, quoted, refusable, torn } from './testing/negatives.ts';
import { headless, samples } from './testing/samples.ts';
import { admitFor, tools } from './testing/tools.ts';

const read: readonly (readonly [string, unknown])[] = [['read', { path: 'a' }]];
const rescue = (more: Partial<Leaky>) =>
  salvage({ text: '', tools, nativeCalls: [], isWhole: true, admit: admitFor(tools), ...more });
const pairs = (calls: readonly { name: string; input: unknown }[]) => calls.map(({ name, input }) => [name, input]);

describe.each([...samples, ...headless].map((sample) => [sample.dialect, sample.text, sample] as const))(
  '%s: %j',
  (_, text, sample) => {
    const { calls: wanted = read, visible = '' } = sample;

    it('is found in the text', () => {
      const { calls, refused, visibleText, cut } = rescue({ text });
      expect(pairs(calls)).toEqual(wanted);
      expect(visibleText.trim()).toBe(visible);
      expect(refused).toEqual([]);
      expect(cut).toBeUndefined();
    });

    it('is found after a sentence of its own', () => {
      const { calls, visibleText } = rescue({ text: `Now the next step.\n\n${text}` });
      // An object with prose after it is a call only where the message begins with it.
      if (sample.dialect === 'llama' && visible !== '') return expect(calls).toEqual([]);
      expect(pairs(calls)).toEqual(wanted);
      expect(visibleText.split(/\s+/).join(' ').trim()).toBe(`Now the next step. ${visible}`.trim());
    });

    it('is found at the end of the thinking when nothing else was said', () => {
      if (/Reading the file now|This reads it|&lt;|channel/.test(text)) return;
      const { calls } = rescue({ reasoning: `I need the file.\n${text}` });
      expect(pairs(calls)).toEqual(wanted);
      expect(calls.every(({ from }) => from === 'reasoning')).toBe(true);
      expect(pairs(rescue({ text: `<think>\nI need it.\n${text}` }).calls)).toEqual(wanted);
    });

    it('is not run from the thinking when there is an answer', () => {
      expect(rescue({ reasoning: text, text: 'The file holds three lines.' }).calls).toEqual([]);
    });

    it('is not run from code of another language', () => {
      const shown = `\`\`\`python\n${text.replace(/`/g, "'")}\n\`\`\``;
      expect(rescue({ text: shown })).toMatchObject({ calls: [], refused: [], visibleText: shown });
    });

    it('is not run twice beside the same native call', () => {
      const nativeCalls = wanted.map(([name, input]) => ({ name, arguments: JSON.stringify(input) }));
      const { calls, visibleText } = rescue({ text, nativeCalls });
      expect(calls).toEqual([]);
      expect(visibleText.trim()).toBe(visible);
    });
  },
);

describe('a call that is spoken of', () => {
  it.each(quoted)('stays text: %j', (text) => {
    expect(rescue({ text })).toEqual({ calls: [], refused: [], visibleText: text, visibleReasoning: '' });
  });

  it.each(quoted)('does not run from the thinking: %j', (reasoning) => {
    expect(rescue({ reasoning }).calls).toEqual([]);
  });
});

describe('a plain object or tag that is no call of a declared tool', () => {
  it.each(foreign)('stays text: %j', (text) => {
    expect(rescue({ text })).toEqual({ calls: [], refused: [], visibleText: text, visibleReasoning: '' });
  });
});

describe('a wrong call in marks of a model', () => {
  it.each(refusable)('is refused, not run: %j', (text, name, reason) => {
    const { calls, refused } = rescue({ text });
    expect(calls).toEqual([]);
    expect(refused).toMatchObject([{ name, reason }]);
  });
});

describe('a call that was cut', () => {
  it.each(torn)('is known as cut, and nothing of it runs: %j', (text) => {
    for (const isWhole of [true, false]) {
      expect(rescue({ text, isWhole })).toMatchObject({ calls: [], refused: [], cut: true });
    }
  });

  it('is one wherever its value ends, when the reply reached its cap', () => {
    const text =
      '<tool_call>read\n<arg_key>path</arg_key>\n<arg_value>a</arg_value>\n<arg_key>limit</arg_key>\n<arg_value>20';
    expect(rescue({ text }).calls).toHaveLength(1);
    expect(rescue({ text, isWhole: false })).toMatchObject({ calls: [], cut: true });
  });

  it('leaves the whole calls before it', () => {
    const text = `<tool_call>{"name": "read", "arguments": {"path": "a"}}</tool_call>\nNow.\n<tool_call>{"name": "write`;
    expect(rescue({ text })).toMatchObject({ calls: [{ name: 'read' }], cut: true });
  });
});

describe('beside native calls', () => {
  const block = '<tool_call>{"name": "read", "arguments": {"path": "a"}}</tool_call>';
  it('the arguments that a native call lacks are taken from the text', () => {
    const { calls } = rescue({ text: block, nativeCalls: [{ name: 'read', arguments: '{}' }] });
    expect(calls).toMatchObject([{ name: 'read', input: { path: 'a' }, fills: 0 }]);
  });

  it('a marked call is a further one, an object in the text is not', () => {
    const nativeCalls = [{ name: 'bash', arguments: '{"command":"ls"}' }];
    expect(rescue({ text: block, nativeCalls }).calls).toHaveLength(1);
    const plain = '{"name": "read", "arguments": {"path": "a"}}';
    expect(rescue({ text: plain, nativeCalls }).calls).toEqual([]);
  });

  it('empty wrappers and words that repeat are not kept', () => {
    const nativeCalls = [{ name: 'bash', arguments: '{"command":"ls"}' }];
    for (const text of ['<tool_call></tool_call>', 'call call call call call call call call', '</tool_call>']) {
      expect(rescue({ text, nativeCalls }).visibleText).toBe('');
    }
    const text = 'yes yes yes yes yes yes yes';
    expect(rescue({ text }).visibleText).toBe(text);
  });
});

describe('results that the model wrote itself', () => {
  it('are cut off, with what was built on them', () => {
    const text = 'Running...\n<tool_response>3 passed</tool_response>\nAll tests pass.';
    expect(rescue({ text })).toMatchObject({ visibleText: 'Running...', invented: true, calls: [] });
  });

  it('are left in code', () => {
    const text = '```\n<tool_response>3 passed</tool_response>\n```';
    expect(rescue({ text })).toMatchObject({ visibleText: text });
  });
});
