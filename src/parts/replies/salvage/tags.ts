/** Tags and tokens of all dialects, read alike: `<tool_call>`, `</｜DSML｜invoke>`, `<|tool_call_begin|>`, `<parameter=x>`. */
import type { Source } from './source.ts';

export type Role = 'open' | 'close' | 'separator' | 'call' | 'callEnd' | 'parameter' | 'parameterEnd' | 'key' | 'value';

export interface Tag {
  readonly start: number;
  readonly end: number;
  /** Lower case, without separators: `tool_calls` and `toolcalls` are one word. */
  readonly word: string;
  /** As written, without blanks. */
  readonly written: string;
  readonly isClosing: boolean;
  /** Written with bars: a token of a vocabulary, which no prose contains by accident. */
  readonly isToken: boolean;
  readonly isDsml: boolean;
  /** `=x` or `name="x"`. */
  readonly name?: string | undefined;
  readonly attributes: string;
  readonly role?: Role | undefined;
}

const tagForm =
  /<(\/?)(\|{0,2})\s{0,4}(?:(DSML)\s{0,4}\|{1,2}\s{0,4})?(\/?)(?:[A-Za-z]\w{0,20}:)?([A-Za-z][\w-]*(?: [\w-]+(?![\w-]|\s{0,9}=)){0,3})([ \t\n]*=[^<>\n]{0,200}|[ \t\n]+[\w:-]+[ \t]*=[^<>]{0,300})?\s{0,4}\/?(\|?)>/y;

/** Reads the tag that starts exactly at `at`, on text with ASCII bars. */
export function tagAt(plain: string, at: number): Tag | undefined {
  if (plain.charCodeAt(at) !== 60) return undefined;
  tagForm.lastIndex = at;
  const match = tagForm.exec(plain.length - at > 700 ? plain.slice(0, at + 700) : plain);
  if (!match) return undefined;
  const [whole, slash, barBefore, dsml, innerSlash, written = '', attributes = '', barAfter] = match;
  const isOnlyAfter = barAfter === '|' && barBefore === '' && !dsml;
  const tag = {
    start: at,
    end: at + whole.length,
    word: written.toLowerCase().replace(/[\s_-]/g, ''),
    written: written.replace(/\s/g, ''),
    isClosing: slash === '/' || innerSlash === '/' || isOnlyAfter,
    isToken: barBefore !== '' || barAfter === '|' || dsml !== undefined,
    isDsml: dsml !== undefined,
    name: nameIn(attributes),
    attributes,
  };
  return { ...tag, role: roleOf(tag) };
}

/** The next tag with a role in [from, to), or undefined. */
export function nextTag(source: Source, from: number, to = source.plain.length): Tag | undefined {
  const { plain } = source;
  for (let at = plain.indexOf('<', from); at >= 0 && at < to; at = plain.indexOf('<', at + 1)) {
    const tag = tagAt(plain, at);
    if (tag?.role) return source.spend(tag.end - from) ? tag : undefined;
  }
  source.spend(to - from);
  return undefined;
}

function nameIn(attributes: string): string | undefined {
  const direct = /^\s*=\s*["']?([^"'<>\n]*?)["']?\s*$/.exec(attributes);
  if (direct) return direct[1]?.trim();
  const named = /(?:^|\s)(?:name|tool|function)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))/.exec(attributes);
  return (named?.[1] ?? named?.[2] ?? named?.[3])?.trim();
}

const wrappers =
  /^(?:toolcalls?|functioncalls?|tooluses?|tools?|toolcode|toolcallsection|toolinvocations?|functioninvocations?)$/;
const starts =
  /^(?:toolcalls?section|toolcalls?|functioncalls?)(?:begin|start)$|^start(?:toolcall|functioncall)$|^(?:pythontag|pythonstart|startaction|actionstart|plugin)$/;
const ends =
  /^(?:toolcalls?section|toolcalls?|functioncalls?)end$|^end(?:toolcall|functioncall)$|^(?:call|return|eomid|eotid|imend|endoftext|endofsentence|endofturn|toolresponse|pythonend|endaction|actionend|observation)$/;

/** Those that are written without bars. */
const bareEnds = /^end(?:toolcall|functioncall|ofturn)$/;

type Bare = Omit<Tag, 'role'>;

/** Words with a role by whether they close, and whether they carry a name. */
function roleOf(tag: Bare): Role | undefined {
  const { word, isClosing, name, isToken, isDsml } = tag;
  if (isToken && !isDsml && !wrappers.test(word)) return tokenRole(tag);
  if (isClosing) return closingRole(word) ?? tokenRole(tag);
  if (wrappers.test(word)) return name ? 'call' : 'open';
  if (name && callWords.test(word)) return 'call';
  if (name && parameterWords.test(word)) return 'parameter';
  if (word === 'argkey') return 'key';
  return word === 'argvalue' ? 'value' : tokenRole(tag);
}

const callWords = /^(?:invoke|function|tool|call)$/;
const parameterWords = /^(?:parameter|param|argument)$/;

function closingRole(word: string): Role | undefined {
  if (wrappers.test(word) || word === 's') return 'close';
  if (callWords.test(word)) return 'callEnd';
  return parameterWords.test(word) || word === 'argvalue' || word === 'argkey' ? 'parameterEnd' : undefined;
}

function tokenRole({ word, isToken, isClosing }: Bare): Role | undefined {
  if (!isToken && !starts.test(word) && !bareEnds.test(word)) return undefined;
  if (starts.test(word)) return isClosing ? 'close' : 'open';
  if (ends.test(word)) return 'close';
  return word === 'toolsep' || word === 'toolcallargumentbegin' ? 'separator' : undefined;
}
