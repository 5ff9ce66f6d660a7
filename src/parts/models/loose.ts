/** Reading JSON from servers that may have sent anything: each reader takes `unknown` and never throws. */

/** An object of which some fields may be there, each of unknown type. */
export type Loose<Key extends string> = { readonly [Name in Key]?: unknown };

/** The value's fields; none where it is not an object. */
export function loose<Key extends string>(value: unknown): Loose<Key> {
  // Every field is optional and unknown, so any object fits.
  return isObject(value) ? (value as Loose<Key>) : {};
}

export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A finite number that is not negative, or undefined. */
export const countOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
