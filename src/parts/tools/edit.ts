/** edit: replaces exact text in a file that was read. */
import * as z from 'zod/mini';
import type { ToolAnswer } from '../../loop/ports.ts';
import { applyEdits, changeBetween, type Replacement } from '../edits/apply.ts';
import { type Diff, diffOf } from '../edits/diff.ts';
import { unwritable } from '../edits/ends.ts';
import { type Loaded, type LoadFault, loadText } from '../edits/load.ts';
import { describeProblems, type EditRefusal, numbered } from '../edits/refusal.ts';
import { saveText } from '../edits/save.ts';
import { quoted } from './quoted.ts';
import { fingerprint, type SeenFiles } from './seen.ts';
import { defineTool, type Tool } from './tool.ts';
import type { Place, Workspace } from './workspace.ts';

export interface EditDeps {
  readonly workspace: Workspace;
  readonly seen: SeenFiles;
}

const Input = z.strictObject({
  path: z.string(),
  edits: z
    .array(z.strictObject({ old: z.string(), new: z.string(), all: z.optional(z.boolean()) }))
    .check(z.minLength(1)),
});
type Input = z.infer<typeof Input>;

const shownRegions = 3;
const diffCharacters = 8000;

export function editTool(deps: EditDeps): Tool {
  return defineTool({
    name: 'edit',
    description:
      'Replace exact text in a file. Read it first; copy old from it without line numbers, with lines around until it fits one place (all: every place). Edits of a call must belong together; all apply or none. Empty old makes a new file.',
    effect: 'writes',
    input: Input,
    subject: ({ path }) => deps.workspace.subject(path),
    run: (input) => edit(input, deps),
  });
}

async function edit({ path, edits }: Input, deps: EditDeps): Promise<ToolAnswer> {
  const [first, second] = edits;
  const isCreation = first?.old === '' && !second;
  const place = await (isCreation ? deps.workspace.resolveForWrite(path) : deps.workspace.resolveForEdit(path));
  if (!place.ok) return { ok: false, text: `edit: ${place.fault}`, data: { path, class: 'refused' } };
  const loaded = await loadText(place.value.absolute);
  if (loaded.ok) return await change({ place: place.value, loaded: loaded.value, edits }, deps);
  if (loaded.fault.kind === 'unfit') return refuse(place.value, 'refused', cannotEdit(place.value, loaded.fault));
  if (!isCreation) return refuse(place.value, 'refused', `${loaded.fault.why}.`);
  return await create(place.value, first.new, deps);
}

function cannotEdit({ shown }: Place, { why, encoding }: LoadFault): string {
  if (!encoding) return `${why}. Use bash with a program that is made for such files.`;
  // The byte-order mark goes along as a character, so that the file comes back as it was.
  const [file, copy] = [quoted(shown), quoted(`${shown}.utf8`)];
  return `${why}. In bash, convert it (iconv -f ${encoding} -t UTF-8 ${file} > ${copy}), read and edit the copy, convert it back (iconv -f UTF-8 -t ${encoding} ${copy} > ${file}) and remove the copy.`;
}

async function create(place: Place, text: string, { seen }: EditDeps): Promise<ToolAnswer> {
  const why = unwritable(text);
  if (why) return refuse(place, 'refused', `new holds ${why}.`);
  const saved = await saveText(place.absolute, text);
  if (!saved.ok) return refuse(place, 'refused', `${saved.fault}.`);
  const change = changeBetween('', text);
  const diff = diffOf(place.shown, '', change ? [change] : []);
  return done({ place, text, seen }, { summary: `Created ${place.shown} (${lines(diff.added)}).`, changes: 1, diff });
}

interface Work {
  readonly place: Place;
  readonly loaded: Loaded;
  readonly edits: readonly Replacement[];
}

async function change({ place, loaded, edits }: Work, { seen }: EditDeps): Promise<ToolAnswer> {
  const stale = staleness(place, loaded, seen);
  if (stale) return stale;
  const applied = applyEdits(loaded.text, edits);
  if (!applied.ok) return refused(place, applied.fault, edits);
  const { content, changes, skipped } = applied.value;
  const saved = await saveText(place.absolute, content);
  if (!saved.ok) return refuse(place, 'refused', `${saved.fault}.`);
  const diff = diffOf(place.shown, loaded.text, changes);
  const count = changes.length === 1 ? '1 change' : `${changes.length} changes`;
  const summary = [
    `Edited ${place.shown}: ${count}, +${diff.added} -${diff.removed} lines.`,
    ...(skipped.length > 0 ? [describeProblems(skipped, edits.length)] : []),
    shownChanges(content, diff),
  ].join('\n');
  return done({ place, text: content, seen }, { summary, changes: changes.length, diff });
}

/** An empty file holds nothing that must be known. */
function staleness(place: Place, { bytes }: Loaded, seen: SeenFiles): ToolAnswer | undefined {
  if (bytes.length === 0) return undefined;
  switch (seen.check({ path: place.absolute, hash: fingerprint(bytes) })) {
    case 'never read':
      return refuse(place, 'unread', 'it was not read in this session. Read it first, then edit.');
    case 'changed since':
      return refuse(place, 'stale', 'it changed on disk since you read it. Read it again, then edit.');
    default:
      return undefined;
  }
}

/** Not an error where the text is already in place: a model that is told of a failure tries again. */
function refused(place: Place, refusal: EditRefusal, edits: readonly Replacement[]): ToolAnswer {
  const why = describeProblems(refusal.problems, edits.length);
  const isDone = refusal.class === 'already_applied';
  return { ok: isDone, text: notChanged(place, why), data: { path: place.shown, class: refusal.class, changes: 0 } };
}

const refuse = (place: Place, kind: string, why: string): ToolAnswer => ({
  ok: false,
  text: notChanged(place, why),
  data: { path: place.shown, class: kind, changes: 0 },
});

const notChanged = (place: Place, why: string): string => `edit: ${place.shown} was not changed: ${why}`;

/** The changed lines with one line around, as `read` shows them. */
function shownChanges(content: string, { regions }: Diff): string {
  const all = content.split('\n');
  const last = content.endsWith('\n') ? all.length - 1 : all.length;
  const shown = regions
    .slice(0, shownRegions)
    .map((region) => numbered(all, Math.max(1, region.first - 1), Math.min(last, region.last + 1)));
  const rest = regions.slice(shownRegions).map(({ first }) => first);
  if (rest.length > 0) shown.push(`... also at ${rest.length} more places, from line ${rest[0]} on`);
  return shown.join('\n...\n');
}

interface Written {
  readonly place: Place;
  readonly text: string;
  readonly seen: SeenFiles;
}

interface Outcome {
  readonly summary: string;
  readonly changes: number;
  readonly diff: Diff;
}

function done({ place, text, seen }: Written, { summary, changes, diff }: Outcome): ToolAnswer {
  const file = { path: place.absolute, hash: fingerprint(Buffer.from(text)) };
  seen.remember(file);
  return { ok: true, text: summary, data: { path: place.shown, changes, ...diffData(diff), file } };
}

/** What surfaces show of a diff; long ones are cut. */
export const diffData = ({ text, added, removed }: Diff): Record<string, unknown> => ({
  added,
  removed,
  diff:
    text.length > diffCharacters ? `${text.slice(0, diffCharacters)}\n... ${text.length} characters in all\n` : text,
});

export const lines = (count: number): string => (count === 1 ? '1 line' : `${count} lines`);
