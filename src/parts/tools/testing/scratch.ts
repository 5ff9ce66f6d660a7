/** For tests: a real directory with real files, and the tools run as the loop runs them. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ToolAnswer } from '../../../loop/ports.ts';
import type { Tool } from '../tool.ts';

/** A fresh directory, gone when the test is. Contents by relative path; a path with a trailing slash is a directory. */
export function scratch(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'smew-tools-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    const full = join(root, path);
    mkdirSync(path.endsWith('/') ? full : dirname(full), { recursive: true });
    if (!path.endsWith('/')) writeFileSync(full, content);
  }
  return root;
}

export async function call(tool: Tool, input: unknown, signal = new AbortController().signal): Promise<ToolAnswer> {
  const prepared = tool.prepare(input);
  return prepared.ok ? prepared.value.run({ callId: 'call-1', signal, emit: () => {} }) : prepared.fault;
}
