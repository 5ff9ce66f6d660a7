/** Project notes: AGENTS.md and its like, from the user's config folder and from the folders down to the working one. */
import { closeSync, openSync, readSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { attemptSync, codeOf, messageOf } from '../../base/attempt.ts';
import { fail, ok, type Result } from '../../base/result.ts';

/** In each folder the first of these that is there. */
const names = ['AGENTS.md', 'AGENT.md', 'CLAUDE.md'];

export interface NotesPlaces {
  /** Real path of the working directory. */
  readonly cwd: string;
  /** Real path of the git top level, or of the folder. */
  readonly workspaceRoot: string;
  readonly configDir: string;
  readonly homeDir: string;
}

export interface Note {
  /** Absolute path. */
  readonly file: string;
  readonly text: string;
  /** Size on disk; more than the text where it was cut. */
  readonly bytes: number;
  readonly isCut: boolean;
}

export interface NotesOptions {
  readonly maxBytes: number;
  /** Without trust only the user's own notes are read. */
  readonly isTrusted: boolean;
}

export interface Notes {
  /** From the farthest (the user's own) to the nearest. */
  readonly notes: readonly Note[];
  readonly notices: readonly string[];
}

type Source = { readonly file: string; readonly kind: 'user' | 'above' | 'workspace' };

/**
 * Reads the notes, `maxBytes` of them in all. The nearest folder gets its bytes first, since it knows most about the
 * task; of each file the head is kept. What is left out is told in a notice.
 */
export function readNotes(places: NotesPlaces, { maxBytes, isTrusted }: NotesOptions): Notes {
  const notes: Note[] = [];
  const notices: string[] = [];
  const seen = new Set<string>();
  let left = maxBytes;
  for (const source of findNotes(places).reverse()) {
    if (source.kind !== 'user' && !isTrusted) continue;
    const read = readNote(source, { places, seen, maxBytes: left });
    if (!read.ok) notices.push(`${source.file} was left out: ${read.fault}.`);
    if (!read.ok || !read.value) continue;
    const note = read.value;
    if (note.isCut) notices.push(`${note.file} was cut: ${keptOf(note)} bytes were read (instructions.maxBytes).`);
    left -= Buffer.byteLength(note.text);
    if (note.text !== '' && notes.every(({ text }) => text !== note.text)) notes.unshift(note);
  }
  return { notes, notices };
}

/** The project's note files, unread: what an untrusted folder's notice names. */
export const projectNotes = (places: NotesPlaces): string[] =>
  findNotes(places)
    .filter(({ kind }) => kind !== 'user')
    .map(({ file, kind }) => (kind === 'workspace' ? relative(places.workspaceRoot, file) : file));

/** From far to near: the config folder, then the folders from the top down to the working directory. */
function findNotes({ cwd, workspaceRoot, configDir, homeDir }: NotesPlaces): Source[] {
  const folders: { folder: string; kind: Source['kind'] }[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    const isInside = isWithin(workspaceRoot, folder);
    folders.unshift({ folder, kind: isInside ? 'workspace' : 'above' });
    // In a repository its top level is the end; elsewhere the home folder, or the root of the disk.
    const isEnd = (folder === workspaceRoot && isRepository(folder)) || folder === homeDir;
    if (isEnd || dirname(folder) === folder) break;
  }
  return [{ folder: configDir, kind: 'user' as const }, ...folders].flatMap(({ folder, kind }) => {
    const file = names.map((name) => join(folder, name)).find(isThere);
    return file === undefined ? [] : [{ file, kind }];
  });
}

interface Reading {
  readonly places: NotesPlaces;
  /** Real paths of files that were read already. */
  readonly seen: Set<string>;
  readonly maxBytes: number;
}

/** Undefined where there is nothing new in it. Fails with the reason why it must not or cannot be read. */
function readNote({ file, kind }: Source, reading: Reading): Result<Note | undefined, string> {
  const checked = openable(file, kind, reading.places);
  if (!checked.ok) return checked;
  const { realPath, bytes } = checked.value;
  if (reading.seen.has(realPath)) return ok(undefined);
  reading.seen.add(realPath);
  const read = readHead(realPath, Math.min(bytes, reading.maxBytes));
  if (!read.ok) return read;
  const target = pointerIn(read.value, file);
  if (target !== undefined) return isThere(target) ? readNote({ file: target, kind }, reading) : ok(undefined);
  const isCut = bytes > reading.maxBytes;
  const text = (isCut ? read.value.slice(0, read.value.lastIndexOf('\n') + 1) || read.value : read.value).trim();
  return ok({ file, text, bytes, isCut });
}

/** Fails with the reason why the file must not be read. */
function openable(file: string, kind: Source['kind'], { workspaceRoot }: NotesPlaces): Result<Openable, string> {
  const found = attemptSync(() => {
    const realPath = realpathSync(file);
    return { realPath, stats: statSync(realPath) };
  }, reasonOf);
  if (!found.ok) return found;
  const { realPath, stats } = found.value;
  if (!stats.isFile()) return fail('it is not a regular file');
  if (kind === 'workspace' && !isWithin(workspaceRoot, realPath)) return fail('it leads outside the workspace');
  // Above the workspace anybody may own a folder (/tmp for one), and trust does not reach there.
  if (kind === 'above' && !isOwn(stats)) return fail('it belongs to another user');
  return ok({ realPath, bytes: stats.size });
}

interface Openable {
  readonly realPath: string;
  readonly bytes: number;
}

/** The first `bytes` of the file. Fails where it is not text. */
function readHead(file: string, bytes: number): Result<string, string> {
  const opened = attemptSync(() => openSync(file, 'r'), reasonOf);
  if (!opened.ok) return opened;
  const buffer = Buffer.alloc(bytes);
  const read = attemptSync(() => buffer.subarray(0, readSync(opened.value, buffer, 0, bytes, 0)), reasonOf);
  closeSync(opened.value);
  if (!read.ok) return read;
  if (read.value.includes(0)) return fail('it is not a text file');
  // In stream mode a character that the cut divides is dropped and is no mistake.
  return attemptSync(
    () => new TextDecoder('utf-8', { fatal: true }).decode(read.value, { stream: true }),
    () => 'it is not a text file in UTF-8',
  );
}

/** The file that a note does nothing but point to (`@AGENTS.md`, `See ../AGENTS.md.`). */
function pointerIn(text: string, file: string): string | undefined {
  const target = /^\s*(?:#[^\n]*\n\s*)?(?:see|read)?\s*@?[`'"]?([\w./-]+\.md)[`'"]?\.?\s*$/i.exec(text)?.[1];
  return target === undefined || isAbsolute(target) ? undefined : resolve(dirname(file), target);
}

const reasonOf = (cause: unknown): string => `it cannot be read (${messageOf(cause)})`;

const keptOf = ({ text, bytes }: Note): string => `${Buffer.byteLength(text)} of ${bytes}`;

const isThere = (path: string): boolean => attemptSync(() => statSync(path), codeOf).ok;

const isRepository = (folder: string): boolean => isThere(join(folder, '.git'));

const isOwn = ({ uid }: Stats): boolean => uid === 0 || uid === process.getuid?.();

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith('../') && !isAbsolute(way));
}
