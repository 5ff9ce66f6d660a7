/** The command line: from words to an Invocation, or to a usage fault (exit code 2). Pure. */
import { fail, ok, type Result } from '../base/result.ts';
import { type Fault, fault } from '../protocol/fault.ts';
import type { Verbosity } from '../surfaces/headless/printer.ts';
import { type CommandName, commandNames, commandOf, commands, defaults, isCommandName } from './commands.ts';
import type { FlagValues } from './flags.ts';
import type { Invocation, Setting } from './invocation.ts';
import { readRun, readSetting, readVerbosity } from './run-args.ts';
import { nearest } from './suggest.ts';
import { type Given, readWords } from './words.ts';

export interface Surroundings {
  /** True when a person types at standard input; false for a pipe, a file or nothing. */
  readonly isStdinTty: boolean;
}

/** Reads the command line, program name left out. Every fault is of kind `usage`. */
export function parse(argv: readonly string[], surroundings: Surroundings): Result<Invocation, Fault> {
  const given = readWords(argv);
  if (!given.ok) return given;
  const { values } = given.value;
  if (values.version) return ok({ command: 'version' });
  const chosen = chooseCommand(given.value);
  if (values.help) return ok(chosen.ok && chosen.value.isNamed ? helpAbout(chosen.value.name) : { command: 'help' });
  if (!chosen.ok) return chosen;
  const { name, operands } = chosen.value;
  const misfit = misfitOf(name, operands, given.value);
  if (misfit) return fail(fault('usage', misfit));
  if (name === 'run') return readRun(values, { operands, isNamed: chosen.value.isNamed, ...surroundings });
  return build(name, values, operands);
}

interface Chosen {
  readonly name: CommandName;
  /** False where no command was written: a bare task, or nothing at all. */
  readonly isNamed: boolean;
  /** Without the command's own words. */
  readonly operands: readonly string[];
}

const helpAbout = (about: CommandName): Invocation =>
  about === 'help' ? { command: 'help' } : { command: 'help', about };

function chooseCommand({ values, operands, beforeDashes }: Given): Result<Chosen, Fault> {
  const [first, second] = operands.slice(0, beforeDashes);
  const bare: Chosen = { name: 'run', isNamed: false, operands };
  if (first === undefined) return ok(values.print === undefined ? bare : { ...bare, isNamed: true });
  if (values.print !== undefined) return ok({ name: 'run', isNamed: true, operands: withoutRun(operands) });
  const group = Object.hasOwn(defaults, first) ? defaults[first] : undefined;
  if (group) {
    if (second === undefined) return ok({ name: group, isNamed: true, operands: operands.slice(1) });
    const name = `${first} ${second}`;
    if (isCommandName(name)) return ok({ name, isNamed: true, operands: operands.slice(2) });
    return fail(fault('usage', unknownSecond(first, second)));
  }
  if (isCommandName(first)) return ok({ name: first, isNamed: true, operands: operands.slice(1) });
  const near = /\s/.test(first) ? undefined : nearest(first, firstWords());
  if (near)
    return fail(fault('usage', `There is no command "${first}". Did you mean "smew ${near}"? ${asTask(first)}`));
  return ok(bare);
}

const withoutRun = (operands: readonly string[]): readonly string[] =>
  operands[0] === 'run' ? operands.slice(1) : operands;

const firstWords = (): Set<string> => new Set(commandNames.map((name) => name.split(' ')[0] ?? name));

const asTask = (word: string): string => `To give "${word}" as a task, write: smew run "${word}"`;

function unknownSecond(first: string, second: string): string {
  const seconds = commandNames
    .filter((name) => name.startsWith(`${first} `))
    .map((name) => name.slice(first.length + 1));
  const near = nearest(second, seconds);
  const hint = near ? `Did you mean "smew ${first} ${near}"?` : `There is: ${seconds.join(', ')}.`;
  return `There is no command "smew ${first} ${second}". ${hint}`;
}

