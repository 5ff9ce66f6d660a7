/** Replies that end the turn without being an answer. */
import type { Message, Reply } from '../../protocol/message.ts';
import type { Fragment } from '../../protocol/model.ts';
import { classifyReply } from './salvage/classify.ts';

/** What to tell the model; undefined for an answer, and for a reply that calls. `turn` is what was said before it in this turn. */
export function lapseOf({ text, reasoning = '', calls }: Reply, turn: readonly Message[]): Fragment | undefined {
  const hasOpenWork = isDoing(turn);
  return classifyReply({ text, reasoning, calls: calls.length, finish: 'stop', hasOpenWork }).nudge;
}

/** A turn in which a tool ran is one of doing; before that, one whose task does not ask for words alone. */
function isDoing(turn: readonly Message[]): boolean {
  if (turn.some(({ from }) => from === 'tools')) return true;
  const task = turn.find((message) => message.from === 'user' && message.by === undefined);
  return task?.from !== 'user' || !wantsWords.test(task.text);
}

const wantsWords =
  /[?\uff1f]\s*$|^\s*(?:please )?(?:explain|describe|outline|summari[sz]e|plan|propose|suggest|tell me|what|how|why|which|who|when|hi|hello|thanks)\b|\b(?:do not|don't|without) (?:chang|edit|writ|run|touch|implement|do)\w*/i;
