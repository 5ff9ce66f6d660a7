import { expect, test } from 'vitest';
import { commandNames, commandOf } from './commands.ts';
import { type Flag, flagNames, flags } from './flags.ts';
import { helpText } from './help.ts';

test('the help of the program names every command and every flag of a run', () => {
  const help = helpText();
  for (const name of commandNames) expect(help).toContain(`  ${name} `);
  for (const name of commandOf('run').flags) expect(help).toContain(`--${name}`);
});

test('help fits a terminal of 100 columns', () => {
  for (const about of [undefined, ...commandNames]) {
    for (const line of helpText(about)
      .split('\n')
      .filter((line) => !line.startsWith('Exit codes'))) {
      expect(line.length, line).toBeLessThanOrEqual(100);
    }
  }
});

test('the help of a command shows how it is written and its own flags only', () => {
  expect(helpText('replay')).toBe(`smew replay <session>

  run a recorded session again and compare

Flags
  -C, --cd, --cwd DIR               work in this directory
      --live-tools                  run the tools anew instead of using their recorded results
      --json                        as JSON

Everywhere
  -h, --help                        show this help
  -V, --version                     show the version
`);
});

test('no two flags share a spelling, and every flag belongs to a command', () => {
  const spellings = flagNames.flatMap((name) => {
    const { short, also = [] }: Flag = flags[name];
    return [name, ...also, ...(short ? [short] : [])];
  });
  expect(new Set(spellings).size).toBe(spellings.length);
  const used = new Set(commandNames.flatMap((name) => commandOf(name).flags));
  expect(flagNames.filter((name) => !used.has(name))).toEqual(['help', 'version']);
});
