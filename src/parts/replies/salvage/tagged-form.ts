/** Calls written as tags: `<function=x><parameter=y>`, `<invoke name="x"><parameter name="y">`, DSML, GLM's arg_key. */

import { extentOf } from './json-extent.ts';
import { readJson } from './json-form.ts';
import { parameterText, withoutFrame } from './parameter-text.ts';
import { propertiesOf, type Read, type Source, skipBlank } from './source.ts';
import { nextTag, type Tag, tagAt } from './tags.ts';
import { isScalar, typed } from './typed.ts';

/** `<function=x> ... </function>` and `<invoke name="x"> ... </invoke>`, either closed or not. */
export function readTagged(source: Source, at: number): Read | undefined {
  const tag = tagAt(source.plain, at);
  if (tag?.role !== 'call' || !tag.name) return undefined;
  const dialect = tag.isDsml ? 'dsml' : tag.word === 'function' ? 'qwen-xml' : 'invoke';
  return readBody(source, { name: tag.name, dialect, at: tag.end });
}

/** Markers that models copy from histories which told calls as prose: `[Tool Use: x]`, then parameters. */
export function readToolUse(source: Source, at: number): Read | undefined {
  const match = sticky(/\[(?:Tool Use|Tool Call|Calling tool):\s{0,4}([\w.:-]{1,80})\]/y, source.plain, at);
  const next = match && nextTag(source, at + match[0].length);
  if (!match?.[1] || next?.role !== 'parameter') return undefined;
  return readBody(source, { name: match[1], dialect: 'tool-use', at: at + match[0].length });
}

/** GLM: the name as text, then pairs of arg_key and arg_value. A bare name is a call only inside of a wrapper. */
export function readGlm(source: Source, at: number): Read | undefined {
  const match = sticky(/([\w.:-]{1,80})\s{0,9}(?=<)/y, source.plain, at);
  const tag = match && tagAt(source.plain, at + match[0].length);
  if (!match?.[1] || !tag) return undefined;
  const isKnown = source.resolve(match[1]) !== undefined;
  const isCall = tag.role === 'key' ? source.isInside || isKnown : tag.role === 'close' && source.isInside && isKnown;
  if (!isCall) return undefined;
  return readBody(source, { name: match[1], dialect: 'glm', at: at + match[0].length });
}

interface Body {
  readonly name: string;
  readonly dialect: string;
  readonly at: number;
}

function readBody(source: Source, { name, dialect, at }: Body): Read | undefined {
  const first = skipBlank(source.text, at);
  if (source.text[first] === '{') return jsonBody(source, { name, dialect, at: first });
  const schema = propertiesOf(source.parametersOf(source.resolve(name) ?? name));
  const input: Record<string, unknown> = {};
  let cursor = first;
  for (let start = parameterAt(source, cursor); start; start = parameterAt(source, cursor)) {
    const text = parameterText(source, start.at);
    const value = withoutFrame(source.text.slice(text.start, text.end), dialect === 'qwen-xml' || text.isUnclosed);
    const end = source.text.length;
    if (text.fate === 'unclear') return { found: [], end, fate: 'unclear' };
    // A value without its end may be half of it. Only what is whole at any length but a number's is taken.
    if (text.fate === 'open' && !(source.isWhole && isScalar(schema[start.name])))
      return { found: [], end, fate: 'cut' };
    if (Object.hasOwn(input, start.name)) return { found: [], end, fate: 'unclear' };
    Object.defineProperty(input, start.name, { value: typed(value, schema[start.name], start.isJson), ...plainMember });
    cursor = skipBlank(source.text, text.next);
  }
  const end = endOfCall(source, { cursor, isEmpty: cursor === first });
  if (end === undefined) return undefined;
  if (end === 'cut') return { found: [], end: source.text.length, fate: 'cut' };
  return { found: [{ name, rawArguments: JSON.stringify(input), dialect }], end };
}

/** A parameter may be called `__proto__`; it is then a member like any other. */
const plainMember = { enumerable: true, writable: true, configurable: true };

