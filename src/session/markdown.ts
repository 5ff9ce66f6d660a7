/** A session as Markdown, for people to read and to pass on. */
import type { Event, Recorded } from '../protocol/event.ts';
import type { ToolCall, ToolResult } from '../protocol/message.ts';

const resultLinesAtMost = 60;

/** Pure. What the tools answered is cut to a readable length; nothing that the user or the model said is. */
export function markdownOf(title: string, past: readonly Recorded[]): string {
  const calls = new Map<string, ToolCall>();
  const blocks = past.flatMap(({ event }) => blockOf(event, calls));
  return `${[`# ${title}`, ...blocks].join('\n\n')}\n`;
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
  return [title, fenced(JSON.stringify(call?.input, undefined, 2) ?? '', 'json'), fenced(cut(text), '')].join('\n\n');
}

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
