/** Other readings of a value that the schema refused, in the order in which they are tried. */
import { choicesOf } from '../schema/check.ts';
import { isKind, isObject, kindsOf, matches, type Schema } from '../schema/node.ts';
import { joinedCommand } from './argv.ts';
import { type Candidate, clip, type Fitting, isNothing, keyOf, type Part } from './fitting.ts';
import { asBoolean, asNumber, asText } from './scalars.ts';
import { folded, isPathName } from './words.ts';

type Reading = (part: Part, fitting: Fitting) => Candidate | undefined;

/** A string is JSON before it is one item of a list; a list of one is opened before it is taken for anything else. */
export const readings: readonly Reading[] = [
  asJson,
  asNumber,
  asBoolean,
  asText,
  asChoice,
  asDrivePath,
  asPlainPath,
  fromValueObject,
  fromArgv,
  fromListOfOne,
  asEmptyList,
  fromItemObject,
  asListOfOne,
];

const wants = ({ schema }: Part, kind: string): boolean => kindsOf(schema)?.includes(kind) === true;
const wantsOnly = ({ schema }: Part, kinds: readonly string[]): boolean => {
  const wanted = kindsOf(schema)?.filter((kind) => kind !== 'null');
  return wanted !== undefined && wanted.length > 0 && wanted.every((kind) => kinds.includes(kind));
};

function asJson(part: Part, { decode }: Fitting): Candidate | undefined {
  const { value, path } = part;
  if (typeof value !== 'string' || !wantsOnly(part, ['array', 'object'])) return undefined;
  if (!/^\s*(?:```\w*\s*)?[[{"]/.test(value)) return undefined;
  let decoded = decode(value, keyOf(path));
  for (let level = 0; level < 3 && typeof decoded === 'string'; level++) decoded = decode(decoded, keyOf(path));
  if (decoded === undefined || typeof decoded === 'string') return undefined;
  return { step: 'value.json', value: decoded, what: 'the JSON that the text holds' };
}

/** A value of an enumeration in another case or with other separators. */
function asChoice({ value, schema }: Part): Candidate | undefined {
  const choices = choicesOf(schema);
  if (!choices || typeof value !== 'string') return undefined;
  const wanted = folded(value);
  const alike = choices.filter((choice) => folded(String(choice)) === wanted && wanted !== '');
  if (alike.length !== 1) return undefined;
  return { step: 'value.enum', value: alike[0], what: `${clip(value)} read as ${clip(alike[0])}` };
}

const controls: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', '\b': '\\b', '\f': '\\f' };

/** `C:\temp` in JSON is `C:`, a tab, `emp`. Only for what the schema's pattern refuses, and never in verbatim text. */
function asDrivePath({ value, schema, path }: Part, { isVerbatim }: Fitting): Candidate | undefined {
  if (typeof value !== 'string' || isVerbatim(keyOf(path)) || !isRefusedText(value, schema)) return undefined;
  if (!/^[A-Za-z]:[\\\t\n\r\b\f]/.test(value) || !/[\t\n\r\b\f]/.test(value)) return undefined;
  const restored = value.replace(/[\t\n\r\b\f]/g, (control) => controls[control] ?? control);
  return { step: 'value.drive-path', value: restored, what: 'backslashes that JSON had read as control characters' };
}

const isRefusedText = (value: string, { pattern }: Schema): boolean =>
  typeof pattern === 'string' && !matches(pattern, value);

/** Markup around a path. A link is a path only if both of its halves say so. */
function asPlainPath({ value, schema, path }: Part, { isVerbatim }: Fitting): Candidate | undefined {
  const key = keyOf(path);
  if (
    typeof value !== 'string' ||
    value.length > 4000 ||
    !isPathName(key) ||
    isVerbatim(key) ||
    !isRefusedText(value, schema)
  )
    return undefined;
  const link = /^\[([^\]]+)\]\((?:(?:file|https?):\/\/)?([^)]+)\)$/.exec(value.trim());
  const quoted = /^(?:`([^`]+)`|<([^<>]+)>|"([^"]+)"|'([^']+)')$/.exec(value.trim());
  const plain =
    link && link[1] === link[2] ? link[1] : (quoted?.[1] ?? quoted?.[2] ?? quoted?.[3] ?? quoted?.[4] ?? value.trim());
  return plain === undefined || plain === value
    ? undefined
    : { step: 'value.path-markup', value: plain, what: `the path in ${clip(value)}` };
}

const describing = new Set(['value', 'type', 'description', 'title', 'name']);

/** `{"type": "string", "value": "Paris"}`: a schema that was filled in. */
function fromValueObject(part: Part): Candidate | undefined {
  const { value } = part;
  if (!isObject(value) || !Object.hasOwn(value, 'value') || wants(part, 'object')) return undefined;
  if (!Object.keys(value).every((key) => describing.has(key))) return undefined;
  return { step: 'value.object', value: value['value'], what: 'its member "value"' };
}

function fromArgv(part: Part): Candidate | undefined {
  const { value, path } = part;
  if (!Array.isArray(value) || !wantsOnly(part, ['string'])) return undefined;
  const command = joinedCommand(value, keyOf(path));
  return command === undefined
    ? undefined
    : { step: 'value.argv', value: command, what: `the words of ${clip(value)} as one command` };
}

function fromListOfOne(part: Part): Candidate | undefined {
  const { value, schema } = part;
  if (!Array.isArray(value) || value.length !== 1 || !kindsOf(schema) || wants(part, 'array')) return undefined;
  return { step: 'value.one-of-list', value: value[0], what: 'the one item of a list' };
}

function asEmptyList(part: Part): Candidate | undefined {
  if (!wantsOnly(part, ['array', 'object']) || !isNothing(part.value) || part.value === null) return undefined;
  return {
    step: 'value.empty-list',
    value: wants(part, 'array') ? [] : {},
    what: `nothing, written as ${clip(part.value)}`,
  };
}

const itemNames = new Set(['item', 'items', 'element', 'elements', 'list', 'array', 'values']);

/** A list as XML has it, or with its numbers as names. */
function fromItemObject(part: Part): Candidate | undefined {
  const { value } = part;
  if (!isObject(value) || !wantsOnly(part, ['array'])) return undefined;
  const keys = Object.keys(value);
  const what = 'the items of an object';
  if (keys.length > 0 && keys.every((key, index) => key === `${index}`))
    return { step: 'value.item-object', value: Object.values(value), what };
  const [name = ''] = keys;
  return keys.length === 1 && (itemNames.has(folded(name)) || name === keyOf(part.path))
    ? { step: 'value.item-object', value: value[name], what }
    : undefined;
}

/** Not for a text that is a broken list, or a list in another notation. */
function asListOfOne(part: Part): Candidate | undefined {
  const { value, schema } = part;
  if (!wants(part, 'array') || isKind(value, ['array', 'null']) || value === '') return undefined;
  if (typeof value === 'string' && (/^\s*[[{]/.test(value) || isSeparated(value))) return undefined;
  if (schema['items'] === undefined) return undefined;
  return { step: 'value.list-of-one', value: [value], what: 'a list of this one' };
}

/** `a.ts, b.ts`, or one word a line: several items, but not in JSON. */
const isSeparated = (text: string): boolean =>
  /^\s*\S+(?:\s*[,;]\s*\S+)+\s*$/.test(text.slice(0, 2000)) || /^\S+(?:\s*\n\s*\S+)+\s*$/.test(text.slice(0, 2000));
