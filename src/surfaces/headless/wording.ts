/** How a run's facts are worded, one line each. */
import { changeOf, commandOf } from './changes.ts';
import type { Action } from './report.ts';
import { terminalLine } from './terminal-text.ts';

/** A line on stderr and how it is coloured. */
export type Line = readonly [Tone, string];
export type Tone = 'plain' | 'dim' | 'good' | 'bad' | 'warning';

/** `12 ms`, `1.2 s`, `2 min 5 s`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** `12,345`, whatever the machine's language. */
export const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

export const lineChange = ({ added, removed }: { readonly added: number; readonly removed: number }): string =>
  `+${added} -${removed}`;

/** Why a reply is asked for again; the advice behind it is for those who are left alone with it. */
export const againLine = (reason: string): string =>
  `… asking again: ${terminalLine(reason.replace(/ (?:Wait\b[^.]* try|Try) again.*$/s, ''), 160)}`;

/** Tool, subject, outcome, time. */
export function actionLine(action: Action): string {
  const { tool, subject, outcome, durationMs } = action;
  const mark = outcome === 'ok' ? '✓' : '✗';
  const what = `${terminalLine(tool, 40)} ${terminalLine(subject, 80)}`.trim();
  const parts = [
    `${mark} ${what}`,
    ...outcomeWords(action),
    ...(durationMs === undefined ? [] : [duration(durationMs)]),
  ];
  return parts.join(' · ');
}

function outcomeWords(action: Action): string[] {
  const { outcome, text, denial } = action;
  const command = commandOf(action);
  const change = changeOf(action);
  if (denial) return [`denied: ${terminalLine(denial.reason, 160)}`];
  if (command && command.exitCode !== null) return [`exit ${command.exitCode}`];
  if (change) return [lineChange(change)];
  if (outcome === 'ok') return [];
  if (outcome === 'failed') return [terminalLine(text, 160) || 'failed'];
  return [outcome === 'unknown' ? 'outcome unknown' : outcome];
}

/** `todo 2/5: the item under way`, where an action is the todo tool's. */
export function todoLine({ tool, outcome, data }: Action): string | undefined {
  const items = tool === 'todo' && outcome === 'ok' ? data['items'] : undefined;
  if (!Array.isArray(items)) return undefined;
  const read = items.map(todoItem);
  const done = read.filter(({ status }) => status === 'done').length;
  const active = read.find(({ status }) => status === 'active');
  return `  todo ${done}/${read.length}${active?.text ? `: ${terminalLine(active.text, 100)}` : ''}`;
}

function todoItem(item: unknown): { readonly status: string; readonly text: string } {
  const fields = new Map(typeof item === 'object' && item !== null ? Object.entries(item) : []);
  return { status: String(fields.get('status') ?? ''), text: String(fields.get('text') ?? '') };
}
