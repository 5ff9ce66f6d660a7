/** A command as a list of words. */

const commandNames = new Set(['command', 'cmd', 'script']);
const shells = new Set(['bash', 'sh', 'zsh', '/bin/bash', '/bin/sh', '/bin/zsh', '/usr/bin/bash']);
/** Means the same with and without quotes, in any shell. */
const plainWord = /^[\w./=:@%+,-]+$/;

/** One line for a shell; undefined where the words could be meant in two ways. */
export function joinedCommand(words: readonly unknown[], key: string): string | undefined {
  if (!commandNames.has(key) || words.length < 2 || !words.every((word) => typeof word === 'string')) return undefined;
  const [shell = '', flag = '', line] = words;
  if (words.length === 3 && shells.has(shell) && (flag === '-c' || flag === '-lc')) return line;
  return words.every((word) => plainWord.test(word)) ? words.join(' ') : undefined;
}
