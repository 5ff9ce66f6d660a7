/** Why an edit was not made, in words that lead to the next try. */
import { lineOf } from './ends.ts';
import { nearestTo } from './nearest.ts';

export type RefusalClass =
  | 'noop'
  | 'already_applied'
  | 'not_found'
  | 'ambiguous'
  | 'overlap'
  | 'empty_anchor'
  | 'refused';

/** What is wrong with one edit of a call. */
export interface Problem {
  /** Position in the call, counted from 1. */
  readonly edit: number;
  readonly class: RefusalClass;
  /** A sentence or more, for the model. */
  readonly text: string;
  /** Lines of the file that the problem is about, counted from 1. */
  readonly lines: readonly number[];
}

export interface EditRefusal {
  /** Of the first problem. */
  readonly class: RefusalClass;
  readonly problems: readonly Problem[];
}

type Found = Omit<Problem, 'edit'>;

const shownLines = 12;
const shownWidth = 200;

/** Lines `first`..`last` (counted from 1) as `read` shows them: number, tab, text. Long stretches lose their middle. */
export function numbered(lines: readonly string[], first: number, last: number): string {
  const rows: string[] = [];
  const hidden = last - first + 1 - shownLines;
  for (let line = first; line <= last; line++) {
    if (hidden > 0 && line === first + shownLines - 4) {
      rows.push(`... ${hidden} lines ...`);
      line += hidden;
    }
    // A byte-order mark is kept by itself; copied into an edit it would only be in the way.
    const text = (lines[line - 1] ?? '').replace(/^\ufeff|\r$/g, '');
    rows.push(`${line}\t${text.length > shownWidth ? `${text.slice(0, shownWidth)}...` : text}`);
  }
  return rows.join('\n');
}

export function noop(flat: string, old: string): Found {
  const at = flat.indexOf(old);
  const lines = at < 0 ? [] : [lineOf(flat, at)];
  const place = at < 0 ? '' : ` The file has it at line ${lines[0]}.`;
  return {
    class: 'noop',
    text: `old and new are the same text, so nothing would change (line ends always stay as the file has them).${place} Say in new what should differ, or go on if the file is as wanted.`,
    lines,
  };
}

export const alreadyApplied = (line: number): Found => ({
  class: 'already_applied',
  text: `already applied: the new text stands at line ${line}. Go on with the next step. If it is wanted once more, add the lines around the place to old.`,
  lines: [line],
});

export function ambiguous(lines: readonly number[], total: number): Found {
  const more = total > lines.length ? ` and ${total - lines.length} more` : '';
  return {
    class: 'ambiguous',
    text: `old occurs ${total} times, at lines ${lines.join(', ')}${more}. Add surrounding lines to old until it fits one place only, or set all: true to change every one.`,
    lines,
  };
}

export const emptyAnchor: Found = {
  class: 'empty_anchor',
  text: 'old is empty, but the file has content. To insert, put a line beside the place into old and repeat it in new; to replace the whole file, use write.',
  lines: [],
};

export const unfit = (why: string): Found => ({ class: 'refused', text: `its text holds ${why}.`, lines: [] });

export const overlap = (other: number, line: number): Found => ({
  class: 'overlap',
  text: `it overlaps edit ${other} at line ${line}. Put both changes into one edit.`,
  lines: [line],
});

export function notFound(flat: string, old: string, writtenBy: number | undefined): Found {
  if (writtenBy !== undefined) {
    const text = `old is not in the file; it is what edit ${writtenBy} would write. All edits of a call are matched against the file as it is before the call: put both changes into one edit.`;
    return { class: 'not_found', text, lines: [] };
  }
  const gutter = hasLineNumbers(old) ? ' old seems to hold line numbers: leave them out.' : '';
  const nearest = nearestTo(flat, old);
  if (!nearest) {
    const text = `old is not in the file, nor anything like it.${gutter} Read the part that you mean again, or grep for it: it may be in another file.`;
    return { class: 'not_found', text, lines: [] };
  }
  const { first, last, difference } = nearest;
  const text = `old is not in the file.${gutter} The nearest text is:\n${numbered(flat.split('\n'), first, last)}\n${difference ? `${difference} ` : ''}Copy old from there exactly, or read the part that you mean again.`;
  return { class: 'not_found', text, lines: [first, last] };
}

const hasLineNumbers = (old: string): boolean =>
  old.split('\n').every((line) => line === '' || /^\s*\d+\s*[\t|:→]/.test(line));

/** All problems of a call as one text; single edits are not numbered. */
export function describeProblems(problems: readonly Problem[], edits: number): string {
  return problems.map(({ edit, text }) => (edits === 1 ? text : `Edit ${edit} of ${edits}: ${text}`)).join('\n');
}
