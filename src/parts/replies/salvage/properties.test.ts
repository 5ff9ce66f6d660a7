import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textFilter } from './filter.ts';
import { salvage } from './salvage.ts';
import { samples } from './testing/samples.ts';
import { admitFor, tools } from './testing/tools.ts';
import { splitThinking, thinkingFilter } from './thinking.ts';

/** The figures hold on a machine of one's own; beside others a test can only tell slow from hopeless. */
const isStrict = process.env['SMEW_TEST_LONG'] !== undefined;

const rescue = (text: string, reasoning = '') =>
  salvage({ text, reasoning, tools, nativeCalls: [], isWhole: true, admit: admitFor(tools) });

const fragments = fc.constantFrom(
  ...samples.flatMap(({ text }) => text.split(/(?=[<[{\n"])/)).filter((part) => part !== ''),
);

describe('any text', () => {
  it('is read without an exception, and every call found names a declared tool and was admitted', () => {
    const admitted = new Set<unknown>();
    const admit = admitFor(tools);
    const anything = fc.array(fc.oneof({ weight: 4, arbitrary: fragments }, fc.string({ unit: 'binary' })), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(anything, anything, (left, right) => {
        const { calls } = salvage({
          text: left.join(''),
          reasoning: right.join(''),
          tools,
          nativeCalls: [],
          isWhole: left.length % 2 === 0,
          admit: (name, raw) => {
            const input = admit(name, raw);
            admitted.add(input?.input);
            return input;
          },
        });
        for (const { name, input } of calls) {
          expect(tools.some((tool) => tool.name === name)).toBe(true);
          expect(admitted.has(input)).toBe(true);
        }
      }),
      { seed: 44, numRuns: 2_000 },
    );
  });

  it('without marks comes back as it is', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[^<>{}[\]`&\u25c1]*$/), (text) => {
        fc.pre(!/Action/.test(text));
        expect(rescue(text)).toEqual({ calls: [], refused: [], visibleText: text, visibleReasoning: '' });
      }),
      { seed: 45 },
    );
  });

  it('keeps the text of a value byte for byte', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (content) => {
        fc.pre(!/<\/?(?:\|?\s*)[A-Za-z|]/.test(content.replace(/[\uff5c]/g, '|')));
        const text = `<tool_call>\n<function=write>\n<parameter=path>\na\n</parameter>\n<parameter=content>\n${content}\n</parameter>\n</function>\n</tool_call>`;
        expect(rescue(text).calls[0]?.input).toEqual({ path: 'a', content });
      }),
      { seed: 46 },
    );
  });
});

/** Processor time, and the least of a few runs: other work on the machine does not count. */
function fastestMs(work: () => unknown): number {
  const times = Array.from({ length: 3 }, () => {
    const start = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1_000;
  });
  return Math.min(...times);
}

const openers = [
  '<',
  '<|',
  '</',
  '<tool_call>',
  '<tool_call>{',
  '<tool_call>{"name":"bash","arguments":{"a":"',
  '</tool_call>',
  '<function=bash>',
  '<function=bash><parameter=command>',
  '<function=write><parameter=path>a</parameter>',
  '<parameter=x>',
  '</parameter>',
  '\n{"name":"bash","arguments":{',
  '\n{"name":"bash","arguments":"',
  '\n[{"name": "bash", ',
  '\n[bash(command="',
  '\n[bash(command=[',
  '[TOOL_CALLS]',
  '[TOOL_CALLS]bash{',
  '[TOOL_CALLS][',
  '<|channel|>',
  '<|channel|>commentary to=functions.bash<|message|>{',
  '<|tool_call_begin|>',
  '<|tool_call_begin|>bash:0<|tool_call_argument_begin|>{',
  '<invoke name="bash">',
  '<invoke name="',
  '```json\n',
  '```json\n{"name":"bash","arguments":{',
  '```\n',
  '```tool_code\nbash(',
  '`',
  '\nAction: bash\nAction Input: {',
  '<bash>',
  '<bash><command>',
  '</bash>',
  '<think>',
  '</think>',
  '<think',
  '<thinking>\n',
  '\n\n',
  ' ',
  '\n',
  '{',
  '[',
  '"',
  '\\',
  '&lt;invoke name="bash"&gt;',
  '&lt;',
  '<tool_call>bash<arg_key>',
  '<arg_key>command</arg_key><arg_value>',
  '<a b=',
  '<a b c d',
  '<tool_response>',
  '\nto=functions.bash{',
  '(',
  '<|DSML|invoke name="bash">',
  'a',
  '\u25c1think\u25b7',
  '[Tool Use: bash]\n<parameter name="a">',
];

describe('100 KB of one opener', () => {
  it.each(openers)('%j are read in well under 100 ms', (opener) => {
    const text = opener.repeat(Math.ceil(100_000 / opener.length));
    expect(fastestMs(() => rescue(text))).toBeLessThan(isStrict ? 100 : 3000);
    expect(fastestMs(() => rescue('', text))).toBeLessThan(isStrict ? 100 : 3000);
    expect(fastestMs(() => rescue(`x\n<tool_call>${text}`))).toBeLessThan(isStrict ? 100 : 3000);
  });

  it.each(openers)('%j stream in linear time', (opener) => {
    const text = opener.repeat(Math.ceil(100_000 / opener.length));
    const time = fastestMs(() => {
      const thinking = thinkingFilter();
      const shown = textFilter((name) => (name === 'bash' ? name : undefined));
      for (let at = 0; at < text.length; at += 8) shown.push(thinking.push(text.slice(at, at + 8)).text);
      shown.end();
    });
    expect(time).toBeLessThan(400);
  });
});

describe('an ordinary reply of 10 KB', () => {
  it('costs less than a millisecond', () => {
    const text = 'The function `read` returns <T> for {a: 1}, see [x](y).\n\n```ts\nconst a = 1;\n```\n'.repeat(120);
    rescue(text);
    expect(fastestMs(() => rescue(text))).toBeLessThan(isStrict ? 1 : 30);
    expect(splitThinking(text).text).toBe(text);
  });
});
