/** What a server refused to read, read here: a call that it quotes in its refusal. */
import type { RawReply, ToolSpec } from '../../protocol/model.ts';
import { callReader } from './calls.ts';
import { type ReadOptions, readReply } from './read.ts';

/** Tools by these names only look: a call without a name may be one of them, never one that changes something. */
const looking: ReadonlySet<string> = new Set(['read', 'read_file', 'view', 'list', 'glob', 'grep', 'search']);

/** The reply behind a quoted text; undefined where no call is certain. */
export function unreadReply(said: string, options: ReadOptions): RawReply | undefined {
  if (said.trim() === '' || options.disabled?.has('salvage')) return undefined;
  const raw: RawReply = { text: said, calls: [], finish: 'stop', isCut: false };
  const { reply, refused } = readReply(raw, options);
  if (reply.calls.length > 0 && refused.length === 0) return raw;
  const name = onlyTaker(said, options);
  return name === undefined ? undefined : { ...raw, text: '', calls: [{ id: '', name, arguments: said }] };
}

/** The one declared tool that takes these arguments, if it only looks. */
function onlyTaker(said: string, { tools, disabled = new Set<string>() }: ReadOptions): string | undefined {
  const reader = callReader(tools, disabled);
  const takes = ({ name }: ToolSpec): boolean => {
    const { refused, inputs } = reader.read({ name, arguments: said }, false);
    return !refused && inputs.length === 1;
  };
  const takers = tools.filter(takes);
  const [only] = takers;
  return takers.length === 1 && only && looking.has(only.name) ? only.name : undefined;
}
