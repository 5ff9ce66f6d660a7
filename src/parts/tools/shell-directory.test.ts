import { expect, test } from 'vitest';
import { shellDirectory } from './shell-directory.ts';
import { scratch } from './testing/scratch.ts';

test('a resumed session goes on where its shell stood, if that is inside the workspace', () => {
  const cwd = scratch({ 'sub/': '' });
  const roots = [cwd];
  expect(shellDirectory({ cwd, roots, last: `${cwd}/sub` }).current()).toEqual({ cwd: `${cwd}/sub` });
  expect(shellDirectory({ cwd, roots, last: '/' }).current()).toEqual({ cwd });
  expect(shellDirectory({ cwd, roots, last: `${cwd}/gone` }).current()).toEqual({ cwd, lost: 'gone' });
});

test('a folder that was added is as good as the workspace; its whole path is said', () => {
  const [cwd, added] = [scratch(), scratch()];
  const directory = shellDirectory({ cwd, roots: [cwd, added] });
  expect(directory.ended(added, `cd ${added}`)).toContain(`[bash directory: ${added} from now on`);
  expect(directory.current()).toEqual({ cwd: added });
});

test('a command without cd in the working directory says nothing; one whose end is unknown says where the next starts', () => {
  const cwd = scratch();
  const directory = shellDirectory({ cwd, roots: [cwd] });
  expect(directory.ended(cwd, 'npm test')).toBe('');
  expect(directory.ended(undefined, 'cd x && exec node server.js')).toBe('[bash directory: .]');
});

test('a shell that ended in a directory that is gone stands outside of nothing', () => {
  const cwd = scratch({ 'sub/': '' });
  const directory = shellDirectory({ cwd, roots: [cwd], last: `${cwd}/sub` });
  expect(directory.ended('', 'rm -r ../sub')).toMatch(
    /^\[The directory where the shell stood is gone; the next command starts in sub\.\]$/,
  );
});
