/** Commands whose status, or whose effect on the shell, is known without running them. */
import type { Simple, Word } from '../shell-line/tree.ts';
import { any, type Mark, type Path, type Value } from './path.ts';

/** They print nothing and are always 0, or near enough to it. */
const alwaysFine = new Set([
  'true',
  ':',
  'set',
  'export',
  'readonly',
  'declare',
  'typeset',
  'local',
  'unset',
  'shopt',
  'umask',
  'alias',
]);

/** The path after a builtin; undefined for a program. */
export function builtin(path: Path, simple: Simple): Path | undefined {
  const name = simple.words[0]?.value;
  if (simple.words.length === 0) return assigned(path, simple);
  if (name === undefined) return undefined;
  if (name === 'exit') return { ...path, last: exitValue(path, simple.words[1]), isOver: true };
  if (name === 'false') return ended(path, { code: 1 });
  if (name === 'echo') return echoed(path, simple);
  if (name === 'exec' && simple.words.length === 1) return ended(path, { code: 0 });
  if (!alwaysFine.has(name)) return undefined;
  return ended(name === 'set' ? withFlags(path, simple.words.slice(1)) : path, { code: 0 });
}

const ended = (path: Path, last: Value): Path => ({ ...path, last, pipe: [last] });

function exitValue(path: Path, word: Word | undefined): Value {
  if (!word) return path.last;
  if (word.value !== undefined) return /^\d+$/.test(word.value) ? { code: Number(word.value) % 256 } : any;
  return statusIn(path, word.source.replace(/^"(.*)"$/, '$1')) ?? any;
}

/** What a single expansion stands for, where it is a status. */
function statusIn(path: Path, expansion: string): Value | undefined {
  if (/^\$(?:\?|\{\?\})$/.test(expansion)) return path.last;
  const stage = /^\$\{PIPESTATUS(?:\[(\d+)\])?\}$/.exec(expansion);
  if (stage) return path.pipe?.[Number(stage[1] ?? 0)];
  const name = /^\$\{?([A-Za-z_]\w*)\}?$/.exec(expansion)?.[1];
  return name === undefined ? undefined : path.variables.get(name);
}

function assigned(path: Path, { assignments }: Simple): Path {
  const variables = new Map(path.variables);
  for (const { name, value } of assignments) {
    const source = value?.source.replace(/^"(.*)"$/, '$1') ?? '';
    const status = value?.value === undefined ? statusIn(path, source) : undefined;
    if (status) variables.set(name, status);
    else variables.delete(name);
  }
  return { ...path, variables, last: { code: 0 }, pipe: [{ code: 0 }] };
}

function withFlags(path: Path, words: readonly Word[]): Path {
  let { hasErrexit, hasPipefail } = path;
  words.forEach(({ value = '' }, index) => {
    const isOn = value.startsWith('-');
    if (/^[-+][a-z]*e/.test(value)) hasErrexit = isOn;
    const named = /^[-+][a-z]*o$/.test(value) ? words[index + 1]?.value : undefined;
    if (named === 'pipefail') hasPipefail = isOn;
    if (named === 'errexit') hasErrexit = isOn;
  });
  return { ...path, hasErrexit, hasPipefail };
}

function echoed(path: Path, simple: Simple): Path {
  const parts = simple.redirections.length > 0 ? undefined : markParts(path, simple.words.slice(1));
  const earlier = withoutLast(path);
  const marks: Mark[] = parts ? [...earlier.marks, { parts, isLast: true }] : [...earlier.marks];
  return ended({ ...earlier, marks }, { code: 0 });
}

/** Something else prints from here on. */
export const withoutLast = (path: Path): Path =>
  path.marks.length === 0 ? path : { ...path, marks: path.marks.map((mark) => ({ ...mark, isLast: false })) };

const expansions = /(\$\?|\$\{\?\}|\$\{PIPESTATUS(?:\[\d+\])?\}|\$\{[A-Za-z_]\w*\}|\$[A-Za-z_]\w*)/;

/** Undefined where the line that it prints cannot be told beforehand. */
function markParts(path: Path, words: readonly Word[]): (string | Value)[] | undefined {
  if (words.length === 0 || words[0]?.source.startsWith('-')) return undefined;
  const parts: (string | Value)[] = [];
  for (const [index, { value, source }] of words.entries()) {
    if (index > 0) parts.push(' ');
    if (value !== undefined) parts.push(value);
    else {
      const inner = expanded(path, source);
      if (!inner) return undefined;
      parts.push(...inner);
    }
  }
  return parts.some((part) => typeof part === 'string' && /[\n\\]/.test(part)) ? undefined : parts;
}

function expanded(path: Path, source: string): (string | Value)[] | undefined {
  const text = /^"[^"]*"$/.test(source) ? source.slice(1, -1) : source;
  const pieces = text.split(expansions).filter((piece) => piece !== '');
  const parts = pieces.map((piece) => (expansions.test(piece) ? statusIn(path, piece) : plainPiece(piece)));
  return parts.every((part) => part !== undefined) ? parts : undefined;
}

const plainPiece = (piece: string): string | undefined => (/[$`"'*?[\]{}~]/.test(piece) ? undefined : piece);
