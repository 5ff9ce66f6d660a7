/** A path as a shell takes it: no name is an option, none is split. */
export function quoted(path: string): string {
  const safe = path.startsWith('-') ? `./${path}` : path;
  return /^[\w./-]+$/.test(safe) ? safe : `'${safe.replaceAll("'", `'\\''`)}'`;
}
