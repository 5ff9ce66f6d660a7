/** What a search could not look into: a person without the right to read a file must not be told that it holds nothing. */

export interface Unread {
  readonly count: number;
  /** Absolute paths of the first ones. */
  readonly first: readonly string[];
}

export interface UnreadList {
  /** With the system's code; what went away between being listed and being opened does not count. */
  add(path: string, code: string | undefined): void;
  seen(): Unread;
}

const namedAtMost = 3;
/** Searches run side by side, so the order is made here. */
const keptAtMost = 100;

export function createUnread(): UnreadList {
  let count = 0;
  const first: string[] = [];
  return {
    add: (path, code) => {
      if (code === 'ENOENT') return;
      count++;
      if (first.length < keptAtMost) first.push(path);
    },
    seen: () => ({ count, first: first.toSorted().slice(0, namedAtMost) }),
  };
}

/** A clause; undefined where everything could be read. */
export function unreadNote({ count, first }: Unread, show: (absolute: string) => string): string | undefined {
  if (count === 0) return undefined;
  return `${count} could not be read: ${first.map(show).join(', ')}${count > first.length ? ', ...' : ''}`;
}
