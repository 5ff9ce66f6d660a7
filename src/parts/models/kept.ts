/** The text made for `key`: made once, for as long as the key lives. */
export function kept<Key extends object>(cache: WeakMap<Key, string>, key: Key, make: (key: Key) => string): string {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const made = make(key);
  cache.set(key, made);
  return made;
}
