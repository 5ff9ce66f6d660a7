import { applyPatch } from 'diff';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyEdits, changeBetween } from './apply.ts';
import { diffOf } from './diff.ts';

const diffAfter = (content: string, ...edits: { old: string; new: string }[]) => {
  const outcome = applyEdits(content, edits);
  if (!outcome.ok) throw new Error(outcome.fault.class);
  return diffOf('f.txt', content, outcome.value.changes);
};

test('a changed line stands between three lines of context', () => {
  const content = '1\n2\n3\n4\n5\n6\n7\n8\n9\n';
  expect(diffAfter(content, { old: '5', new: 'five' })).toEqual({
    text: '--- a/f.txt\n+++ b/f.txt\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n',
    added: 1,
    removed: 1,
    regions: [{ first: 5, last: 5 }],
  });
});

test('inserted lines alone are only added', () => {
  const { text, added, removed } = diffAfter('a\nb\n', { old: 'a\n', new: 'a\nx\n' });
  expect(text).toBe('--- a/f.txt\n+++ b/f.txt\n@@ -1,2 +1,3 @@\n a\n+x\n b\n');
  expect([added, removed]).toEqual([1, 0]);
});

test('near changes share a hunk and far ones do not', () => {
  const content = Array.from({ length: 40 }, (_, index) => `line ${index + 1}.\n`).join('');
  const { text, regions } = diffAfter(
    content,
    { old: 'line 3.', new: 'X\nY' },
    { old: 'line 8.', new: 'Z' },
    { old: 'line 30.', new: 'W' },
  );
  expect(text.match(/^@@.*@@$/gm)).toEqual(['@@ -1,11 +1,12 @@', '@@ -27,7 +28,7 @@']);
  expect(regions).toEqual([
    { first: 3, last: 4 },
    { first: 9, last: 9 },
    { first: 31, last: 31 },
  ]);
});

test('a last line without an end is marked', () => {
  expect(diffAfter('a\nb', { old: 'b', new: 'c' }).text).toContain(
    '-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n',
  );
});

test('a new file is all additions', () => {
  const change = changeBetween('', 'a\nb\n');
  expect(diffOf('f', '', change ? [change] : []).text).toBe('--- a/f\n+++ b/f\n@@ -0,0 +1,2 @@\n+a\n+b\n');
});

test('two changes in one line make one pair of lines', () => {
  const { added, removed } = diffAfter('let a = b;\n', { old: 'a', new: 'x' }, { old: 'b', new: 'y' });
  expect([added, removed]).toEqual([1, 1]);
});

const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', ''), { maxLength: 30 });
const texts = fc.tuple(lines, fc.boolean()).map(([all, isEnded]) => all.join('\n') + (isEnded ? '\n' : ''));

test('a patch program leads from the text before to the text after (one change)', () => {
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const change = changeBetween(before, after);
      const { text } = diffOf('f', before, change ? [change] : []);
      expect(text === '' ? before : applyPatch(before, text)).toBe(after);
    }),
    { numRuns: 2000 },
  );
});

test('a patch program leads from the text before to the text after (many changes)', () => {
  const numbers = fc.uniqueArray(fc.nat(39), { maxLength: 8 });
  const fresh = fc.constantFrom('', 'x', 'x\ny', '\n', 'x\n\ny\nz');
  fc.assert(
    fc.property(numbers, fc.array(fresh, { minLength: 8, maxLength: 8 }), fc.boolean(), (chosen, news, isEnded) => {
      const all = Array.from({ length: 40 }, (_, index) => `<${index}>`);
      const before = all.join('\n') + (isEnded ? '\n' : '');
      const edits = chosen.map((line, index) => ({ old: `<${line}>${index % 2 ? '\n' : ''}`, new: news[index] ?? '' }));
      const outcome = applyEdits(before, edits);
      if (!outcome.ok || edits.length === 0) return;
      const { text, added, removed } = diffOf('f', before, outcome.value.changes);
      expect(applyPatch(before, text)).toBe(outcome.value.content);
      expect(text.match(/^\+(?!\+\+ )/gm)?.length ?? 0).toBe(added);
      expect(text.match(/^-(?!-- )/gm)?.length ?? 0).toBe(removed);
    }),
    { numRuns: 2000 },
  );
});
