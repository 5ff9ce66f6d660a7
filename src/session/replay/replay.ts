/**
 * Runs a recorded session again on its recorded replies, decisions and tool results, through today's code, and compares
 * the events. Whatever the recorded world did (a reply, an answer, a word, an interrupt) is let in at the place where it
 * stands in the journal, so the order is the journal's and not the clock's.
 */

import { sleep } from '../../base/abort.ts';
import { conversationOf } from '../../loop/conversation.ts';
import { Inbox } from '../../loop/inbox.ts';
import { run } from '../../loop/run.ts';
import type { Event } from '../../protocol/event.ts';
import { type Difference, differenceOf } from './compare.ts';
import type { ReplayParts } from './parts.ts';
import { Track } from './track.ts';
import { openedBefore, recordedDeps } from './world.ts';

export interface ReplayReport {
  readonly events: number;
  readonly replayed: number;
  readonly differences: readonly Difference[];
}

/** Ends early where the kinds of events part: the rest is not comparable. */
export async function replay(parts: ReplayParts): Promise<ReplayReport> {
  const track = new Track(parts.recorded);
  const differences: Difference[] = [];
  let isComparable = true;
  while (track.next && isComparable) {
    // Outside a turn the session itself wrote: its opening, a name, the end of a crashed turn. Those are taken as they are.
    if (track.next.event.type === 'prompted') isComparable = await replayTurn(parts, track, differences);
    else track.step();
  }
  return { events: parts.recorded.length, replayed: track.position, differences };
}

/** True while record and replay are of the same kinds. */
async function replayTurn(parts: ReplayParts, track: Track, differences: Difference[]): Promise<boolean> {
  const controller = new AbortController();
  const inbox = new Inbox();
  const limits = openedBefore(parts, track.position)?.limits ?? { steps: 250, nudges: 20 };
  const start = conversationOf(parts.recorded.slice(0, track.position), limits);
  const running = run(start, recordedDeps(parts, track), { signal: controller.signal, inbox });
  letIn(track, inbox, controller);
  let step = await nextOf(running, parts);
  while (step && !step.done) {
    if ('seq' in step.value) {
      const difference = differenceOf(track.position + 1, track.next?.event, step.value.event);
      if (difference) differences.push(difference);
      if (difference?.path === '') {
        await running.return({ conversation: start });
        return false;
      }
      track.step();
      if (isBrokenOff(track)) {
        await running.return({ conversation: start });
        return true;
      }
      letIn(track, inbox, controller);
    }
    step = await nextOf(running, parts);
  }
  if (step) return true;
  differences.push({
    seq: track.position + 1,
    path: '',
    recorded: track.next?.event.type ?? 'the end',
    replayed: 'nothing',
  });
  controller.abort('interrupted');
  await running.return({ conversation: start });
  return false;
}

/** Everything answers from the record at once, so silence means that the record lacks what the loop waits for. */
const silenceMs = 3000;

/** Undefined where nothing comes. Live tools may take their time. */
async function nextOf(running: ReturnType<typeof run>, { isLive }: ReplayParts) {
  if (isLive) return await running.next();
  const heard = new AbortController();
  const silence = sleep(silenceMs, heard.signal).then(() => undefined);
  const step = await Promise.race([running.next(), silence]);
  heard.abort();
  return step;
}

/** The record ends here in the middle of a turn: the process was killed. */
const isBrokenOff = ({ next }: Track): boolean =>
  next === undefined || (next.event.type === 'stopped' && next.event.reason === 'crashed');

/** Who notes what the replayed model and loop cannot know. */
const outside: ReadonlySet<string> = new Set(['retry', 'session', 'fallback', 'models']);

/** Lets in what came from outside the loop, when the record has it next. */
function letIn(track: Track, inbox: Inbox, controller: AbortController): void {
  const event: Event | undefined = track.next?.event;
  if (event?.type === 'prompted' || event?.type === 'compacted') void inbox.record(event, false);
  if (event?.type === 'noted' && outside.has(event.by)) inbox.emit(event);
  if (event?.type === 'stopped' && ['interrupted', 'terminated', 'time limit'].includes(event.reason)) {
    controller.abort(event.by ?? event.reason);
  }
}
