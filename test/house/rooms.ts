/** The floors of the house as data: which room may use which. Arrows point down only. */

export interface Room {
  /** A folder, or a file. A room's own files may always use each other. */
  readonly path: string;
  readonly mayUse: readonly string[];
  /** npm packages and built-in modules; undefined where any will do. */
  readonly packages?: readonly string[];
}

const ground = ['src/base', 'src/protocol', 'src/loop'];

/** First match wins, so that the particular stands before the general. `*` is one folder's name. */
export const rooms: readonly Room[] = [
  { path: 'src/base', mayUse: [], packages: [] },
  { path: 'src/protocol', mayUse: ['src/base'], packages: ['zod/mini'] },
  { path: 'src/loop', mayUse: ['src/base', 'src/protocol'], packages: [] },
  { path: 'src/terminal', mayUse: ['src/base'] },
  { path: 'src/parts/tools', mayUse: [...ground, 'src/parts/edits', 'src/parts/shell', 'src/parts/code'] },
  { path: 'src/parts/*', mayUse: ground },
  { path: 'src/session', mayUse: [...ground, 'src/parts'] },
  { path: 'src/surfaces/tui', mayUse: ['src/base', 'src/protocol', 'src/session', 'src/terminal'] },
  { path: 'src/surfaces/*', mayUse: ['src/base', 'src/protocol', 'src/session'] },
  { path: 'src/cli', mayUse: ['src/base', 'src/protocol', 'src/session', 'src/surfaces'] },
  { path: 'src/doors', mayUse: [...ground, 'src/parts', 'src/session'], packages: [] },
  { path: 'src/main.ts', mayUse: ['src/base', 'src/protocol', 'src/cli', 'src/version.ts'] },
];

/** The folder of the room that a file belongs to, with the room's row; undefined outside the house. */
export function roomOf(path: string): { readonly folder: string; readonly room: Room } | undefined {
  for (const room of rooms) {
    const folder = new RegExp(`^${room.path.replace('*', '[^/.]+')}(?=/|$)`).exec(path)?.[0];
    if (folder !== undefined) return { folder, room };
  }
  return undefined;
}

export const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);
