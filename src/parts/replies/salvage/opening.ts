/** Whether a call may start at a place of a growing text. What is said here must agree with what the forms read. */
import { callFence, dataFence } from './dialects.ts';
import { escapedMarkup } from './escaped.ts';
import { jsonOpening } from './json-keys.ts';
import { asciiBars, bareName } from './source.ts';
import { mayFollow } from './standing.ts';
import { type Tag, tagAt } from './tags.ts';

/** hold: may be a call. wait: the text is too short to tell. A fence whose content is no call is passed on as a whole. */
export type OpeningAt = 'no' | 'wait' | 'hold' | { readonly fence: string };

export interface OpeningContext {
  /** The line before it. */
  readonly line: string;
  resolve(name: string): string | undefined;
}

export function openingAt(head: string, context: OpeningContext): OpeningAt {
  const plain = asciiBars(head);
  const isAtStart = context.line.trim() === '';
  const char = plain[0] ?? '';
  if (char === '<') return tagOpening(plain, context);
  if (char === '&') return escapedOpening(plain, context);
  const mark = markOpening(plain, context);
  if (mark !== 'no') return mark;
  if (!isAtStart) return 'no';
  if ((char === '`' || char === '~') && context.line.length <= 3) return fenceOpening(plain, context);
  if (char === '{' || char === '[') return listOpening(plain, context);
  return wordOpening(plain, context);
}

const isTool = (name: string, { resolve }: OpeningContext): boolean =>
  (resolve(name) ?? resolve(bareName(name))) !== undefined;

