/** A session as Markdown, for people to read and to pass on. */
import { advance, type Conversation, newConversation, openCalls } from '../loop/conversation.ts';
import type { Event, Recorded } from '../protocol/event.ts';
import type { Message, ToolCall, ToolResult } from '../protocol/message.ts';

const resultLinesAtMost = 60;

/** Pure. What the tools answered is cut to a readable length; nothing that the user or the model said is. */
export function markdownOf(title: string, past: readonly Recorded[]): string {
  const calls = new Map<string, ToolCall>();
  const agents = new Map<string, Conversation>();
  const blocks = past.flatMap(({ agent, event }) => {
    const before = agents.get(agent) ?? unbounded;
    const after = advance(before, event);
    agents.set(agent, after);
    const closed =
      event.type === 'stopped' ? closedBlocks(openCalls(before), after.messages.slice(before.messages.length)) : [];
    return [...closed, ...blockOf(event, calls)];
  });
  const running = [...agents.values()].flatMap(openCalls).map((call) => callBlock(call, 'no result yet'));
  return `${[`# ${title}`, ...blocks, ...running].join('\n\n')}\n`;
}

/** Limits bind what comes, not what was recorded. */
const unbounded = newConversation({ steps: Number.POSITIVE_INFINITY, nudges: Number.POSITIVE_INFINITY });

/** An ending answers every open call, and no event of its own says so: the answers stand in the conversation alone. */
function closedBlocks(open: readonly ToolCall[], added: readonly Message[]): string[] {
  const results = added.flatMap((message) => (message.from === 'tools' ? message.results : []));
  return open.map((call) => {
    const result = results.find(({ callId }) => callId === call.id);
    const title = result?.data?.['outcome'] === 'unknown' ? 'outcome unknown' : 'not run';
    return callBlock(call, title, result?.text);
  });
}

function blockOf(event: Event, calls: Map<string, ToolCall>): string[] {
  switch (event.type) {
    case 'opened':
      return [`Model \`${event.model}\` in \`${event.cwd}\``];
    case 'prompted':
      return [`## User\n\n${event.text}`];
    case 'replied':
      for (const call of event.reply.calls) calls.set(call.id, call);
      return event.reply.text ? [`## Model\n\n${event.reply.text}`] : [];
    case 'answered':
      return [toolBlock(calls.get(event.result.callId), event.result)];
    case 'nudged':
      return [`> **${event.by}**: ${event.text.replaceAll('\n', '\n> ')}`];
    case 'compacted':
      return [`> **${event.by}** replaced the first ${event.cut} messages by ${event.messages.length}.`];
    case 'stopped':
      return [`> The turn ended: ${event.reason}${event.fault ? ` (${event.fault.message})` : ''}.`];
    case 'heard':
    case 'decided':
    case 'started':
    case 'noted':
    case 'released':
      return [];
    default:
      return event satisfies never;
  }
}

function toolBlock(call: ToolCall | undefined, { ok, text }: ToolResult): string {
  const title = `### ${call?.name ?? 'tool'}${ok ? '' : ' (failed)'}`;
  return [title, inputOf(call), fenced(cut(text), '')].join('\n\n');
}

/** A call that no tool answered. */
const callBlock = (call: ToolCall, outcome: string, text?: string): string =>
  [`### ${call.name} (${outcome})`, inputOf(call), ...(text === undefined ? [] : [text])].join('\n\n');

const inputOf = (call: ToolCall | undefined): string => fenced(JSON.stringify(call?.input, undefined, 2) ?? '', 'json');

function cut(text: string): string {
  const lines = text.split('\n');
  if (lines.length <= resultLinesAtMost) return text;
  return [...lines.slice(0, resultLinesAtMost), `... ${lines.length - resultLinesAtMost} more lines`].join('\n');
}

/** The fence is longer than any run of backticks inside. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
