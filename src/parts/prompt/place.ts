/** Where the user works: repository, branch and first level of the tree, read from files alone. No git process runs. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { attemptSync, messageOf } from '../../base/attempt.ts';

const entriesAtMost = 40;
const treeCharsAtMost = 800;
const nameCharsAtMost = 60;

/** `main`, `detached at 1a2b3c4`, or undefined where there is no repository or its HEAD says nothing readable. */
export function gitBranch(topLevel: string): string | undefined {
  const place = join(topLevel, '.git');
  const pointer = readSmall(place);
  const linked = pointer === undefined ? undefined : /^gitdir: (.+)$/m.exec(pointer)?.[1]?.trim();
  const head = readSmall(join(linked === undefined ? place : resolve(topLevel, linked), 'HEAD'))?.trim();
  if (head === undefined) return undefined;
  if (/^[0-9a-f]{40,64}$/.test(head)) return `detached at ${head.slice(0, 7)}`;
  // A repository with reference tables keeps its branch elsewhere and says `.invalid` here.
  const name = /^ref: refs\/heads\/([^\s\p{Cc}]+)$/u.exec(head)?.[1];
  return name === undefined || name === '.invalid' ? undefined : clip(name, 100);
}

/** The names in `folder`, folders first and with a slash, cut to what a prompt can bear. `.git` is left out. */
export function firstLevel(folder: string): string {
  const read = attemptSync(() => readdirSync(folder, { withFileTypes: true }), messageOf);
  if (!read.ok) return `(cannot be listed: ${read.fault})`;
  const entries = read.value.filter(({ name }) => name !== '.git');
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => `${shownName(name)}/`);
  const files = entries.filter((entry) => !entry.isDirectory()).map(({ name }) => shownName(name));
  const names = [...folders.sort(), ...files.sort()];
  if (names.length === 0) return '(empty)';
  const shown: string[] = [];
  let chars = 0;
  for (const name of names.slice(0, entriesAtMost)) {
    chars += name.length + 1;
    if (chars > treeCharsAtMost) break;
    shown.push(name);
  }
  const left = names.length - shown.length;
  return left === 0 ? shown.join(' ') : `${shown.join(' ')} ... ${left} more`;
}

/** A name is a stranger's text: with a line break in it, it could look like a line of the prompt. */
function shownName(name: string): string {
  const plain = clip(name.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '?'), nameCharsAtMost);
  return /\s/.test(plain) ? `'${plain}'` : plain;
}

const clip = (text: string, chars: number): string => (text.length > chars ? `${text.slice(0, chars)}...` : text);

/** The text of a regular file of at most 4 KB; undefined for anything else. A pipe in its place must not hold us up. */
function readSmall(file: string): string | undefined {
  const text = attemptSync(() => {
    const stats = statSync(file);
    return stats.isFile() && stats.size <= 4096 ? readFileSync(file, 'utf8') : undefined;
  }, messageOf);
  return text.ok ? text.value : undefined;
}
