/** Calls as elements named after the tool and its parameters: `<read_file><path>a</path></read_file>`. */
import { extentOf } from './json-extent.ts';
import { withoutFrame } from './parameter-text.ts';
import { type Found, isRecord, propertiesOf, type Read, type Source, skipBlank } from './source.ts';
import { sticky } from './tagged-form.ts';
import { nextTag, tagAt } from './tags.ts';
import { typed } from './typed.ts';

/** `<tool><parameter>value</parameter></tool>`, for declared tools only. Blanks inside of a tag's name are a slip. */
export function readElements(source: Source, at: number): Read | undefined {
  const tag = tagAt(source.plain, at);
  if (!tag || tag.isClosing || tag.isToken || tag.attributes !== '') return undefined;
  const tool = source.resolve(tag.written);
  if (tool === undefined) return undefined;
  const close = closerOf(source, { name: tag.written, from: tag.end });
  if (!close) return isBegun(source, tag.end) ? { found: [], end: source.text.length, fate: 'cut' } : undefined;
  const body = source.text.slice(tag.end, close.start);
  const rawArguments = body.trim().startsWith('{') ? jsonOf(body.trim()) : elementsOf(body, source.parametersOf(tool));
  return rawArguments === undefined
    ? undefined
    : { found: [{ name: tool, rawArguments, dialect: 'elements' }], end: close.end };
}

/** `<invoke name="x"><path>a</path></invoke>`: the first end of a call ends it. */
export function readInvokedElements(source: Source, at: number): Read | undefined {
  const tag = tagAt(source.plain, at);
  const tool = tag?.role === 'call' && tag.name ? source.resolve(tag.name) : undefined;
  const end = tag && tool ? nextTag(source, tag.end) : undefined;
  if (!tag || !tool || end?.role !== 'callEnd') return undefined;
  const rawArguments = elementsOf(source.text.slice(tag.end, end.start), source.parametersOf(tool));
  return rawArguments === undefined
    ? undefined
    : { found: [{ name: tool, rawArguments, dialect: 'invoke' }], end: end.end };
}

/** Without a closer, only arguments behind the opener tell a cut call from a word in angle brackets. */
const isBegun = (source: Source, at: number): boolean =>
  sticky(/\s{0,9}(?:<[\w-]{1,64}>|\{\s{0,9}")/y, source.text, at) !== undefined;

/** The last closer of this name: the text of a parameter may contain others. */
function closerOf(
  source: Source,
  { name, from }: { name: string; from: number },
): { start: number; end: number } | undefined {
  const start = source.plain.lastIndexOf(`</${name}`);
  if (!source.spend(source.plain.length - from) || start < from) return undefined;
  const tag = tagAt(source.plain, start);
  return tag && { start, end: tag.end };
}

const jsonOf = (body: string): string | undefined => {
  const { end, missing } = extentOf(body, 0);
  return missing === '' && end === body.length ? body : undefined;
};

/** Each element a declared parameter, nothing between them; each ends at its last closer before the next. */
function elementsOf(body: string, parameters: Readonly<Record<string, unknown>>): string | undefined {
  const properties = propertiesOf(parameters);
  const input: Record<string, unknown> = {};
  let at = skipBlank(body, 0);
  while (at < body.length) {
    const open = sticky(/<\s?([\w-]{1,64})\s?>/y, body, at);
    const name = open?.[1];
    if (!open || !name || !Object.hasOwn(properties, name) || Object.hasOwn(input, name)) return undefined;
    const start = at + open[0].length;
    const end = endOfElement(body, { name, start, others: Object.keys(properties) });
    if (end < 0) return undefined;
    input[name] = typed(withoutFrame(body.slice(start, end), false), properties[name]);
    at = skipBlank(body, end + name.length + 3);
  }
  return JSON.stringify(input);
}

function endOfElement(
  body: string,
  { name, start, others }: { name: string; start: number; others: readonly string[] },
): number {
  const closer = `</${name}>`;
  let last = -1;
  for (let at = body.indexOf(closer, start); at >= 0; at = body.indexOf(closer, at + 1)) {
    const next = skipBlank(body, at + closer.length);
    if (next >= body.length || others.some((other) => other !== name && body.startsWith(`<${other}>`, next))) {
      // A second place that fits would be a second reading.
      if (last >= 0) return -1;
      last = at;
    }
  }
  return last;
}

/** `<name>read</name><arguments>{...}</arguments>`, inside of a wrapper only. */
export function readNamedElements(source: Source, at: number): Read | undefined {
  if (!source.isInside) return undefined;
  const match = sticky(
    /<(tool_name|name|tool)>\s{0,9}([\w.:-]{1,80})\s{0,9}<\/\1>\s{0,9}<(arguments|parameters|input|args|tool_input)>\s{0,9}(?=\{)/y,
    source.plain,
    at,
  );
  if (!match?.[2]) return undefined;
  const start = at + match[0].length;
  const { end, missing, isAtEnd } = extentOf(source.text, start);
  if (!source.spend(end - start)) return undefined;
  if (missing !== '') return isAtEnd ? { found: [], end, fate: 'cut' } : undefined;
  const close = sticky(/\s{0,9}<\/(?:arguments|parameters|input|args|tool_input)>/y, source.plain, end);
  const found: Found = { name: match[2], rawArguments: source.text.slice(start, end), dialect: 'elements' };
  return { found: [found], end: end + (close?.[0].length ?? 0) };
}

/** The single required text parameter of a tool, for forms that give a bare text. */
export function onlyTextParameter(parameters: Readonly<Record<string, unknown>>): string | undefined {
  const { required } = parameters;
  const properties = propertiesOf(parameters);
  const names = Array.isArray(required) && required.length > 0 ? required : Object.keys(properties);
  const [name] = names;
  if (names.length !== 1 || typeof name !== 'string') return undefined;
  const schema = properties[name];
  return isRecord(schema) && schema['type'] === 'string' ? name : undefined;
}
