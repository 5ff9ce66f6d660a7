/** write: a whole file, new or over one that was read. */
import * as z from 'zod/mini';
import { fail, ok, type Result } from '../../base/result.ts';
import type { ToolAnswer } from '../../loop/ports.ts';
import { changeBetween } from '../edits/apply.ts';
import { diffOf } from '../edits/diff.ts';
import { countLines, inStyleOf, unwritable } from '../edits/ends.ts';
import { type Loaded, loadText } from '../edits/load.ts';
import { saveText } from '../edits/save.ts';
import { diffData, lines } from './edit.ts';
import { fingerprint, type SeenFiles } from './seen.ts';
import { defineTool, type Tool } from './tool.ts';
import type { Place, Workspace } from './workspace.ts';

export interface WriteDeps {
  readonly workspace: Workspace;
  readonly seen: SeenFiles;
}

const Input = z.strictObject({ path: z.string(), content: z.string() });
type Input = z.infer<typeof Input>;

export function writeTool(deps: WriteDeps): Tool {
  return defineTool({
    name: 'write',
    description:
      'Write a whole file: a new one (directories are made), or over one that you read. For smaller changes use edit.',
    effect: 'writes',
    input: Input,
    subject: ({ path }) => deps.workspace.subject(path),
    run: (input) => write(input, deps),
  });
}

async function write({ path, content }: Input, { workspace, seen }: WriteDeps): Promise<ToolAnswer> {
  const place = await workspace.resolveForWrite(path);
  if (!place.ok) return { ok: false, text: `write: ${place.fault}`, data: { path } };
  const odd = unwritable(content);
  if (odd) return refuse(place.value, `content holds ${odd}.`);
  const present = await load(place.value);
  if (!present.ok) return refuse(place.value, present.fault);
  const before = present.value;
  const text = before ? inStyleOf(before.text, content) : content;
  const file = { path: place.value.absolute, hash: fingerprint(Buffer.from(text)) };
  if (before?.text === text) {
    seen.remember(file);
    const same = `${place.value.shown} already has exactly this content (${lines(countLines(text))}); nothing was written.`;
    return { ok: true, text: same, data: { path: place.value.shown, changes: 0, added: 0, removed: 0, file } };
  }
  const unknown = before && unseen(place.value, before, seen);
  if (unknown) return refuse(place.value, unknown);
  const saved = await saveText(place.value.absolute, text);
  if (!saved.ok) return refuse(place.value, `${saved.fault}.`);
  seen.remember(file);
  const change = changeBetween(before?.text ?? '', text);
  const diff = diffOf(place.value.shown, before?.text ?? '', change ? [change] : []);
  const count = lines(countLines(text));
  const summary = before
    ? `Overwrote ${place.value.shown}: ${count}, +${diff.added} -${diff.removed}.${text === content ? '' : ' The line ends and byte-order mark stay as they were.'}`
    : `Created ${place.value.shown} (${count}).`;
  return { ok: true, text: summary, data: { path: place.value.shown, changes: 1, ...diffData(diff), file } };
}

/** What is there now; undefined for a new file. */
async function load(place: Place): Promise<Result<Loaded | undefined, string>> {
  const loaded = await loadText(place.absolute);
  if (loaded.ok) return loaded;
  if (loaded.fault.kind === 'gone') return ok(undefined);
  return fail(`${loaded.fault.why}. If it is to be replaced, remove it first with bash.`);
}

function unseen(place: Place, { bytes }: Loaded, seen: SeenFiles): string | undefined {
  if (bytes.length === 0) return undefined;
  switch (seen.check({ path: place.absolute, hash: fingerprint(bytes) })) {
    case 'never read':
      return 'it exists and was not read in this session. Read it first, or use edit for a small change.';
    case 'changed since':
      return 'it changed on disk since you read it. Read it again first.';
    default:
      return undefined;
  }
}

const refuse = (place: Place, why: string): ToolAnswer => ({
  ok: false,
  text: `write: ${place.shown} was not written: ${why}`,
  data: { path: place.shown, changes: 0 },
});