/** The call is parsed completely or not at all: only its closers, the wrapper's or the text's end may follow. */
function endOfCall(
  source: Source,
  { cursor, isEmpty }: { cursor: number; isEmpty: boolean },
): number | 'cut' | undefined {
  let end = cursor;
  let closers = 0;
  for (
    let tag = tagAt(source.plain, end);
    tag?.role === 'callEnd';
    tag = tagAt(source.plain, skipBlank(source.text, end))
  ) {
    end = tag.end;
    closers++;
  }
  if (closers > 0) return end;
  const tag = tagAt(source.plain, cursor);
  if (cursor >= source.text.length || isTornTag(source, cursor)) return isEmpty || !source.isWhole ? 'cut' : cursor;
  return tag?.role === 'close' || (!isEmpty && (tag?.role === 'call' || tag?.role === 'open')) ? cursor : undefined;
}

/** `</func` and then nothing. */
const isTornTag = ({ text }: Source, at: number): boolean => text[at] === '<' && text.indexOf('>', at) < 0;

interface ParameterStart {
  readonly name: string;
  readonly at: number;
  /** DSML says of a value that it is JSON by string="false". */
  readonly isJson: boolean;
}

function parameterAt(source: Source, at: number): ParameterStart | undefined {
  const tag = tagAt(source.plain, at);
  if (tag?.role === 'parameter' && tag.name) {
    return { name: tag.name, at: tag.end, isJson: /string\s*=\s*["']?false/.test(tag.attributes) };
  }
  if (!tag) return gluedAt(source, at);
  if (tag.role !== 'key') return undefined;
  const value = valueTag(source, tag);
  const name =
    value &&
    source.text
      .slice(tag.end, value.start)
      .replace(/<\/arg_key>\s*$/, '')
      .trim();
  return name && name.length < 200 ? { name, at: value.end, isJson: true } : undefined;
}

/** `<parameter=name=value</parameter>`: the end of the tag was forgotten and the value stands in it. */
function gluedAt(source: Source, at: number): ParameterStart | undefined {
  const glued = sticky(/<parameter=([A-Za-z_][\w.-]{0,79})=(?=[^<>\n]{0,2000}<\/parameter>)/y, source.plain, at);
  return glued?.[1] ? { name: glued[1], at: at + glued[0].length, isJson: false } : undefined;
}

function valueTag(source: Source, key: Tag): Tag | undefined {
  const limit = Math.min(source.text.length, key.end + 400);
  const tag = nextTag(source, key.end, limit);
  const next = tag?.role === 'parameterEnd' ? nextTag(source, tag.end, limit) : tag;
  return next?.role === 'value' ? next : undefined;
}

/** `<function=x>{...}</function>`: the body is the arguments. */
function jsonBody(source: Source, { name, dialect, at }: Body): Read | undefined {
  const whole = readJson(source, at);
  const inner = whole?.found[0];
  // `<function=x>{"name": "x", "arguments": {}}</function>` says it twice.
  const said = inner && source.resolve(inner.name) === source.resolve(name) ? inner.rawArguments : undefined;
  const extent = extentOf(source.text, at);
  if (!source.spend(extent.end - at) || extent.missing === '?') return undefined;
  if (extent.missing && extent.isAtEnd) return { found: [], end: extent.end, fate: 'cut' };
  const rawArguments = said ?? `${source.text.slice(at, extent.end).trimEnd()}${extent.missing}`;
  const end = endOfCall(source, { cursor: skipBlank(source.text, extent.end), isEmpty: false });
  if (end === 'cut') return { found: [], end: source.text.length, fate: 'cut' };
  return end === undefined ? undefined : { found: [{ name, rawArguments, dialect }], end };
}

/** Matches `form` (which must be sticky) at `at`. */
export function sticky(form: RegExp, text: string, at: number): RegExpExecArray | undefined {
  form.lastIndex = at;
  return form.exec(text) ?? undefined;
}
