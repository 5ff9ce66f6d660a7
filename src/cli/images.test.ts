import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { readImages } from './images.ts';

const beginnings = {
  'image/png': [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  'image/jpeg': [0xff, 0xd8, 0xff, 0xe0],
  'image/gif': [...Buffer.from('GIF89a')],
  'image/webp': [...Buffer.from('RIFF\0\0\0\0WEBP')],
} as const;

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'smew-images-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

const put = (name: string, bytes: readonly number[]) => writeFileSync(join(folder, name), Buffer.from(bytes));
const faultOf = async (file: string) => {
  const read = await readImages([file], folder);
  return read.ok ? undefined : read.fault;
};

describe('images of a task', () => {
  it.each(Object.entries(beginnings))(
    'are told by their first bytes, not by their name: %s',
    async (mediaType, bytes) => {
      put('picture.png', [...bytes, 1, 2, 3]);
      expect(await readImages(['picture.png'], folder)).toMatchObject({ ok: true, value: [{ mediaType }] });
    },
  );

  it('are no texts with the name of an image', async () => {
    put('t.png', [...Buffer.from('only words')]);
    expect(await faultOf('t.png')).toEqual({
      kind: 'usage',
      message: 't.png is no image that models see; those are: PNG, JPEG, GIF, WebP.',
    });
  });

  it('are regular files: a pipe does not hang, a folder and a missing file are told', async () => {
    execFileSync('mkfifo', [join(folder, 'pipe.png')]);
    mkdirSync(join(folder, 'folder.png'));
    expect((await faultOf('pipe.png'))?.message).toBe('The image pipe.png cannot be read: it is not a regular file.');
    expect((await faultOf('folder.png'))?.message).toContain('it is not a regular file');
    expect((await faultOf('none.png'))?.message).toContain('ENOENT');
  });

  it('are refused by their size before they are read', async () => {
    put('big.png', beginnings['image/png']);
    truncateSync(join(folder, 'big.png'), 5_000_000_000);
    expect((await faultOf('big.png'))?.message).toContain('Make it smaller');
  });
});
