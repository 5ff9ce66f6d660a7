/** How well the model's replies were formed: as they came, after mending, after asking again. A fold over the events of a turn or a session. */
import type { Event, Noted, Recorded } from '../protocol/event.ts';

export interface ReplyQuality {
  /** Replies that were accepted or sent back by a policy of replies. */
  readonly replies: number;
  /** Used as they came. */
  readonly wellFormed: number;
  /** Used after a mend or a salvage, without asking again. */
  readonly mended: number;
  /** Used after the model or the server was asked again. */
  readonly retried: number;
  /** Held a call that was refused for its form. */
  readonly refused: number;
}

/** The count so far, and what was done to the reply that is under way. */
export interface ReplyTally {
  readonly quality: ReplyQuality;
  readonly isMended: boolean;
  readonly isRetried: boolean;
  readonly isRefused: boolean;
}

export const emptyTally = (): ReplyTally => ({
  quality: { replies: 0, wellFormed: 0, mended: 0, retried: 0, refused: 0 },
  isMended: false,
  isRetried: false,
  isRefused: false,
});

export function tally(before: ReplyTally, event: Event): ReplyTally {
  switch (event.type) {
    case 'noted':
      return notedTally(before, event);
    case 'nudged':
      return event.by === 'unfinished' ? { ...before, isRetried: true } : before;
    case 'replied':
      return { ...emptyTally(), quality: counted(before) };
    default:
      return before;
  }
}

function notedTally(before: ReplyTally, { by, kind }: Noted): ReplyTally {
  if (by === 'models' && kind === 'adapted') return { ...before, isRetried: true };
  if (by !== 'replies') return before;
  if (kind === 'resampled') return { ...before, isRetried: true };
  if (kind === 'refused') return { ...before, isRefused: true };
  return kind === 'mended' || kind === 'salvaged' || kind === 'cleaned' ? { ...before, isMended: true } : before;
}

function counted({ quality, isMended, isRetried, isRefused }: ReplyTally): ReplyQuality {
  const one = (is: boolean): number => (is ? 1 : 0);
  return {
    replies: quality.replies + 1,
    wellFormed: quality.wellFormed + one(!isMended && !isRetried && !isRefused),
    mended: quality.mended + one(isMended && !isRetried && !isRefused),
    retried: quality.retried + one(isRetried && !isRefused),
    refused: quality.refused + one(isRefused),
  };
}

export interface RepairLine {
  readonly seq: number;
  readonly kind: string;
  readonly step: string;
  readonly tool: string;
  readonly path: string;
  readonly what: string;
}

/** Everything that was done to the replies of a session, in order. */
export function repairsOf(past: readonly Recorded[]): { lines: RepairLine[]; quality: ReplyQuality } {
  const lines = past.flatMap(({ seq, event }) => lineOf(seq, event));
  return { lines, quality: past.reduce((sum, { event }) => tally(sum, event), emptyTally()).quality };
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function lineOf(seq: number, event: Event): RepairLine[] {
  if (event.type === 'nudged' && event.by === 'unfinished')
    return [{ seq, kind: 'nudged', step: event.by, tool: '', path: '', what: event.text }];
  if (event.type !== 'noted') return [];
  const { by, kind, data = {} } = event;
  if (by === 'retry' || (by === 'models' && kind === 'adapted'))
    return [
      {
        seq,
        kind,
        step: text(data['change']) || by,
        tool: '',
        path: '',
        what: text(data['reason']) || text(data['class']),
      },
    ];
  if (by !== 'replies' && !(by.startsWith('wire.') && kind === 'bad line')) return [];
  const what = text(data['what']) || text(data['reason']);
  return [{ seq, kind, step: text(data['step']) || kind, tool: text(data['tool']), path: text(data['path']), what }];
}
