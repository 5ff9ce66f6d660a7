/** What stands between the quotes of a string, decoded. */
import { attemptSync, messageOf } from '../../../../base/attempt.ts';
import { type Cursor, syntax, use } from './cursor.ts';

const escaped = /\\(u[0-9a-fA-F]{4}|[\s\S])/g;
const letters: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };
/** A drive letter or a share, followed by backslashes that nobody escaped. */
const unescapedPath = /^(?:[A-Za-z]:\\(?!\\)|\\\\(?!\\)[\w.-]+\\(?!\\))/;

export interface RawText {
  readonly raw: string;
  readonly key: string;
  readonly quote: string;
}

/** undefined (and a fault) where two readings are left. */
export function decode(cursor: Cursor, { raw, key, quote }: RawText): string | undefined {
  if (hasControl(raw) && !use(cursor, 'json.control-characters')) return undefined;
  if (!raw.includes('\\')) return raw;
  const plain = quote === '"' ? attemptSync(() => JSON.parse(`"${raw}"`) as unknown, messageOf) : undefined;
  if (plain?.ok && typeof plain.value === 'string') return plain.value;
  const bodies = raw.match(escaped) ?? [];
  const odd = bodies.filter((body) => !isKnown(body, quote));
  if (odd.length === 0) return raw.replace(escaped, (_, body: string) => meaning(body));
  if (!use(cursor, 'json.escapes')) return undefined;
  const isPath = unescapedPath.test(raw);
  if (cursor.rules.isVerbatim(key) && !isClear(bodies, odd)) {
    return syntax(cursor, `"${key}" holds ${odd[0]}, which is no JSON escape (a backslash is written \\\\),`);
  }
  if (isPath) return raw.replace(/\\([\\"/])/g, '$1');
  return raw.replace(escaped, (whole, body: string) =>
    isKnown(whole, quote) && !isNeverMeant(body) ? meaning(body) : literal(body),
  );
}

const isKnown = (whole: string, quote: string): boolean =>
  whole.length > 2 || '"\\/bfnrt'.includes(whole[1] ?? '?') || (quote === "'" && whole === "\\'");

/** Nobody who leaves a backslash unescaped means a backspace or a form feed beside it. */
const isNeverMeant = (body: string): boolean => body === 'b' || body === 'f';
const literal = (body: string): string => (body === "'" ? "'" : `\\${body}`);

/** In verbatim text: a \d is one thing only, but beside \n it is not known who was escaped and who was not. */
const isClear = (bodies: readonly string[], odd: readonly string[]): boolean =>
  !odd.some((body) => /^\\['$`\s]/.test(body)) && bodies.every((body) => odd.includes(body) || /^\\["/]$/.test(body));

function meaning(body: string): string {
  if (body.length === 5) return String.fromCharCode(Number.parseInt(body.slice(1), 16));
  return letters[body] ?? body;
}

function hasControl(raw: string): boolean {
  for (let index = 0; index < raw.length; index++) if (raw.charCodeAt(index) < 32) return true;
  return false;
}
