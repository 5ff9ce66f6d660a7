/** Every command of the program as data. A command of two words is one entry. */
import type { FlagName } from './flags.ts';

export interface Command {
  readonly help: string;
  /** How its arguments look in help; empty where it takes none. */
  readonly operands: string;
  /** How many arguments it wants, at least and at most. */
  readonly least: number;
  readonly most: number;
  readonly flags: readonly FlagName[];
}

const place: readonly FlagName[] = ['cd'];
const setting: readonly FlagName[] = [
  'model',
  'tier',
  'effort',
  'permission-mode',
  'yolo',
  'allowed-tools',
  'cd',
  'add-dir',
  'append-system-prompt',
  'trust',
  'max-steps',
  'max-time',
  'max-cost',
  'max-tokens',
];
const running: readonly FlagName[] = [
  'print',
  'task',
  ...setting,
  'continue',
  'resume',
  'fork',
  'name',
  'no-session',
  'image',
  'output-format',
  'quiet',
  'verbose',
];
const one = { least: 1, most: 1 };
const none = { operands: '', least: 0, most: 0 };

export const commands = {
  run: { help: 'run one task', operands: '<task>', least: 0, most: Number.POSITIVE_INFINITY, flags: running },
  demo: {
    help: 'repair a failing test in a scratch repository',
    ...none,
    flags: [
      'model',
      'tier',
      'effort',
      'max-steps',
      'max-time',
      'max-cost',
      'max-tokens',
      'output-format',
      'quiet',
      'verbose',
    ],
  },
  'sessions list': { help: 'the sessions of this folder', ...none, flags: [...place, 'all', 'json'] },
  'sessions show': {
    help: 'what happened in a session',
    operands: '<session>',
    ...one,
    flags: [...place, 'json', 'repairs'],
  },
  'sessions export': {
    help: 'write a session as Markdown or JSON',
    operands: '<session>',
    ...one,
    flags: [...place, 'format', 'output'],
  },
  'sessions delete': {
    help: 'delete sessions',
    operands: '<session>...',
    least: 1,
    most: Number.POSITIVE_INFINITY,
    flags: place,
  },
  'sessions fork': { help: 'copy a session', operands: '<session>', ...one, flags: [...place, 'name'] },
  'sessions name': { help: 'name a session', operands: '<session> <name>', least: 2, most: 2, flags: place },
  'sessions compact': {
    help: 'leave out the old tool results of a session',
    operands: '<session>',
    ...one,
    flags: place,
  },
  cost: { help: 'what was spent today and in the latest session of this folder', ...none, flags: [...place, 'json'] },
  'debug reply': {
    help: 'explain recorded replies, one JSON line each',
    ...none,
    flags: [],
  },
  replay: {
    help: 'run a recorded session again and compare',
    operands: '<session>',
    ...one,
    flags: [...place, 'live-tools', 'json'],
  },
  context: { help: 'what the first request holds, by fragment', ...none, flags: [...setting, 'json'] },
  'models list': { help: 'the models that can be used, by provider', ...none, flags: [...place, 'json'] },
  'models info': {
    help: 'window, prices and abilities of a model',
    operands: '[model]',
    least: 0,
    most: 1,
    flags: [...place, 'json'],
  },
  'models test-connection': {
    help: 'ask a model one small thing and tell how it went',
    operands: '[model]',
    least: 0,
    most: 1,
    flags: [...place, 'json'],
  },
  auth: { help: 'keep a key, read from standard input, for a provider', operands: '<provider>', ...one, flags: place },
  'tools list': { help: 'the tools that the model gets', ...none, flags: [...place, 'json'] },
  'tools info': { help: 'one tool: description and parameters', operands: '<tool>', ...one, flags: [...place, 'json'] },
  'config show': { help: 'the settings in force and where they come from', ...none, flags: [...place, 'json'] },
  'config set': {
    help: 'change a setting in your own config file',
    operands: '<setting> <value>',
    least: 2,
    most: 2,
    flags: place,
  },
  'config path': { help: 'where the config files are', ...none, flags: place },
  trust: {
    help: 'trust a folder: heed its instructions and settings',
    operands: '[dir]',
    least: 0,
    most: 1,
    flags: [...place, 'list', 'remove'],
  },
  help: { help: 'help about a command', operands: '[command]', least: 0, most: 2, flags: [] },
  version: { help: 'show the version', ...none, flags: [] },
} as const satisfies Readonly<Record<string, Command>>;

export type CommandName = keyof typeof commands;

export const commandNames = Object.keys(commands) as readonly CommandName[]; // the table's own keys

/** The table's entry without its literal types. */
export const commandOf = (name: CommandName): Command => commands[name];

/** What a first word alone means, where it has second words. */
export const defaults: Readonly<Record<string, CommandName>> = {
  sessions: 'sessions list',
  debug: 'debug reply',
  models: 'models list',
  tools: 'tools list',
  config: 'config show',
};

export const isCommandName = (name: string): name is CommandName => Object.hasOwn(commands, name);
