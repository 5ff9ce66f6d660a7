/** list: what is in one directory. */
import type { Dirent } from 'node:fs';
import { lstat, readdir, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { attempt, codeOf } from '../../base/attempt.ts';
import type { ToolAnswer } from '../../loop/ports.ts';
import { sizeText } from './size.ts';
import { defineTool, type Tool } from './tool.ts';
import { visible } from './visible.ts';
import type { Place, Workspace } from './workspace.ts';

const Input = z.strictObject({ path: z.optional(z.string()) });

const entriesAtMost = 300;

export function listTool({ workspace }: { readonly workspace: Workspace }): Tool {
  return defineTool({
    name: 'list',
    description:
      'List one directory (default: the working directory), directories first and with a trailing /. To find files in the tree by name use glob.',
    effect: 'reads',
    input: Input,
    subject: ({ path }) => workspace.subject(path || '.'),
    run: async ({ path }) => {
      const place = await workspace.resolveForRead(path || '.');
      if (!place.ok) return { ok: false, text: place.fault };
      const entries = await attempt(() => readdir(place.value.absolute, { withFileTypes: true }), codeOf);
      return entries.ok ? show(place.value, entries.value) : notListed(place.value, entries.fault);
    },
  });
}

async function show(place: Place, entries: readonly Dirent[]): Promise<ToolAnswer> {
  const data = { path: place.shown, entries: entries.length };
  if (entries.length === 0) return { ok: true, text: `${place.shown} is an empty directory.`, data };
  const sorted = entries.toSorted((left, right) => rank(left) - rank(right) || (left.name < right.name ? -1 : 1));
  const shown = await Promise.all(sorted.slice(0, entriesAtMost).map((entry) => describe(place.absolute, entry)));
  return { ok: true, text: [...shown, ...leftOut(sorted.slice(entriesAtMost))].join('\n'), data };
}

const rank = (entry: Dirent): number => (entry.isDirectory() ? 0 : 1);

function leftOut(rest: readonly Dirent[]): string[] {
  if (rest.length === 0) return [];
  const directories = rest.filter((entry) => entry.isDirectory()).length;
  const what =
    directories > 0 ? `${directories} directories and ${rest.length - directories} files` : `${rest.length} files`;
  return [`(${what} more are not shown: narrow it down with glob)`];
}

async function describe(directory: string, entry: Dirent): Promise<string> {
  const path = join(directory, entry.name);
  const name = visible(entry.name);
  if (entry.isDirectory()) return `${name}/`;
  if (entry.isSymbolicLink()) return `${name} -> ${await describeTarget(path)}`;
  if (!entry.isFile()) return `${name} (${specialKind(entry)})`;
  const stats = await attempt(() => lstat(path), codeOf);
  return stats.ok ? `${name}  ${sizeText(stats.value.size)}` : name;
}

async function describeTarget(path: string): Promise<string> {
  const target = await attempt(() => readlink(path), codeOf);
  const stats = await attempt(() => stat(path), codeOf);
  const name = target.ok ? visible(target.value) : '?';
  if (!stats.ok) return `${name} (leads nowhere)`;
  return stats.value.isDirectory() && !name.endsWith('/') ? `${name}/` : name;
}

function specialKind(entry: Dirent): string {
  if (entry.isFIFO()) return 'FIFO';
  if (entry.isSocket()) return 'socket';
  return 'device';
}

function notListed({ shown }: Place, code: string | undefined): ToolAnswer {
  if (code === 'ENOTDIR') return { ok: false, text: `${shown} is a file, not a directory: use read.` };
  if (code === 'EACCES') return { ok: false, text: `${shown} cannot be listed: permission denied by the system.` };
  return { ok: false, text: `${shown} cannot be listed: ${code ?? 'unknown error'}.` };
}
