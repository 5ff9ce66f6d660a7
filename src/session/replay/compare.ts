/** What differs between a recorded event and the one that today's code made of the same world. */
import type { Event } from '../../protocol/event.ts';

export interface Difference {
  /** Position in the journal, counted from 1. */
  readonly seq: number;
  /** Dotted path inside the event; empty where the events are of different kinds. */
  readonly path: string;
  readonly recorded: string;
  readonly replayed: string;
}

/** Measured with the clock of the day, so never the same twice. */
const clockFields = new Set(['firstOutputMs', 'totalMs', 'requestBytes', 'durationMs']);

export function differenceOf(seq: number, recorded: Event | undefined, replayed: Event): Difference | undefined {
  if (!recorded || recorded.type !== replayed.type) {
    return { seq, path: '', recorded: recorded?.type ?? 'the end', replayed: replayed.type };
  }
  const found = firstDifference(recorded, replayed, []);
  return found && { seq, ...found };
}

function firstDifference(a: unknown, b: unknown, path: readonly string[]): Omit<Difference, 'seq'> | undefined {
  if (Object.is(a, b)) return undefined;
  if (!isRecord(a) || !isRecord(b)) return { path: path.join('.'), recorded: show(a), replayed: show(b) };
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    if (clockFields.has(key)) continue;
    const found = firstDifference(a[key], b[key], [...path, key]);
    if (found) return found;
  }
  return undefined;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'absent';
  return text.length > 160 ? `${text.slice(0, 160)}...` : text;
}