/** What of the line does not belong to the command. */
function misfitOf(name: CommandName, operands: readonly string[], { spelling }: Given): string | undefined {
  const { flags: own, operands: shape, least, most } = commandOf(name);
  for (const [flag, shown] of spelling) {
    if (own.includes(flag)) continue;
    const homes = commandNames.filter((other) => commandOf(other).flags.includes(flag)).map((other) => `smew ${other}`);
    return `${shown} does not belong to "smew ${name}"; it belongs to: ${homes.join(', ')}.`;
  }
  if (operands.length < least) return `"smew ${name}" needs more: smew ${name} ${shape}`;
  if (operands.length <= most) return undefined;
  const extra = operands.slice(most).join(' ');
  return `"smew ${name}" does not know what to do with "${extra}". It is written: ${`smew ${name} ${shape}`.trim()}`;
}

type Simple = Exclude<CommandName, 'run'>;

function build(name: Simple, values: FlagValues, operands: readonly string[]): Result<Invocation, Fault> {
  const [first = '', second = ''] = operands;
  const place = values.cd === undefined ? {} : { cd: values.cd };
  const shown = { ...place, isJson: values.json ?? false };
  switch (name) {
    case 'demo':
      return withSetting(values, (setting, verbosity) => {
        return { command: name, setting, format: values['output-format'] ?? 'text', verbosity };
      });
    case 'context':
      return withSetting(values, (setting) => ({ command: name, setting, isJson: values.json ?? false }));
    case 'sessions list':
      return ok({ command: name, ...shown, isEverywhere: values.all ?? false });
    case 'sessions show':
      return ok({ command: name, ...shown, session: first, ...(values.repairs ? { hasRepairs: true } : {}) });
    case 'debug reply':
      return ok({ command: name });
    case 'sessions export': {
      const output = values.output === undefined ? {} : { output: values.output };
      return ok({ command: name, ...place, session: first, format: values.format ?? 'markdown', ...output });
    }
    case 'sessions delete':
      return ok({ command: name, ...place, sessions: operands });
    case 'sessions fork':
      return ok({
        command: name,
        ...place,
        session: first,
        ...(values.name === undefined ? {} : { name: values.name }),
      });
    case 'sessions name':
      return ok({ command: name, ...place, session: first, name: second });
    case 'replay':
      return ok({ command: name, ...shown, session: first, hasLiveTools: values['live-tools'] ?? false });
    case 'sessions compact':
      return ok({ command: name, ...place, session: first });
    case 'cost':
    case 'models list':
    case 'tools list':
    case 'config show':
      return ok({ command: name, ...shown });
    case 'models info':
    case 'models test-connection':
      return ok({ command: name, ...shown, ...(operands.length > 0 ? { model: first } : {}) });
    case 'auth':
      return ok({ command: name, ...place, provider: first });
    case 'tools info':
      return ok({ command: name, ...shown, tool: first });
    case 'config set':
      return ok({ command: name, ...place, path: first, value: second });
    case 'config path':
      return ok({ command: name, ...place });
    case 'trust':
      return readTrust(values, { ...place, ...(operands.length > 0 ? { dir: first } : {}) });
    case 'help':
      return readHelp(operands);
    case 'version':
      return ok({ command: name });
    default:
      return name satisfies never;
  }
}

function readTrust(values: FlagValues, where: { cd?: string; dir?: string }): Result<Invocation, Fault> {
  if (values.list && (values.remove || where.dir !== undefined)) {
    return fail(fault('usage', '"smew trust --list" shows every trusted folder; it takes no folder and no --remove.'));
  }
  return ok({ command: 'trust', ...where, act: values.list ? 'list' : values.remove ? 'remove' : 'give' });
}

function readHelp(operands: readonly string[]): Result<Invocation, Fault> {
  const name = operands.join(' ');
  if (name === '') return ok({ command: 'help' });
  if (isCommandName(name)) return ok(helpAbout(name));
  const group = Object.hasOwn(defaults, name) ? defaults[name] : undefined;
  if (group) return ok({ command: 'help', about: group });
  const near = nearest(name, Object.keys(commands));
  const hint = near ? `Did you mean "smew help ${near}"?` : '"smew help" lists the commands.';
  return fail(fault('usage', `There is no command "${name}". ${hint}`));
}

const withSetting = (
  values: FlagValues,
  make: (setting: Setting, verbosity: Verbosity) => Invocation,
): Result<Invocation, Fault> => {
  const setting = readSetting(values);
  if (!setting.ok) return setting;
  const verbosity = readVerbosity(values);
  return verbosity.ok ? ok(make(setting.value, verbosity.value)) : verbosity;
};
