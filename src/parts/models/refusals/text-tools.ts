/** Tools for models without tool calling: told in the prompt, called and answered in the text. How, comes from outside. */
import type { Message, Reply, ToolsMessage } from '../../../protocol/message.ts';
import type { Fragment, ToolSpec } from '../../../protocol/model.ts';
import { sentInput, sentResult } from '../sent.ts';

/** The words of the protocol; whoever reads the replies must know them. */
export interface TextTools {
  toolsAsText(tools: readonly ToolSpec[]): Fragment;
  callAsText(call: { readonly name: string; readonly input?: unknown }): string;
  resultsAsText(results: readonly { readonly name: string; readonly ok: boolean; readonly text: string }[]): string;
}

/** Calls and results as text; other messages as they are. `names` are those of the calls by their ids. */
export function asText(message: Message, names: ReadonlyMap<string, string>, words: TextTools): Message {
  if (message.from === 'model') return message.calls.length === 0 ? message : replyText(message, words);
  return message.from === 'tools' ? resultText(message, names, words) : message;
}

function replyText({ text, calls, ...reply }: Reply, { callAsText }: TextTools): Reply {
  const blocks = calls.map((call) => callAsText({ name: call.name, input: sentInput(call) }));
  return { ...reply, text: [text, ...blocks].filter(Boolean).join('\n'), calls: [] };
}

const resultText = (
  { results }: ToolsMessage,
  names: ReadonlyMap<string, string>,
  { resultsAsText }: TextTools,
): Message => ({
  from: 'user',
  text: resultsAsText(
    results.map((result) => ({ name: names.get(result.callId) ?? 'tool', ok: result.ok, text: sentResult(result) })),
  ),
  by: 'tools',
});
