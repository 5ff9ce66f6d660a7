/** The text that calls are looked for in, with what is known of the tools. */
import type { ToolSpec } from '../../../protocol/model.ts';

/** What a form found: a call as the model wrote it. Offsets are UTF-16 units of the source's text. */
export interface Found {
  readonly name: string;
  /** JSON text; may still need mending. */
  readonly rawArguments: string;
  readonly dialect: string;
}

/** What a form read from one place on. */
export interface Read {
  readonly found: readonly Found[];
  readonly end: number;
  /** cut: the text ended inside; unclear: more than one reading, so none is taken. */
  readonly fate?: 'cut' | 'unclear';
  /** The form is a marker of its own: nobody writes it by accident. */
  readonly isMarker?: boolean;
}

/** Reads one call (or one list of calls) that starts exactly at `at`, or nothing. */
export type Form = (source: Source, at: number) => Read | undefined;

export interface Source {
  readonly text: string;
  /** The same length as `text`, with the bars and blanks of special tokens in ASCII. */
  readonly plain: string;
  /** The reply ended by itself: an unclosed wrapper around a whole call is then no cut. */
  readonly isWhole: boolean;
  /** Inside a wrapper, a name alone is enough to tell a call. */
  readonly isInside: boolean;
  resolve(name: string): string | undefined;
  parametersOf(name: string): Readonly<Record<string, unknown>>;
  /** Counts characters looked at; false when the reply has cost more than its length allows. */
  spend(characters: number): boolean;
}

export interface SourceOptions {
  readonly tools: readonly ToolSpec[];
  readonly isWhole: boolean;
  /** Finds a declared tool for a name as written; exact names and the prefixes of dialects by default. */
  readonly resolve?: ((name: string) => string | undefined) | undefined;
}

export function sourceOf(text: string, { tools, isWhole, resolve }: SourceOptions): Source {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const exact = (name: string) => (byName.has(name) ? name : resolve?.(name));
  let budget = 12 * text.length + 20_000;
  return {
    text,
    plain: asciiBars(text),
    isWhole,
    isInside: false,
    resolve: (name) => exact(name) ?? exact(bareName(name)),
    parametersOf: (name) => byName.get(name)?.parameters ?? {},
    spend: (characters) => {
      budget -= characters + 1;
      return budget > 0;
    },
  };
}

/** Full-width bars and block blanks become ASCII, one unit for one unit, so that offsets hold. */
export const asciiBars = (text: string): string =>
  /[\uff5c\u2581]/.test(text) ? text.replace(/\uff5c/g, '|').replace(/\u2581/g, '_') : text;

/** `functions.read:0` is `read`. */
export const bareName = (name: string): string =>
  name
    .replace(/\s+/g, '')
    .replace(/^(?:functions?|default_api|tools?|api)[.:]/, '')
    .replace(/:\d+$/, '');

/** A JSON Schema object's properties; empty where it has none. */
export function propertiesOf(parameters: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const properties = parameters['properties'];
  return isRecord(properties) ? properties : {};
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Where the blanks that start at `at` end. */
export function skipBlank(text: string, at: number): number {
  let end = at;
  while (end < text.length && isBlankCode(text.charCodeAt(end))) end++;
  return end;
}

const isBlankCode = (code: number): boolean => code === 32 || (code >= 9 && code <= 13);
