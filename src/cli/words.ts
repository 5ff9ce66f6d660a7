/** From the words of the command line to flags and operands. Strict: what is not known is refused, never dropped. */
import { fail, ok, type Result } from '../base/result.ts';
import { type Fault, fault } from '../protocol/fault.ts';
import { type Flag, type FlagName, type FlagValue, type FlagValues, flagNames, flags } from './flags.ts';
import { nearest } from './suggest.ts';
import { readValue } from './values.ts';

export interface Given {
  readonly values: FlagValues;
  /** Words that are no flags, in order. */
  readonly operands: readonly string[];
  /** How many operands stood before `--`; those after it are never a command. */
  readonly beforeDashes: number;
  /** As the user wrote each flag. */
  readonly spelling: ReadonlyMap<FlagName, string>;
}

/** Every way to write a flag: `--model`, `-m`. */
const spellings = (): Map<string, FlagName> => {
  const known = new Map<string, FlagName>();
  for (const name of flagNames) {
    const { short, also = [] }: Flag = flags[name];
    for (const long of [name, ...also]) known.set(`--${long}`, name);
    if (short) known.set(`-${short}`, name);
  }
  return known;
};

/** A word that can only be meant as a flag. `- item`, `-5`, `--x is broken` are ordinary words. */
const isFlag = (word: string): boolean => /^--[A-Za-z][^\s=]*(=|$)/.test(word) || /^-[A-Za-z](=|\S*$)/.test(word);

/** One flag taken off the front of the words, with the text that belongs to it. */
interface Taken {
  readonly name: FlagName;
  readonly shown: string;
  /** Undefined where no value stands with it. */
  readonly text?: string;
  /** What remains of grouped one-letter flags: `-qc` leaves `-c`. */
  readonly rest?: string;
}

/** Splits the words of a command line, program name left out. */
export function readWords(argv: readonly string[]): Result<Given, Fault> {
  const known = spellings();
  const values = new Map<FlagName, FlagValue>();
  const spelling = new Map<FlagName, string>();
  const dashes = argv.indexOf('--');
  const words = dashes === -1 ? [...argv] : argv.slice(0, dashes);
  const operands: string[] = [];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (!isFlag(word)) {
      operands.push(word);
      continue;
    }
    const taken = takeFlag(word, known);
    if (!taken.ok) return taken;
    const { name, shown, rest } = taken.value;
    if (rest !== undefined) words.unshift(rest);
    const value = takeValue(taken.value, words);
    if (!value.ok) return value;
    const before = values.get(name);
    const isList = Array.isArray(before) && Array.isArray(value.value);
    values.set(name, isList ? [...before, ...value.value] : value.value);
    spelling.set(name, shown);
  }
  const beforeDashes = operands.length;
  if (dashes !== -1) operands.push(...argv.slice(dashes + 1));
  // readValue made each value as the flag's own entry in the table says.
  return ok({ values: Object.fromEntries(values) as FlagValues, operands, beforeDashes, spelling });
}

function takeFlag(word: string, known: ReadonlyMap<string, FlagName>): Result<Taken, Fault> {
  const equals = word.indexOf('=');
  const shown = word.startsWith('--') ? (equals === -1 ? word : word.slice(0, equals)) : word.slice(0, 2);
  const name = known.get(shown);
  if (name === undefined) return fail(fault('usage', unknownFlag(shown, known)));
  if (word.startsWith('--')) return ok(equals === -1 ? { name, shown } : { name, shown, text: word.slice(equals + 1) });
  const attached = word.slice(2);
  if (attached === '') return ok({ name, shown });
  const isSwitch = flags[name].takes === 'nothing' && !attached.startsWith('=');
  return ok(isSwitch ? { name, shown, rest: `-${attached}` } : { name, shown, text: attached.replace(/^=/, '') });
}

/** Takes the next word as the value where the flag needs one and none stood with it. */
function takeValue({ name, shown, text }: Taken, words: string[]): Result<FlagValue, Fault> {
  const flag: Flag = flags[name];
  if (text !== undefined) return readValue(flag, shown, text);
  if (flag.takes === 'nothing') return ok(true);
  const next = words[0];
  const hasNext = next !== undefined && !isFlag(next);
  if (hasNext) return readValue(flag, shown, words.shift() ?? '');
  if (flag.takes === 'optional') return ok(true);
  const hint = next === undefined ? '' : ` If "${next}" is the value, write ${shown}=${next}.`;
  return fail(fault('usage', `${shown} needs a value: ${shown} ${flag.value ?? 'VALUE'}.${hint}`));
}

function unknownFlag(shown: string, known: ReadonlyMap<string, FlagName>): string {
  const near = shown.startsWith('--') ? nearest(shown, known.keys()) : undefined;
  const hint = near ? ` Did you mean ${near}?` : ' "smew --help" lists the flags; words after "--" are never flags.';
  return `There is no flag ${shown}.${hint}`;
}
