/** Text as it streams: shown at once, but for what may be the beginning of a call. That is held until the reply is whole. */
import { openingAt } from './opening.ts';

export interface TextFilter {
  /** Takes the next piece and gives what may be shown now. */
  push(delta: string): string;
  /** shown: what turned out harmless. held: what only the whole reply can judge, to be shown if it is no call. */
  end(): { readonly shown: string; readonly held: string };
}

/** Finds the declared tool that a name means. */
export type Resolve = (name: string) => string | undefined;

/** What was read; a function of the text alone, however it was split. */
interface State {
  pending: string;
  /** The part of the current line that was passed on. */
  line: string;
  /** The marks that close the fence that the text is in. */
  fence: string;
  isHeld: boolean;
}

export function textFilter(resolve: Resolve): TextFilter {
  const state: State = { pending: '', line: '', fence: '', isHeld: false };
  // Pieces of what is held are kept apart: joining them anew each time would cost their square.
  const held: string[] = [];
  return {
    push: (delta) => {
      if (state.isHeld) {
        held.push(delta);
        return '';
      }
      state.pending += delta;
      return advance(state, resolve);
    },
    end: () => {
      const rest = state.pending + held.join('');
      const isHarmless = !state.isHeld && !/[<{(&]/.test(rest);
      return isHarmless ? { shown: rest, held: '' } : { shown: '', held: rest };
    },
  };
}

/** Passes on what is decided and keeps the rest. */
function advance(state: State, resolve: Resolve): string {
  const { pending } = state;
  let at = 0;
  while (at < pending.length) {
    if (state.fence !== '') {
      at = pass(state, at, endOfLine(pending, at));
      continue;
    }
    const next = nextCandidate(pending, { at, isAtStart: state.line.trim() === '' });
    at = pass(state, at, next);
    if (at >= pending.length) break;
    const opening = openingAt(pending.slice(at, at + 900), { line: state.line, resolve });
    if (opening === 'hold') state.isHeld = true;
    if (opening === 'hold' || opening === 'wait') break;
    if (opening === 'no') at = pass(state, at, at + 1);
    else {
      at = pass(state, at, endOfLine(pending, at));
      state.fence = opening.fence;
    }
  }
  state.pending = pending.slice(at);
  return pending.slice(0, at);
}

const endOfLine = (text: string, at: number): number => {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
};

/** At the start of a line many things may open a call; within it only tags and tokens. */
function nextCandidate(text: string, { at, isAtStart }: { at: number; isAtStart: boolean }): number {
  if (isAtStart && !/\s/.test(text[at] ?? '')) return at;
  for (let index = at; index < text.length; index++) {
    const char = text[index];
    if (char === '<' || char === '[' || char === '&') return index;
    if (isAtStart ? !/\s/.test(char ?? '') : char === '\n') return isAtStart ? index : index + 1;
  }
  return text.length;
}

/** Moves on from `from` to `to`, following the line and the fence. */
function pass(state: State, from: number, to: number): number {
  const text = state.pending.slice(from, to);
  const lines = text.split('\n');
  for (const [index, part] of lines.entries()) {
    if (index > 0) {
      if (state.fence !== '' && closes(state)) state.fence = '';
      state.line = '';
    }
    state.line = (state.line + part).slice(-2_000);
  }
  return to;
}

function closes({ line, fence }: State): boolean {
  const mark = /^[ \t]{0,3}(`{3,}|~{3,})[ \t]*\r?$/.exec(line)?.[1];
  return mark !== undefined && mark[0] === fence[0] && mark.length >= fence.length;
}
