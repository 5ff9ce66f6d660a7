/** What a conversation has proven: a pure fold over its events. Later gates rest on it. */
import { List } from '../../../base/list.ts';
import type { Recorded } from '../../../protocol/event.ts';
import type { ReadCheck } from '../line-reading.ts';

export interface Evidence extends ReadCheck {
  readonly callId: string;
  readonly agent: string;
  /** The reply of that agent which asked for it, counted from 1. */
  readonly step: number;
  /** How many changes of files had been seen when it ran: it stands while there is no further one. */
  readonly changesBefore: number;
}

export interface EvidenceState {
  readonly checks: List<Evidence>;
  /** Calls that changed files so far, of all agents. */
  readonly changes: number;
  readonly steps: ReadonlyMap<string, number>;
}

export const noEvidence = (): EvidenceState => ({ checks: List.of(), changes: 0, steps: new Map() });

/** Folds one event in, and changes nothing that was folded before. */
export function gatherEvidence(before: EvidenceState, { agent, event }: Recorded): EvidenceState {
  if (event.type === 'replied')
    return { ...before, steps: new Map(before.steps).set(agent, (before.steps.get(agent) ?? 0) + 1) };
  if (event.type !== 'answered') return before;
  const { result } = event;
  const data = result.data ?? {};
  const changes = before.changes + (changesIn(data, result.ok) ? 1 : 0);
  const step = before.steps.get(agent) ?? 0;
  const found = checksIn(data).map((check) => ({
    ...check,
    callId: result.callId,
    agent,
    step,
    changesBefore: check.isStale ? changes - 1 : changes,
  }));
  return { ...before, changes, checks: found.reduce((list, one) => list.append(one), before.checks) };
}

/** All checks of a conversation, oldest first, and whether each stands after the last change of files. */
export function evidence(events: Iterable<Recorded>): (Evidence & { readonly stands: boolean })[] {
  let state = noEvidence();
  for (const recorded of events) state = gatherEvidence(state, recorded);
  return [...state.checks].map((check) => ({ ...check, stands: stands(check, state) }));
}

/** No file was changed since it ran, as far as is known. */
export const stands = ({ changesBefore }: Evidence, { changes }: EvidenceState): boolean => changesBefore === changes;

/** By the data of the tools that edit and write, and of the shell. */
function changesIn(data: Readonly<Record<string, unknown>>, isOk: boolean): boolean {
  if (data['changesFiles'] === true) return true;
  const isEdit =
    typeof data['path'] === 'string' && typeof data['added'] === 'number' && typeof data['removed'] === 'number';
  return isOk && isEdit && data['changes'] !== 0;
}

function checksIn({ checks }: Readonly<Record<string, unknown>>): ReadCheck[] {
  return Array.isArray(checks) ? checks.filter(isCheck) : [];
}

const isCheck = (value: unknown): value is ReadCheck =>
  typeof value === 'object' &&
  value !== null &&
  'command' in value &&
  'kind' in value &&
  'outcome' in value &&
  typeof value.command === 'string';
