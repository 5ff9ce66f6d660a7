/** Thinking told from the answer, as the text arrives. A mark in code or quotes is text like any other. */
import { asciiBars } from './source.ts';
import { longestMark, markStart, mayBecomeMark, thinkingMark } from './thinking-marks.ts';

export interface ThinkingDelta {
  readonly text: string;
  readonly reasoning: string;
  /** A closer came without an opener: all text that was given out before this delta was thinking. */
  readonly isTakenBack?: boolean;
}

export interface ThinkingFilter {
  push(delta: string): ThinkingDelta;
  end(): ThinkingDelta;
}

export interface Thinking {
  readonly text: string;
  readonly reasoning: string;
  /** The last thinking was never closed: the answer may be in it. */
  readonly isOpen: boolean;
}

/** What has been read; grows by whole decisions only, so that no split of the text changes it. */
interface State {
  pending: string;
  isInside: boolean;
  /** The fence that the text is in. */
  fence: string;
  /** The current line of the text outside of thinking. */
  line: string;
  isOpened: boolean;
  text: string[];
  reasoning: string[];
  /** The first closer had no opener. */
  wasOrphan: boolean;
  isTakenBack: boolean;
}

const initial = (): State => ({
  pending: '',
  isInside: false,
  fence: '',
  line: '',
  isOpened: false,
  text: [],
  reasoning: [],
  isTakenBack: false,
  wasOrphan: false,
});

export function thinkingFilter(): ThinkingFilter {
  const state = initial();
  const take = (): ThinkingDelta => {
    const delta = { text: state.text.join(''), reasoning: state.reasoning.join('') };
    const { isTakenBack } = state;
    state.text = [];
    state.reasoning = [];
    state.isTakenBack = false;
    return isTakenBack ? { ...delta, isTakenBack } : delta;
  };
  return {
    push: (delta) => {
      state.pending += delta;
      read(state, 'growing');
      return take();
    },
    end: () => {
      read(state, 'whole');
      return take();
    },
  };
}

/** The whole text at once. Paragraphs of thinking are joined by a line break. */
export function splitThinking(text: string): Thinking {
  if (!markStart.test(text)) return { text, reasoning: '', isOpen: false };
  const state = initial();
  state.pending = text;
  read(state, 'whole');
  // A closer at the very end with nothing behind it closed nothing: what came before was the answer.
  const answer = state.text.join('');
  const reasoning = state.reasoning.join('').trim();
  if (state.wasOrphan && answer.trim() === '') return { text: reasoning, reasoning: '', isOpen: false };
  return { text: answer, reasoning, isOpen: state.isInside };
}

function read(state: State, stage: 'growing' | 'whole'): void {
  const { pending } = state;
  let at = 0;
  while (at < pending.length) {
    const next = indexOfStart(pending, at);
    put(state, pending.slice(at, next));
    at = next;
    if (at >= pending.length) break;
    const length = decide(state, { at, stage });
    if (length === undefined) break;
    at += length;
  }
  state.pending = pending.slice(at);
}

/** The next place where a mark may start; what the next unit rules out is passed over. */
function indexOfStart(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x25c1) return at;
    const next = text[at + 1];
    if (code === 0x3c && (next === undefined || /[/|\uff5ca-z]/i.test(next))) return at;
    if (code === 0x5b && (next === undefined || /[/T]/i.test(next))) return at;
    if (code === 0x5d && (next === undefined || next === '<')) return at;
  }
  return text.length;
}

/** How many units were read at a possible mark; undefined where more text must come first. */
function decide(state: State, { at, stage }: { at: number; stage: 'growing' | 'whole' }): number | undefined {
  const { pending, isInside } = state;
  const head = asciiBars(pending.slice(at, at + longestMark));
  const mark = thinkingMark(head, isInside);
  const after = mark ? pending.slice(at + mark.length, at + mark.length + 2) : '';
  if (stage === 'growing' && (mark ? after.length < 2 : mayBecomeMark(head))) return undefined;
  if (!mark || isQuoted(state, { mark: mark.kind, after })) {
    put(state, pending.slice(at, at + 1));
    return 1;
  }
  if (mark.kind === 'open') open(state);
  if (mark.kind === 'close') close(state);
  return mark.length;
}

function open(state: State): void {
  state.isInside = true;
  state.isOpened = true;
}

function close(state: State): void {
  if (!state.isInside && !state.isOpened) {
    // The template had written the opener already; only the first closer can mean that.
    state.reasoning.push(state.text.join(''));
    state.text = [];
    state.isTakenBack = true;
    state.wasOrphan = true;
  }
  state.isInside = false;
  state.isOpened = true;
  state.line = '';
}

/** A mark in a fence, between ticks or quotes, or as a word of a sentence is spoken of. */
function isQuoted(state: State, { mark, after }: { mark: string; after: string }): boolean {
  const previous = state.line.at(-1) ?? '';
  if (/["'`\u201c\u2018]/.test(previous) && /^["'`\u201d\u2019.,]/.test(after)) return true;
  if (state.isInside) return false;
  // A second channel behind a recipient belongs to the head of a call.
  if (mark === 'drop' && /\bto=\s?[\w.:-]{1,80}\s?$/.test(state.line)) return true;
  if (state.fence !== '' || (state.line.match(/`+/g)?.length ?? 0) % 2 === 1) return true;
  if (mark === 'open') return state.line.trim() !== '' && !/[.!?:\u3002\uff01\uff1f>]$/.test(state.line.trim());
  return previous === ' ' && /^ ?[\p{Ll},.]/u.test(after);
}

function put(state: State, text: string): void {
  if (text === '') return;
  (state.isInside ? state.reasoning : state.text).push(text);
  follow(state, text);
}

/** Keeps track of the line and the fence; lines are kept short, their end is all that counts. */
function follow(state: State, text: string): void {
  if (!text.includes('\n')) {
    state.line = state.line.length > 4_000 ? (state.line + text).slice(-2_000) : state.line + text;
    return;
  }
  const lines = text.split('\n');
  for (const [index, part] of lines.entries()) {
    if (index > 0) {
      if (!state.isInside) turnFence(state);
      state.line = '';
    }
    state.line = (state.line + part).slice(-2_000);
  }
}

function turnFence(state: State): void {
  const mark = /^[ \t]{0,3}(`{3,}|~{3,})(.*)$/.exec(state.line);
  if (!mark?.[1]) return;
  const [, run, info = ''] = mark;
  if (state.fence === '') state.fence = run.startsWith('`') && info.includes('`') ? '' : run;
  else if (run[0] === state.fence[0] && run.length >= state.fence.length && info.trim() === '') state.fence = '';
}
