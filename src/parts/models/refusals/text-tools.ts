/** Tools for models without tool calling: told in the prompt, called and answered in the text. Read by the salvage. */
import type { Message, Reply, ToolsMessage } from '../../../protocol/message.ts';
import type { Fragment, ToolSpec } from '../../../protocol/model.ts';
import { sentInput, sentResult } from '../sent.ts';

export function toolFragment(tools: readonly ToolSpec[]): Fragment {
  const told = tools.map(({ name, description, parameters }) => JSON.stringify({ name, description, parameters }));
  return {
    name: 'text tools',
    text: [
      'You can use tools. To call one, end your reply with a block of exactly this form, and write nothing after it:',
      '<tool_call>\n{"name": "TOOL", "arguments": {"PARAMETER": "VALUE"}}\n</tool_call>',
      'Several blocks are several calls. Their results come in the next message, in <tool_response>. Never write a result yourself.',
      `The tools, one a line:\n${told.join('\n')}`,
    ].join('\n\n'),
  };
}

/** Calls and results as text; other messages as they are. */
export function asText(message: Message, names: ReadonlyMap<string, string>): Message {
  if (message.from === 'model') return message.calls.length === 0 ? message : replyText(message);
  return message.from === 'tools' ? resultText(message, names) : message;
}

function replyText({ text, calls, ...reply }: Reply): Reply {
  const blocks = calls.map(
    (call) => `<tool_call>\n${JSON.stringify({ name: call.name, arguments: sentInput(call) })}\n</tool_call>`,
  );
  return { ...reply, text: [text, ...blocks].filter(Boolean).join('\n'), calls: [] };
}

const resultText = ({ results }: ToolsMessage, names: ReadonlyMap<string, string>): Message => ({
  from: 'user',
  text: results
    .map((result) => {
      const name = names.get(result.callId);
      return `<tool_response${name === undefined ? '' : ` name="${name}"`}>\n${sentResult(result)}\n</tool_response>`;
    })
    .join('\n'),
  by: 'tools',
});
