import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textFilter } from './filter.ts';
import { salvage } from './salvage.ts';
import { foreign, quoted, refusable, torn } from './testing/negatives.ts';
import { samples } from './testing/samples.ts';
import { admitFor, tools } from './testing/tools.ts';

const resolve = (name: string) => tools.find((tool) => tool.name === name)?.name;

function stream(pieces: readonly string[]) {
  const filter = textFilter(resolve);
  const shown = pieces.map((piece) => filter.push(piece)).join('');
  const end = filter.end();
  return { shown: shown + end.shown, held: end.held };
}

const visibleOf = (text: string): string =>
  salvage({ text, tools, nativeCalls: [], isWhole: true, admit: admitFor(tools) }).visibleText;

/** Without thinking, which another filter takes out before. */
const texts = [
  ...samples.map(({ text }) => text).filter((text) => !text.includes('analysis<|message|>')),
  ...samples.map(({ text }) => `Now it goes on.\n\n${text}`).filter((text) => !text.includes('analysis<|message|>')),
  ...quoted,
  ...foreign,
  ...torn,
  ...refusable.map(([text]) => text),
];

describe.each(texts)('%j', (text) => {
  it('is split without a difference wherever it is split', () => {
    const whole = stream([text]);
    expect(whole.shown + whole.held).toBe(text);
    expect(stream([...text])).toEqual(whole);
    for (let at = 1; at < text.length; at++) expect(stream([text.slice(0, at), text.slice(at)])).toEqual(whole);
  });

  it('shows nothing that turns out to be a call', () => {
    const { shown } = stream([...text]);
    expect(visibleOf(text).startsWith(shown.trimEnd())).toBe(true);
  });
});

describe('ordinary text', () => {
  it('passes at once, piece by piece, when nothing in it could open a call', () => {
    const letters = fc.stringMatching(/^[bdeg-su-zBD-Z0-9 .,;:!?()'"=>/#|\n-]{0,40}$/);
    fc.assert(
      fc.property(fc.array(letters), (pieces) => {
        const filter = textFilter(resolve);
        for (const piece of pieces) expect(filter.push(piece)).toBe(piece);
        expect(filter.end()).toEqual({ shown: '', held: '' });
      }),
      { seed: 41 },
    );
  });

  it.each([
    ['A small change: array[0] < array[1] and Array<string> stay.\n'],
    ['```ts\nconst a = <T>(x: T) => [read(x)];\n{"name": "bash", "arguments": {}}\n```\nDone.\n'],
    ['```json\n{"name": "my-app", "version": "1.0.0"}\n```\nThat is package.json.\n'],
    ['- [x] done\n- [ ] open\n[link](https://a.b)\n'],
    ['<div class="x">\n  <p>text</p>\n</div>\n'],
    ['Use `<tool_call>` tags, then "</tool_call>" closes.\n'],
    ['<tool_call> tags are what Hermes uses.\n'],
    ['{"name": "Bob", "age": 3}\n{\n  "items": []\n}\n'],
    ['assistants and actions, analysis and comments, towards an end\n'],
    ['Action plan: read first.\n'],
  ])('is not held until the end: %j', (text) => {
    const filter = textFilter(resolve);
    const shown = [...text].map((char) => filter.push(char)).join('');
    expect(shown).toBe(text);
  });

  it('of any kind is shown or held, and never changed', () => {
    const parts = fc.constantFrom(
      '<tool_call>',
      '</tool_call>',
      '<',
      '{"name": "bash"',
      '```json\n',
      '```\n',
      '`',
      '\n',
      ' ',
      'word',
      '[read(',
      '[TOOL_CALLS]',
      '<|channel|>',
      '<invoke name="bash">',
      'Action: ',
      'to=functions.',
      '~~~',
      '</',
      '"',
      '<bash>',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(parts, fc.string()), { maxLength: 12 }), fc.nat(), (pieces, place) => {
        const text = pieces.join('');
        const whole = stream([text]);
        expect(whole.shown + whole.held).toBe(text);
        expect(stream(pieces)).toEqual(whole);
        const at = place % (text.length + 1);
        expect(stream([text.slice(0, at), text.slice(at)])).toEqual(whole);
      }),
      { seed: 42, numRuns: 400 },
    );
  });

  it('shown is never longer than what stays visible in the end', () => {
    const parts = fc.constantFrom(
      '<tool_call>',
      '</tool_call>',
      '{"name": "list", "arguments": {}}',
      '```json\n',
      '```',
      '`',
      '\n',
      ' ',
      'A word',
      '.',
      '[list()]',
      '[TOOL_CALLS]',
      '<invoke name="list">',
      '</invoke>',
      '<list>',
      '</list>',
      '\n\n',
      '<function=list>',
      '</function>',
      'print(list())',
      '```tool_code\n',
      '</parameter>',
      '[TOOL_CALLS]list{}',
      '> ',
      '- ',
      '"',
      'list\n',
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 9 }), (pieces) => {
        const text = pieces.join('');
        expect(visibleOf(text).startsWith(stream([text]).shown.trimEnd())).toBe(true);
      }),
      { seed: 43, numRuns: 3_000 },
    );
  });
});
