/** What a reply without calls is: an answer, or something that the model has to be told. */
import type { FinishReason, Fragment } from '../../../protocol/model.ts';
import { announcement } from './announces.ts';

export interface Unacted {
  /** As shown to the user, without thinking and calls. */
  readonly text: string;
  readonly reasoning: string;
  /** How many calls the reply has, native or salvaged, refused ones included. */
  readonly calls: number;
  readonly finish: FinishReason;
  /** The task is one of doing, and nothing shows that it is done. */
  readonly hasOpenWork: boolean;
}

export type ReplyKind = 'acting' | 'answer' | 'empty' | 'thinking' | 'announcing';

export interface ReplyClass {
  readonly kind: ReplyKind;
  /** What to tell the model; none for a reply that may stand. */
  readonly nudge?: Fragment;
}

/** Nothing follows from a reply at its token cap but that it was cut: this is then the caller's to handle. */
export function classifyReply({ text, reasoning, calls, finish, hasOpenWork }: Unacted): ReplyClass {
  if (calls > 0) return { kind: 'acting' };
  if (text.trim() === '') {
    if (reasoning.trim() === '') return { kind: 'empty', nudge: emptyReply };
    return { kind: 'thinking', nudge: finish === 'length' ? endlessThinking : onlyThinking };
  }
  const announced = hasOpenWork ? announcement(text) : undefined;
  return announced === undefined ? { kind: 'answer' } : { kind: 'announcing', nudge: announcedOnly(announced) };
}

const emptyReply: Fragment = {
  name: 'reply.empty',
  text:
    'Your last reply arrived empty: no text and no tool call. Go on with the task: make the next tool call, or give the final ' +
    'answer. If you wrote a special token such as <|...|> into a file, write it in two parts.',
};

const onlyThinking: Fragment = {
  name: 'reply.thinking',
  text:
    'Your last reply held only thinking: no tool call and no answer arrived. Make the tool call that you decided on, or give ' +
    'the final answer as text.',
};

const endlessThinking: Fragment = {
  name: 'reply.thinking-capped',
  text:
    'Your last reply used up the output limit with thinking, before any tool call or answer. Think in a few sentences, then make ' +
    'the next tool call.',
};

const announcedOnly = (sentence: string): Fragment => ({
  name: 'reply.announced',
  text:
    `You wrote "${sentence.length > 120 ? `${sentence.slice(0, 117)}...` : sentence}", but your reply held no tool call, so nothing was done. ` +
    'Make the tool call now. If the task is finished, say so in one sentence instead.',
});
