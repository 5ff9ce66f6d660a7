import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyEdits, changeBetween, type Replacement, splice } from './apply.ts';
import { flatten } from './ends.ts';
import { describeProblems } from './refusal.ts';

const edited = (content: string, ...edits: Replacement[]) => {
  const outcome = applyEdits(content, edits);
  return outcome.ok ? outcome.value.content : outcome.fault.class;
};
const refusal = (content: string, ...edits: Replacement[]) => {
  const outcome = applyEdits(content, edits);
  if (outcome.ok) throw new Error(`expected a refusal, got ${JSON.stringify(outcome.value.content)}`);
  return { ...outcome.fault, text: describeProblems(outcome.fault.problems, edits.length) };
};

describe('what is written', () => {
  test('the one place that the anchor fits is replaced and nothing else', () => {
    expect(edited('a:\n\tb\n\tc\n', { old: 'b', new: 'd' })).toBe('a:\n\td\n\tc\n');
  });
  test('dollar signs in the new text are plain characters', () => {
    expect(edited('X=1\n', { old: '1', new: "$& $$ $` $' $1" })).toBe("X=$& $$ $` $' $1\n");
  });
  test('escapes in the new text stay escapes', () => {
    expect(edited('x = 1\n', { old: 'x = 1', new: 'print("a\\nb")' })).toBe('print("a\\nb")\n');
  });
  test('all: true replaces every occurrence', () => {
    expect(edited('x=1\ny\nx=1\n', { old: 'x=1', new: 'x=2', all: true })).toBe('x=2\ny\nx=2\n');
  });
  test('several edits are matched against the content before the call, in any order', () => {
    const edits = [
      { old: 'three', new: 'one' },
      { old: 'one', new: 'three' },
    ];
    expect(edited('one two three', ...edits)).toBe('three two one');
    expect(edited('one two three', ...edits.reverse())).toBe('three two one');
  });
  test('an anchor with LF fits lines with CRLF, which keep their ends', () => {
    expect(edited('a\r\nb\r\nc\r\n', { old: 'a\nb\n', new: 'a\nx\ny\n' })).toBe('a\r\nx\r\ny\r\nc\r\n');
  });
  test('an anchor with CRLF fits lines with LF', () => {
    expect(edited('a\nb\nc\n', { old: 'a\r\nb', new: 'a\r\nx' })).toBe('a\nx\nc\n');
  });
  test('in a file of mixed line ends every untouched line keeps its own', () => {
    expect(edited('a\r\nb\nc\rd\n', { old: 'b', new: 'B' })).toBe('a\r\nB\nc\rd\n');
    expect(edited('a\r\nb\nc\r\n', { old: 'a\nb\nc', new: 'a\nB\nc' })).toBe('a\r\nB\nc\r\n');
  });
  test('lines added at the end of a CRLF file end in CRLF', () => {
    expect(edited('a\r\nb', { old: 'b', new: 'b\nc' })).toBe('a\r\nb\r\nc');
  });
  test('a byte-order mark stays, and is no part of the first line', () => {
    expect(edited('\uFEFFa\n', { old: 'a', new: 'b' })).toBe('\uFEFFb\n');
    expect(edited('\uFEFFa\n', { old: '\uFEFFa', new: '\uFEFFb' })).toBe('\uFEFFb\n');
  });
  test('a missing final newline stays missing', () => {
    expect(edited('a\nb', { old: 'b', new: 'c' })).toBe('a\nc');
  });
  test('an empty anchor fills an empty file', () => {
    expect(edited('', { old: '', new: 'x\n' })).toBe('x\n');
    expect(edited('\uFEFF', { old: '', new: 'x\n' })).toBe('\uFEFFx\n');
  });
  test('edits that have nothing left to do are skipped beside edits that change something', () => {
    const outcome = applyEdits('a = 2\nb = 1\n', [
      { old: 'a = 1', new: 'a = 2' },
      { old: 'b = 1', new: 'b = 2' },
    ]);
    expect(outcome.ok && outcome.value.content).toBe('a = 2\nb = 2\n');
    expect(outcome.ok && outcome.value.skipped.map((problem) => problem.class)).toEqual(['already_applied']);
  });
});

