/** What the model has seen of each file, so that an edit never lands on content that it does not know. */
import * as z from 'zod/mini';
import type { ToolResult } from '../../protocol/message.ts';

/** What a tool that showed or wrote a file leaves in its result's `data.file`. `path` is absolute and real. */
export const FileFact = z.object({ path: z.string(), hash: z.string() });
export type FileFact = z.infer<typeof FileFact>;

const Facts = z.object({ file: FileFact });

export type Knowledge = 'fresh' | 'never read' | 'changed since';

export interface SeenFiles {
  /** The model knows the file with this content: it was shown, or the model wrote it. */
  remember(fact: FileFact): void;
  /** Compares what is on the disk now (`fingerprint` of it) with what the model knows. */
  check(current: FileFact): Knowledge;
}

/** `past` are the results of a resumed session, oldest first. */
export function createSeenFiles(past: Iterable<Pick<ToolResult, 'data'>> = []): SeenFiles {
  const hashes = seenFromResults(past);
  return {
    remember: ({ path, hash }) => void hashes.set(path, hash),
    check: ({ path, hash }) => {
      const known = hashes.get(path);
      if (known === undefined) return 'never read';
      return known === hash ? 'fresh' : 'changed since';
    },
  };
}

/** The newest hash of every file that the results speak of, by absolute path. */
export function seenFromResults(results: Iterable<Pick<ToolResult, 'data'>>): Map<string, string> {
  const hashes = new Map<string, string>();
  for (const { data } of results) {
    const facts = Facts.safeParse(data);
    if (facts.success) hashes.set(facts.data.file.path, facts.data.file.hash);
  }
  return hashes;
}

/**
 * Length and two independent 32-bit sums of the bytes (FNV-1a, and a polynomial over an odd multiplier). It tells
 * changes apart, not attackers; one pass, about 2 ms a megabyte, and no crypto module to load.
 */
export function fingerprint(content: Uint8Array): string {
  let first = 0x811c9dc5;
  let second = 0x2545f491;
  // Counted by hand: an iterator would take six times as long.
  for (let index = 0; index < content.length; index++) {
    const byte = content[index] ?? 0;
    first = Math.imul(first ^ byte, 0x01000193);
    second = (Math.imul(second, 0x5bd1e995) + byte + 1) | 0;
  }
  return `${content.length}-${hex(first)}${hex(second ^ (second >>> 15))}`;
}

/** Stands in for `fingerprint` where a file is too large to be read whole: another size or time is another content. */
export const largeFingerprint = ({ size, mtimeMs }: { readonly size: number; readonly mtimeMs: number }): string =>
  `${size}@${mtimeMs}`;

const hex = (sum: number): string => (sum >>> 0).toString(16).padStart(8, '0');
