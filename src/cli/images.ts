/** Images that a task brings along. */
import { readFile } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { attempt, messageOf } from '../base/attempt.ts';
import { fail, ok, type Result } from '../base/result.ts';
import { type Fault, fault } from '../protocol/fault.ts';
import type { Image } from '../protocol/message.ts';

const mediaTypes: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
};
const mostBytes = 20 * 1024 * 1024;

/** `files` are relative to `cwd`. Fails on the first that is no image of a kind that models see. */
export async function readImages(files: readonly string[], cwd: string): Promise<Result<Image[], Fault>> {
  const images: Image[] = [];
  for (const file of files) {
    const mediaType = mediaTypes[extname(file).toLowerCase()];
    if (!mediaType) {
      return fail(
        fault('usage', `${file} is no image that models see; those are: ${Object.keys(mediaTypes).join(', ')}.`),
      );
    }
    const bytes = await attempt(
      () => readFile(resolve(cwd, file)),
      (cause) => fault('usage', `The image ${file} cannot be read: ${messageOf(cause)}.`),
    );
    if (!bytes.ok) return bytes;
    if (bytes.value.length > mostBytes) {
      return fail(
        fault('usage', `${file} has ${bytes.value.length} bytes; an image may have ${mostBytes}. Make it smaller.`),
      );
    }
    images.push({ mediaType, base64: bytes.value.toString('base64') });
  }
  return ok(images);
}