describe('what is refused', () => {
  test('equal old and new are a noop that shows where the text is', () => {
    const { class: kind, text } = refusal('x\na = 1\n', { old: 'a = 1', new: 'a = 1' });
    expect(kind).toBe('noop');
    expect(text).toContain('line 2');
  });
  test('an edit sent again after it worked is already applied', () => {
    expect(refusal('a = 2\n', { old: 'a = 1', new: 'a = 2' }).class).toBe('already_applied');
  });
  test('lines inserted beside their anchor are not inserted twice', () => {
    const edit = { old: 'import a\n', new: 'import a\nimport b\n' };
    expect(edited('import a\nimport b\n', edit)).toBe('already_applied');
    expect(edited('import a\n', edit)).toBe('import a\nimport b\n');
  });
  test('deeper indentation and one more blank line are never taken for applied', () => {
    expect(edited('    return 1\n', { old: 'return 1', new: '    return 1' })).toBe('        return 1\n');
    expect(edited('a\n\nb', { old: 'a\n', new: 'a\n\n' })).toBe('a\n\n\nb');
  });
  test('new text that stands inside a longer word is not taken for applied', () => {
    expect(edited('aa = 20\n', { old: 'a = 1', new: 'a = 2' })).toBe('not_found');
  });
  test('new text that is unlike the missing old text is not taken for applied', () => {
    expect(edited('return null\n', { old: 'throw new Error("no user")', new: 'return null' })).toBe('not_found');
  });
  test('an anchor that was never there shows the nearest lines with their numbers', () => {
    const { class: kind, text } = refusal('import os\n\ndef load(p):\n    return open(p)\n', {
      old: 'def load_config(path):\n    cfg = parse(path)',
      new: 'x',
    });
    expect(kind).toBe('not_found');
    expect(text).toContain('3\tdef load(p):');
    expect(text).toContain('the file has "(", old has "_"');
  });
  test.each([
    ['\tif x:\n\t\treturn 1\n', '    if x:\n        return 1', 'the file has a tab, old has a space'],
    ['price:\u00A010 EUR\n', 'price: 10 EUR', 'the file has a no-break space (U+00A0), old has a space'],
    ['let a = 1; \nlet b = 2;\n', 'let a = 1;\nlet b = 2;', 'the file has a space, old has the end of the line'],
  ])('white space that differs is named (%#)', (content, old, words) => {
    const { class: kind, text } = refusal(content, { old, new: 'x' });
    expect(kind).toBe('not_found');
    expect(text).toContain('Only white space differs');
    expect(text).toContain(words);
  });
  test('a curly quote is named', () => {
    const { text } = refusal('say \u201Chi\u201D\n', { old: 'say "hi"', new: 'x' });
    expect(text).toContain('column 5: the file has "\u201C" (U+201C), old has """');
  });
  test('line numbers copied into the anchor are named', () => {
    const { text } = refusal('foo()\nbar()\n', { old: '1\tfoo()\n2\tbar()', new: 'x' });
    expect(text).toContain('leave them out');
  });
  test('an anchor unlike anything says so', () => {
    expect(refusal('one\ntwo\n', { old: 'zzzzzzzzzz', new: 'x' }).text).toContain('nor anything like it');
  });
  test('an anchor that fits several places lists their lines and both ways out', () => {
    const { class: kind, text, problems } = refusal('x=1\ny\nx=1\n', { old: 'x=1', new: 'x=2' });
    expect(kind).toBe('ambiguous');
    expect(problems[0]?.lines).toEqual([1, 3]);
    expect(text).toContain('lines 1, 3');
    expect(text).toContain('all: true');
  });
  test('of many places ten are listed', () => {
    const { text } = refusal('x\n'.repeat(25), { old: 'x', new: 'y' });
    expect(text).toContain('25 times, at lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 15 more');
  });
  test('matches that overlap each other make an anchor ambiguous', () => {
    expect(edited('aaa', { old: 'aa', new: 'b' })).toBe('ambiguous');
  });
  test('an empty anchor is refused where the file has content', () => {
    const { class: kind, text } = refusal('a\n', { old: '', new: 'b' });
    expect(kind).toBe('empty_anchor');
    expect(text).toContain('use write');
  });
  test('edits that overlap are refused together', () => {
    const { class: kind, text } = refusal('abcdef', { old: 'abcd', new: 'x' }, { old: 'cdef', new: 'y' });
    expect(kind).toBe('overlap');
    expect(text).toContain('Edit 2 of 2: it overlaps edit 1');
  });
  test('an anchor that only an earlier edit of the call writes is explained', () => {
    const { text } = refusal('one', { old: 'one', new: 'two' }, { old: 'two', new: 'three' });
    expect(text).toContain('it is what edit 1 would write');
  });
  test('every failing edit of a call is named, not only the first', () => {
    const { problems } = refusal('a\nb\nb\n', { old: 'a', new: 'c' }, { old: 'b', new: 'd' }, { old: 'qqq', new: 'd' });
    expect(problems.map((problem) => [problem.edit, problem.class])).toEqual([
      [2, 'ambiguous'],
      [3, 'not_found'],
    ]);
  });
  test('NUL and half characters are refused in the file and in the new text', () => {
    expect(edited('a\0b', { old: 'a', new: 'c' })).toBe('refused');
    expect(edited('ab', { old: 'a', new: 'c\0' })).toBe('refused');
    expect(edited('ab', { old: 'a', new: '\uD83D' })).toBe('refused');
    expect(edited('\u{1F600}', { old: '\uD83D', new: 'x' })).toBe('refused');
  });
});