/** What stands behind an opener when a call follows: a brace, a tag, or a name and then one of these. */
function bodyOpening(rest: string): OpeningAt {
  if (/^\s{0,200}(?:[{[<`]|["']?[\w.:-]{1,80}["']?\s{0,9}[<{([=|`])/.test(rest)) return 'hold';
  return /^\s{0,200}["']?[\w.:-]{0,80}["']?\s{0,9}$/.test(rest) ? 'wait' : 'no';
}

function tagOpening(plain: string, context: OpeningContext): OpeningAt {
  const tag = tagAt(plain, 0);
  if (!tag) return mayBecomeTag(plain, context) ? 'wait' : 'no';
  const isToken = tag.isToken && !tag.isDsml;
  const isHeader = isToken && (tag.word === 'channel' || tag.word === 'start');
  const isMarked = tag.role === 'open' || isHeader;
  if (tag.role === 'separator' || tag.role === 'key') return isNameAlone(context) ? 'hold' : 'no';
  const isEnd = tag.role === 'close' || tag.role === 'callEnd' || tag.role === 'parameterEnd';
  if (isEnd) return endOpening(plain.slice(tag.end), context);
  if (!mayFollow(context.line, { isMarked, isToken })) return 'no';
  return isHeader ? 'hold' : startOpening(tag, plain.slice(tag.end), context);
}

/** A name and then a separator: the call's opener was lost. The name itself was shown by then. */
const isNameAlone = ({ line }: OpeningContext): boolean => /^\s{0,8}[\w.:-]{1,80}\s{0,9}$/.test(line);

function startOpening(tag: Tag, rest: string, context: OpeningContext): OpeningAt {
  if (tag.role === 'open') return bodyOpening(rest);
  if (tag.role === 'call') return tag.name && isTool(tag.name, context) ? 'hold' : 'no';
  if (tag.role || tag.isToken || tag.isClosing || tag.attributes !== '') return 'no';
  if (context.resolve(tag.written) === undefined) return 'no';
  const next = rest.trimStart()[0];
  return next === undefined ? 'wait' : next === '<' || next === '{' ? 'hold' : 'no';
}

/** A closer without its opener is litter when nothing but markup follows it on its line. */
function endOpening(rest: string, { line }: OpeningContext): OpeningAt {
  if (line.trim() !== '' && /\s$/.test(line)) return 'no';
  const next = /^[ \t]*([^ \t])/.exec(rest)?.[1];
  if (next === undefined) return 'wait';
  return /[<{[\r\n]/.test(next) ? 'hold' : 'no';
}

const words = [
  'toolcall',
  'functioncall',
  'tooluse',
  'toolinvocation',
  'functioninvocation',
  'toolcode',
  'invoke',
  'function',
  'param',
  'argument',
  'argkey',
  'argvalue',
  'startfunctioncall',
  'starttoolcall',
  'endfunctioncall',
  'endtoolcall',
];

/**
 * A beginning of a tag that could still be one of ours: `<tool_c`, `<invoke na`, `</|DSML|par`. A tool's name may be anything,
 * so any single word is waited for; HTML ends with its bracket soon.
 */
function mayBecomeTag(plain: string, context: OpeningContext): boolean {
  if (plain.length > 700) return false;
  if (/^<\/?(?:\|[^<>\n]{0,120})?$/.test(plain)) return true;
  const word = /^<\/?(?:[A-Za-z]\w{0,20}:)?([A-Za-z][\w -]*)/.exec(plain);
  if (!word?.[1]) return false;
  const rest = plain.slice(word[0].length);
  if (rest === ':') return true;
  if (rest === '' && context.line.trim() !== '' && !mayFollow(context.line, { isMarked: true, isToken: false })) {
    return plain.startsWith('</') && !/\s$/.test(context.line);
  }
  const known = word[1].toLowerCase().replace(/[\s_-]/g, '');
  const isKnown = words.some((one) => one.startsWith(known) || known.startsWith(one)) || known.startsWith('call');
  if (rest === '') return isKnown || !/\s/.test(word[1]) || word[1].length < 80;
  return isKnown && /^(?:[ \t\n]*=[^<>\n]{0,200}|[ \t\n]+[\w:-]+[ \t]*=?[^<>]{0,300}|\s{1,4}\/?|\/|\|)$/.test(rest);
}

function escapedOpening(plain: string, { line }: OpeningContext): OpeningAt {
  if (!mayFollow(line, { isMarked: true, isToken: false })) return 'no';
  if (escapedMarkup.exec(plain)?.index === 0) return 'hold';
  return /^&(?:l(?:t(?:;\/?(?:[|\w]{0,30}|\w{1,20}:\w{0,20}))?)?)?$/.test(plain) ? 'wait' : 'no';
}

const marks = ['[TOOL_CALLS]', '[/TOOL_CALLS]', '[Tool Use:', '[Tool Call:', '[Calling tool:'];

function markOpening(plain: string, context: OpeningContext): OpeningAt {
  const { line } = context;
  const possible = isNameAlone(context) ? ['[ARGS]', ...marks] : marks;
  const mark = possible.find((one) => plain.startsWith(one) || one.startsWith(plain));
  if (!mark) return 'no';
  const isToken = /^\[\/?[A-Z]{3}/.test(mark);
  if (!mayFollow(line, { isMarked: isToken, isToken })) return 'no';
  if (plain.length < mark.length) return 'wait';
  if (!isToken) return 'hold';
  return bodyOpening(plain.slice(mark.length));
}

function fenceOpening(plain: string, context: OpeningContext): OpeningAt {
  const run = /^(?:`+|~+)/.exec(plain)?.[0] ?? '';
  if (run.length < 3) return run.length === plain.length ? 'wait' : 'no';
  const lineEnd = plain.indexOf('\n');
  const info = plain.slice(run.length, lineEnd < 0 ? plain.length : lineEnd).trim();
  if ((run.startsWith('`') && info.includes('`')) || info.length > 200) return 'no';
  if (lineEnd < 0) return 'wait';
  if (callFence.test(info)) return 'hold';
  if (!dataFence.test(info)) return { fence: run };
  const content = plain.slice(lineEnd + 1).trimStart();
  if (content === '') return plain.length < 800 ? 'wait' : { fence: run };
  const inner = /^[<[{]/.test(content) ? openingAt(content, { ...context, line: '' }) : 'no';
  return inner === 'hold' || inner === 'wait' ? inner : { fence: run };
}

function listOpening(plain: string, context: OpeningContext): OpeningAt {
  const json = jsonOpening(plain, 0, (name) => isTool(name, context));
  if (json !== 'no') return json === 'yes' ? 'hold' : 'wait';
  const call = /^\[\s{0,40}(?:([A-Za-z_][\w.-]{0,80})\s{0,4}(\(|$)|$)/.exec(plain);
  if (!call) return 'no';
  if (call[2] !== '(') return 'wait';
  return isTool((call[1] ?? '').replace(/\.call$/, ''), context) ? 'hold' : 'no';
}

/** Forms that begin with a word: ReAct, and harmony without its tokens. */
function wordOpening(plain: string, context: OpeningContext): OpeningAt {
  const header = /^(?:assistant)?\s?(?:commentary|analysis)?\s?to=functions\./;
  if (header.test(plain)) return 'hold';
  const react = /^(?:\*\*)?Action:(?:\*\*)?[ \t]{0,9}`?([\w.:-]{1,80})`?[ \t]{0,9}\r?\n/.exec(plain);
  if (react) return isTool(react[1] ?? '', context) ? 'hold' : 'no';
  const gemma = /^call:\s{0,4}([\w.:-]{1,80})\s{0,4}\{/.exec(plain);
  if (gemma) return isTool(gemma[1] ?? '', context) ? 'hold' : 'no';
  if (/^functools\s?\[\s{0,9}\{/.test(plain)) return 'hold';
  const mayGrow =
    /^(?:call:\s{0,4}[\w.:-]{0,80}\s{0,4}|functools\s?\[?\s{0,9})$/.test(plain) ||
    begins(plain, [
      'call:',
      'functools[',
      'Action:',
      '**Action:',
      'to=functions.',
      'commentary to=functions.',
      'analysis to=functions.',
    ]) ||
    begins(plain, [
      'assistantcommentary to=functions.',
      'assistantanalysis to=functions.',
      'assistant to=functions.',
    ]) ||
    /^(?:\*\*)?Action:(?:\*{0,2})[ \t]{0,9}`?[\w.:-]{0,80}`?[ \t]{0,9}\r?$/.test(plain);
  return mayGrow ? 'wait' : 'no';
}

const begins = (plain: string, forms: readonly string[]): boolean => forms.some((form) => form.startsWith(plain));
