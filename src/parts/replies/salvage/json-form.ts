/** Calls written as JSON: `{"name", "arguments"}` and its cousins, alone, in a list or under `tool_calls`. */
import { attemptSync, messageOf } from '../../../base/attempt.ts';
import { type Extent, extentOf, membersOf } from './json-extent.ts';
import { argumentKeys, idleKeys, jsonOpening, nameKeys, wrapperKeys } from './json-keys.ts';
import { type Found, isRecord, type Read, type Source } from './source.ts';

export function readJson(source: Source, at: number): Read | undefined {
  if (source.text[at] !== '{' && source.text[at] !== '[') return undefined;
  const isTool = (name: string) => source.isInside || source.resolve(name) !== undefined;
  const opening = jsonOpening(source.text, at, isTool);
  if (opening === 'wait' && source.isInside) return { found: [], end: source.text.length, fate: 'cut' };
  if (opening !== 'yes') return undefined;
  const extent = extentOf(source.text, at);
  if (!source.spend(extent.end - at)) return undefined;
  const written = source.text.slice(at, extent.end);
  if (extent.missing === '') return toRead(callsIn(written, source), extent.end);
  if (extent.isInString) return isCallLike(written, source) ? { found: [], end: extent.end, fate: 'cut' } : undefined;
  return closed(written, { source, extent });
}

/** Closers alone are added where nothing was cut: the wrapper was closed, or only the outermost brace is missing. */
function closed(written: string, { source, extent }: { source: Source; extent: Extent }): Read | undefined {
  if (extent.missing === '?') return undefined;
  const isHarmless = !extent.isAtEnd || (source.isWhole && extent.missing === '}');
  if (isHarmless) return toRead(callsIn(`${written.trimEnd()}${extent.missing}`, source), extent.end);
  return isCallLike(written, source) ? { found: [], end: extent.end, fate: 'cut' } : undefined;
}

const toRead = (found: readonly Found[] | undefined, end: number): Read | undefined =>
  found && found.length > 0 ? { found, end } : undefined;

/** A cut object is a call when it began with the name of a tool. */
function isCallLike(written: string, source: Source): boolean {
  const name = /["'](?:name|tool|tool_name|function)["']\s{0,9}:\s{0,9}["']([\w.:-]{1,80})["']/.exec(
    written.slice(0, 400),
  );
  return source.isInside || (name?.[1] !== undefined && source.resolve(name[1]) !== undefined);
}

function callsIn(written: string, source: Source): readonly Found[] | undefined {
  const parsed = attemptSync(() => JSON.parse(written) as unknown, messageOf);
  if (parsed.ok) return shape(parsed.value, source);
  const one = written.startsWith('{') ? lenient(written) : undefined;
  return one && [one];
}

/** Strict JSON: every element must be a call, or none is. */
export function shape(value: unknown, source: Source): readonly Found[] | undefined {
  if (Array.isArray(value)) {
    const lists = value.slice(0, 32).map((item) => shape(item, source));
    return lists.every((list) => list !== undefined) ? lists.flat() : undefined;
  }
  if (!isRecord(value)) return undefined;
  const keys = Object.keys(value).filter((key) => !idleKeys.includes(key));
  const only = keys.length === 1 ? keys[0] : undefined;
  if (only && wrapperKeys.includes(only)) return shape(value[only], source);
  const inner = value['function'];
  if (isRecord(inner) && keys.length === 1) return shape(inner, source);
  const call = flat(value, { keys, source });
  return call && [call];
}

function flat(
  value: Readonly<Record<string, unknown>>,
  { keys, source }: { keys: readonly string[]; source: Source },
): Found | undefined {
  const nameKey = nameKeys.find((key) => typeof value[key] === 'string' && keys.includes(key));
  const name = nameKey && value[nameKey];
  if (typeof name !== 'string') return undefined;
  const rest = keys.filter((key) => key !== nameKey);
  const argumentKey = argumentKeys.find((key) => rest.includes(key));
  if (argumentKey && rest.length === 1) return { name, rawArguments: textOf(value[argumentKey]), dialect: 'json' };
  // Only a wrapper says that an object without arguments, or with them beside the name, is a call at all.
  if (argumentKey || !source.isInside) return undefined;
  return {
    name,
    rawArguments: JSON.stringify(Object.fromEntries(rest.map((key) => [key, value[key]]))),
    dialect: 'json',
  };
}

/** A string holds JSON of its own; nothing at all is no arguments. */
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === null || value === undefined ? '{}' : JSON.stringify(value);

/** JSON that needs mending: name and arguments are told apart here, the rest is the mender's. */
function lenient(written: string): Found | undefined {
  const members = membersOf(written)?.filter(({ key }) => !idleKeys.includes(key));
  if (members?.length !== 2) return undefined;
  const name = members.find(({ key }) => nameKeys.includes(key))?.raw;
  const rawArguments = members.find(({ key }) => argumentKeys.includes(key))?.raw;
  const quoted = name && /^(["'])([\w.:-]{1,80})\1$/.exec(name)?.[2];
  return quoted && rawArguments ? { name: quoted, rawArguments, dialect: 'json' } : undefined;
}