describe('whatever the content and the edits', () => {
  const line = fc.constantFrom('a', 'b = 1', '\tif x:', '', '$&', 'caf\u00E9', '\u{1F600}', 'x\ry');
  const end = fc.constantFrom('\n', '\r\n');
  const content = fc
    .tuple(fc.boolean(), fc.array(fc.tuple(line, end), { minLength: 1, maxLength: 12 }), line)
    .map(([hasMark, lines, last]) => `${hasMark ? '\uFEFF' : ''}${lines.flat().join('')}${last}`);
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '$&', "$'", '\t', '\u{1F600}', ' = ') });
  /** Anchors out of the content (as a model would quote them: with LF, without the mark) or invented. */
  const call = content.chain((whole) => {
    const flat = flatten(whole.replace(/^\uFEFF/, ''));
    const cut = fc.tuple(fc.nat(flat.length), fc.nat(12)).map(([start, size]) => flat.slice(start, start + size));
    const edit = fc.record({ old: fc.oneof(cut, text), new: text, all: fc.boolean() });
    return fc.record({ whole: fc.constant(whole), edits: fc.array(edit, { minLength: 1, maxLength: 4 }) });
  });

  test('a change is made whole or not at all, and only at the anchors', () => {
    fc.assert(
      fc.property(call, ({ whole, edits }) => {
        const outcome = applyEdits(whole, edits);
        if (!outcome.ok) {
          expect(outcome.fault.problems.length).toBeGreaterThan(0);
          return;
        }
        const { changes } = outcome.value;
        expect(splice(whole, changes)).toBe(outcome.value.content);
        // Outside of the changes both texts are the same, and every edit that was not skipped shows in the result.
        const kept = changes.map(({ start }, index) => whole.slice(changes[index - 1]?.end ?? 0, start));
        let at = 0;
        for (const piece of kept) {
          at = outcome.value.content.indexOf(piece, at);
          expect(at).toBeGreaterThanOrEqual(0);
          at += piece.length;
        }
        const skipped = new Set(outcome.value.skipped.map(({ edit }) => edit));
        const flat = flatten(outcome.value.content);
        for (const [index, edit] of edits.entries())
          if (!skipped.has(index + 1)) expect(flat).toContain(flatten(edit.new));
      }),
      { numRuns: 2000 },
    );
  });

  test('the byte-order mark stays as it was, and a file of one line end keeps to it', () => {
    fc.assert(
      fc.property(call, ({ whole, edits }) => {
        const outcome = applyEdits(whole, edits);
        if (!outcome.ok) return;
        const { content: result } = outcome.value;
        expect(result.startsWith('\uFEFF')).toBe(whole.startsWith('\uFEFF'));
        if (!/(?<!\r)\n/.test(whole) && whole.includes('\n')) expect(result).not.toMatch(/(?<!\r)\n/);
        if (!whole.includes('\r')) expect(result).not.toContain('\r\n');
      }),
      { numRuns: 2000 },
    );
  });

  test('a single edit without line ends is what a plain splice makes of it', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'grapheme' }),
        fc.string(),
        (head, tail, fresh) => {
          const whole = `${head}<<anchor>>${tail}`;
          fc.pre(!`${head}${tail}${fresh}`.includes('anchor') && !/[\r\n\0\uFEFF]/.test(whole + fresh));
          expect(edited(whole, { old: '<<anchor>>', new: fresh })).toBe(head + fresh + tail);
        },
      ),
    );
  });

  test('the change between two texts leads from one to the other', () => {
    fc.assert(
      fc.property(content, content, (before, later) => {
        const change = changeBetween(before, later);
        expect(change ? splice(before, [change]) : before).toBe(later);
      }),
    );
  });
});
