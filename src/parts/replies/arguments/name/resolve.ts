/** Which declared tool a name means. Never by likeness alone: a name that is merely near is offered, not taken. */
import { nearest } from '../fit/distance.ts';
import { folded } from '../fit/words.ts';
import type { StepId } from '../steps.ts';
import { toolMeanings, vendorWords } from './words.ts';

export type ResolvedName =
  | { readonly name: string; readonly steps: readonly StepId[]; readonly rest: string }
  /** The real names that come nearest, at most three. `isEmpty`: only words of vendors and channels, so no tool was named. */
  | { readonly nearest: readonly string[]; readonly isEmpty: boolean; readonly rest: string };

const nameAtMost = 300;

/** `rest` is what stood behind the name as if it were arguments: `read{"path":"a"}`. */
export function resolveToolName(
  spelled: string,
  declared: readonly string[],
  disabled?: ReadonlySet<StepId>,
): ResolvedName {
  if (declared.includes(spelled)) return { name: spelled, steps: [], rest: '' };
  const { word, rest } = withoutRest(spelled);
  const candidates = word.length > nameAtMost ? [] : readingsOf(word, declared);
  for (const [step, find] of candidates) {
    const name = disabled?.has(step) ? undefined : find();
    if (name !== undefined) return { name, steps: [step], rest };
  }
  const isEmpty = tokensOf(word).every(isVendorWord) && !disabled?.has('name.inferred');
  return { nearest: nearestNames(word, declared), isEmpty, rest };
}

/** What can be part of no name starts the rest: brackets, quotes, markup. */
function withoutRest(spelled: string): { word: string; rest: string } {
  const trimmed = spelled.slice(0, 100_000).replace(/^[\s"'`<@$/]+/, '');
  const token = trimmed.search(/[\s{("'`<>|=]/);
  const word = token < 0 ? trimmed : trimmed.slice(0, token);
  const tail = token < 0 ? '' : trimmed.slice(token).trim();
  return { word: word.replace(/[:.,;/\\-]+$/, ''), rest: tail.startsWith('{') ? tail : '' };
}

type Finding = readonly [StepId, () => string | undefined];

const readingsOf = (word: string, declared: readonly string[]): readonly Finding[] => [
  ['name.clean', () => (declared.includes(word) ? word : undefined)],
  ['name.case', () => only(declared, (name) => folded(name) === folded(word) && folded(word) !== '')],
  ['name.twice', () => doubled(word, declared)],
  ['name.clean', () => cleaned(word, declared)],
  ['name.namespace', () => inNamespace(word, declared)],
  ['name.alias', () => aliased(word, declared)],
];

function only<T>(items: readonly T[], isMeant: (item: T) => boolean): T | undefined {
  const found = items.filter(isMeant);
  return found.length === 1 ? found[0] : undefined;
}

function doubled(word: string, declared: readonly string[]): string | undefined {
  const half = word.slice(0, word.length / 2);
  return word.length % 2 === 0 && word === half + half ? only(declared, (name) => name === half) : undefined;
}

const tokensOf = (word: string): string[] => word.split(/[^\p{L}\p{N}]+|(?<=[a-z])(?=[A-Z])/u).filter(Boolean);
const isVendorWord = (token: string): boolean => /^\d+$/.test(token) || vendorWords.has(token.toLowerCase());

/** The words without those of vendors at both ends: `functions.read:0`, `tool_read`, `readTool`. */
function core(word: string): string[] {
  const tokens = tokensOf(word);
  const first = tokens.findIndex((token) => !isVendorWord(token));
  const last = tokens.findLastIndex((token) => !isVendorWord(token));
  return first < 0 ? [] : tokens.slice(first, last + 1);
}

/** A tool may itself be called by a vendor's word ("function", "message"): any run of whole words between the others. */
function cleaned(word: string, declared: readonly string[]): string | undefined {
  const named = core(word).join('').toLowerCase();
  if (named !== '')
    return only(declared, (name) => folded(name) === named || core(name).join('').toLowerCase() === named);
  return only(declared, (name) => tokensOf(word).some((token) => token.toLowerCase() === folded(name)));
}

/** `server.read`, `mcp__files__read`, or a server's tool by its last part: only one that is named whole. */
function inNamespace(word: string, declared: readonly string[]): string | undefined {
  const parts = word.split(/__+|[.:/]+/).filter((part) => part !== '' && !isVendorWord(part));
  const last = parts.at(-1);
  if (last === undefined) return undefined;
  // A tool of one server is not the tool of the same name of another, and not the built-in one.
  const isForeign = /^mcp(?:__|[.:/])/i.test(word) && parts.length > 1;
  const plain = isForeign ? undefined : only(declared, (name) => folded(name) === folded(last));
  return plain ?? only(declared, (name) => isServersTool(name, parts));
}

const isServersTool = (name: string, parts: readonly string[]): boolean => {
  const own = name
    .split(/__+|[.:/]+/)
    .filter((part) => part !== '' && !isVendorWord(part))
    .map(folded);
  return own.length > 1 && own.slice(-parts.length).join(' ') === parts.map(folded).join(' ');
};

const meanings = toolMeanings.map((line) => line.split(' '));

function aliased(word: string, declared: readonly string[]): string | undefined {
  if (/^mcp(?:__|[.:/])/i.test(word)) return undefined;
  const plain = [folded(word), core(word).join('').toLowerCase(), folded(word.split(/[.:/]+/).at(-1) ?? '')];
  for (const line of meanings) {
    if (!plain.some((name) => line.includes(name))) continue;
    const name = only(declared, (other) => line.includes(folded(other)));
    if (name !== undefined) return name;
  }
  return undefined;
}

const offeredAtMost = 3;

/** By its last part, by meaning, by spelling. */
function nearestNames(word: string, declared: readonly string[]): string[] {
  const named = core(word).join('_') || word;
  const last = folded(word.split(/__+|[.:/]+/).at(-1) ?? '');
  const lines = meanings.filter((line) => line.includes(last));
  const alike = declared.filter((name) => folded(name) === last || lines.some((line) => line.includes(folded(name))));
  return [...new Set([...alike, ...nearest(named, declared)])].slice(0, offeredAtMost);
}

const listedAtMost = 60;

/** For the model: that there is no such tool, which are nearest, and which there are. */
export function explainName(spelled: string, near: readonly string[], declared: readonly string[]): string {
  const shown = spelled.length > 80 ? `${spelled.slice(0, 80)}...` : spelled;
  const hint = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : '';
  const more = declared.length > listedAtMost ? ', ...' : '';
  const listed =
    declared.length > 0
      ? ` The tools are: ${declared.slice(0, listedAtMost).join(', ')}${more}.`
      : ' This session has no tools: answer in text.';
  return `There is no tool "${shown}".${hint}${listed}`;
}
