import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitThinking, thinkingFilter } from './thinking.ts';

/** [text, answer, thinking, still open] */
const cases: readonly (readonly [text: string, answer: string, thinking: string, isOpen?: boolean])[] = [
  ['<think>plan</think>Done.', 'Done.', 'plan'],
  ['<think>\nplan\n</think>\n\nDone.', 'Done.', 'plan'],
  ['<thinking>plan</thinking>\nDone.', 'Done.', 'plan'],
  ['<reasoning>plan</reasoning>Done.', 'Done.', 'plan'],
  ['<thought>plan</thought>Done.', 'Done.', 'plan'],
  ['<seed:think>plan</seed:think>Done.', 'Done.', 'plan'],
  ['<THINK>plan</THINK>Done.', 'Done.', 'plan'],
  ['\u25c1think\u25b7plan\u25c1/think\u25b7Done.', 'Done.', 'plan'],
  ['[THINK]plan[/THINK]Done.', 'Done.', 'plan'],
  ['plan\n</think>\nDone.', 'Done.', 'plan'],
  ['plan</thinking>\n\nDone.', 'Done.', 'plan'],
  ['plan\u25c1/think\u25b7Done.', 'Done.', 'plan'],
  ['<think></think>Done.', 'Done.', ''],
  ['<think>one</think>Done.\n<think>two</think>\nReally.', 'Done.\n\nReally.', 'onetwo'],
  ['<think>plan', '', 'plan', true],
  ['Done.</think>', 'Done.', ''],
  ['Done.\n</think>\n', 'Done.', ''],
  [
    '<|channel|>analysis<|message|>plan<|end|><|start|>assistant<|channel|>final<|message|>Done.<|return|>',
    'Done.',
    'plan',
  ],
  [
    '<|start|>assistant<|channel|>analysis<|message|>plan<|end|><|start|>assistant<|channel|>final<|message|>Done.',
    'Done.',
    'plan',
  ],
  ['<|channel|>analysis<|message|>plan<|channel|>final<|message|>Done.<|end|>', 'Done.', 'plan'],
  ['<|channel|>final<|message|>Done.<|return|>', 'Done.', ''],
  ['<|channel|>commentary<|message|>I look.<|end|>', 'I look.', ''],
  ['<|channel>thought\nplan<channel|>Done.', 'Done.', 'plan'],
  ['Use `<think>` to think.', 'Use `<think>` to think.', ''],
  ['The `</think>` tag closes.', 'The `</think>` tag closes.', ''],
  ['```\n<think>\nplan\n</think>\n```', '```\n<think>\nplan\n</think>\n```', ''],
  ['```xml\n<think>x</think>\n```\nDone.', '```xml\n<think>x</think>\n```\nDone.', ''],
  ['~~~\n</think>\n~~~', '~~~\n</think>\n~~~', ''],
  [
    'The <think> tag opens it and the </think> tag closes it.',
    'The <think> tag opens it and the </think> tag closes it.',
    '',
  ],
  ['It prints "<think>" first.', 'It prints "<think>" first.', ''],
  ['<think>I see a `</think>` here</think>Done.', 'Done.', 'I see a `</think>` here'],
  ['<think>I see\n```\ncode</think>Done.', 'Done.', 'I see\n```\ncode'],
  ['a < b, <thinner> and <b>bold</b> [TODO] [x]', 'a < b, <thinner> and <b>bold</b> [TODO] [x]', ''],
  ['', '', ''],
];

/** What a surface has in the end: what is taken back moves to the thinking. */
function streamed(pieces: readonly string[]) {
  const filter = thinkingFilter();
  let text = '';
  let reasoning = '';
  for (const delta of [...pieces.map((piece) => filter.push(piece)), filter.end()]) {
    if (delta.isTakenBack) {
      reasoning += text;
      text = '';
    }
    text += delta.text;
    reasoning += delta.reasoning;
  }
  return { text, reasoning };
}

describe('thinking', () => {
  it.each(cases.map((row) => [row[0], row] as const))('%j is told from the answer', (text, row) => {
    const [, answer, thinking, isOpen = false] = row;
    const split = splitThinking(text);
    expect(split.text.trim()).toBe(answer);
    expect(split.reasoning).toBe(thinking);
    expect(split.isOpen).toBe(isOpen);
  });

  it.each(cases.map((row) => [row[0], row] as const))('%j streams to the same however it is split', (text, row) => {
    const [, answer, thinking] = row;
    const whole = streamed([text]);
    expect(streamed([...text])).toEqual(whole);
    for (let at = 1; at < text.length; at++) expect(streamed([text.slice(0, at), text.slice(at)])).toEqual(whole);
    // A closer at the very end of an answer closed nothing; only the whole text can tell.
    if (/Done\.\s*<\/think>\s*$/.test(text)) return;
    expect(whole.text.trim()).toBe(answer);
    expect(whole.reasoning.trim()).toBe(thinking);
  });

  it('streams the same for any text and any split', () => {
    const parts = fc.constantFrom(
      '<think>',
      '</think>',
      '<|channel|>analysis<|message|>',
      '<|end|>',
      '<|start|>assistant',
      '`',
      '```\n',
      '\n',
      ' ',
      'word',
      '<',
      '[THINK]',
      '\u25c1/think\u25b7',
      '"',
      '<|channel|>',
      'final',
      '<|message|>',
      '<seed:',
      '.',
      '<|start|>',
      ' x',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(parts, fc.string()), { maxLength: 10 }), (pieces) => {
        const text = pieces.join('');
        const whole = streamed([text]);
        expect(streamed(pieces)).toEqual(whole);
        expect(streamed([...text])).toEqual(whole);
      }),
      { seed: 51, numRuns: 1_000 },
    );
  });

  it('passes text without marks at once', () => {
    const filter = thinkingFilter();
    for (const piece of ['a', ' < b', '\n', '`c`', ' {d} '])
      expect(filter.push(piece)).toEqual({ text: piece, reasoning: '' });
  });

  it('says when what was shown turns out to be thinking', () => {
    const filter = thinkingFilter();
    expect(filter.push('plan the edit\n').text).toBe('plan the edit\n');
    expect(filter.push('</think>\nDone.')).toMatchObject({ isTakenBack: true, text: '\nDone.' });
  });
});
