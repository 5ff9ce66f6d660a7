/** Images that a task brings along. */
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { attempt, messageOf } from '../base/attempt.ts';
import { fail, ok, type Result } from '../base/result.ts';
import { type Fault, fault } from '../protocol/fault.ts';
import type { Image } from '../protocol/message.ts';

/** How a file of each kind begins, byte by byte as Latin-1. A name proves nothing, and servers refuse what is none. */
const kinds = [
  { name: 'PNG', mediaType: 'image/png', start: /^\x89PNG\r\n/ },
  { name: 'JPEG', mediaType: 'image/jpeg', start: /^\xff\xd8\xff/ },
  { name: 'GIF', mediaType: 'image/gif', start: /^GIF8[79]a/ },
  { name: 'WebP', mediaType: 'image/webp', start: /^RIFF[\s\S]{4}WEBP/ },
] as const;
const startBytes = 16;
const mostBytes = 20 * 1024 * 1024;

/** `files` are relative to `cwd`. Fails on the first that is no image of a kind that models see. */
export async function readImages(files: readonly string[], cwd: string): Promise<Result<Image[], Fault>> {
  const images: Image[] = [];
  for (const file of files) {
    const image = await readImage(file, resolve(cwd, file));
    if (!image.ok) return image;
    images.push(image.value);
  }
  return ok(images);
}

async function readImage(file: string, path: string): Promise<Result<Image, Fault>> {
  const unreadable = (cause: unknown) => fault('usage', `The image ${file} cannot be read: ${messageOf(cause)}.`);
  const stats = await attempt(() => stat(path), unreadable);
  if (!stats.ok) return stats;
  if (!stats.value.isFile()) return fail(unreadable('it is not a regular file'));
  const { size } = stats.value;
  if (size > mostBytes) {
    return fail(fault('usage', `${file} has ${size} bytes; an image may have ${mostBytes}. Make it smaller.`));
  }
  const bytes = await attempt(() => readFile(path), unreadable);
  if (!bytes.ok) return bytes;
  const start = bytes.value.toString('latin1', 0, startBytes);
  const kind = kinds.find((one) => one.start.test(start));
  if (!kind) {
    const names = kinds.map(({ name }) => name).join(', ');
    return fail(fault('usage', `${file} is no image that models see; those are: ${names}.`));
  }
  return ok({ mediaType: kind.mediaType, base64: bytes.value.toString('base64') });
}
