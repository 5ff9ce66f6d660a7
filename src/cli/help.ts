/** Help from the tables. */
import { type CommandName, commandNames, commandOf } from './commands.ts';
import { type Flag, type FlagName, flagNames, flags } from './flags.ts';

const intro = `smew, a coding agent for the terminal

  smew run "<task>"          run one task: the answer on stdout, progress on stderr
  smew -c "<task>"           go on with the latest session of this folder
  git diff | smew -p "<task>"    a pipe adds to the task, or is the task`;

const outro = `Exit codes: 0 finished, 1 failed, 2 usage, 3 stopped at a limit, 4 denied, 5 provider, 130 interrupted, 143 terminated.`;

/** The help of the whole program, or of one command. Ends with a line feed. */
export function helpText(about?: CommandName): string {
  return about ? commandHelp(about) : programHelp();
}

function programHelp(): string {
  const names = commandNames.map((name) => usage(name));
  const list = table(commandNames.map((name, index) => [names[index] ?? name, commandOf(name).help]));
  return `${intro}\n\nCommands\n${list}\n\nFlags of a run\n${flagTable(commandOf('run').flags)}\n\n${everywhere()}\n\n"smew help <command>" tells more.\n${outro}\n`;
}

function commandHelp(name: CommandName): string {
  const { help, flags: own } = commandOf(name);
  const list = own.length > 0 ? `\nFlags\n${flagTable(own)}\n` : '';
  return `smew ${usage(name)}\n\n  ${help}\n${list}\n${everywhere()}\n`;
}

const usage = (name: CommandName): string => `${name} ${commandOf(name).operands}`.trim();

const everywhere = (): string => `Everywhere\n${flagTable(['help', 'version'])}`;

const flagTable = (own: readonly FlagName[]): string =>
  table(flagNames.filter((name) => own.includes(name)).map((name) => [written(name), flags[name].help]));

function written(name: FlagName): string {
  const { short, value, takes, also }: Flag = flags[name];
  const shown = value === undefined ? '' : takes === 'optional' ? ` [${value}]` : ` ${value}`;
  const others = (also ?? []).map((other) => `, --${other}`).join('');
  return `${short ? `-${short}, ` : '    '}--${name}${others}${shown}`;
}

/** Two columns; a left cell that is too wide gets a line of its own. */
function table(rows: readonly (readonly [string, string])[]): string {
  const width = 34;
  return rows
    .map(
      ([left, right]) => `  ${left.length < width ? left.padEnd(width) : `${left}\n${' '.repeat(width + 2)}`}${right}`,
    )
    .join('\n');
}
