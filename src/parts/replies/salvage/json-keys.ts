/** The keys under which models write a call as JSON, and whether a call starts at a brace. */

export const nameKeys: readonly string[] = [
  'name',
  'tool',
  'tool_name',
  'toolName',
  'function',
  'function_name',
  'action',
  'recipient_name',
];
export const argumentKeys: readonly string[] = [
  'arguments',
  'parameters',
  'input',
  'args',
  'params',
  'tool_input',
  'toolInput',
  'action_input',
  'kwargs',
  'tool_args',
];
/** Keys that say nothing about what to do. */
export const idleKeys: readonly string[] = ['id', 'type', 'index', 'call_id', 'tool_call_id', 'callId'];
export const wrapperKeys: readonly string[] = [
  'tool_calls',
  'toolCalls',
  'function_call',
  'functionCall',
  'tool_call',
  'toolCall',
  'tool_uses',
  'calls',
];

/** wait: the text ends before it can be told. */
export type Opening = 'no' | 'wait' | 'yes';

const keyForm = /\s{0,40}["']?([A-Za-z_]\w{0,30})["']?\s{0,9}:\s{0,9}/y;
const keyBegun = /\s{0,40}["']?\w{0,31}["']?\s{0,9}:?\s{0,9}$/y;
const nameForm = /(?:"([^"\n]{0,100})"|'([^'\n]{0,100})')/y;
const idleForm = /(?:"[^"\n]{0,100}"|\d{1,20}|null)\s{0,9},/y;
const idleBegun = /(?:"[^"\n]{0,100}"?|\d{0,20}|n?u?l{0,2})\s{0,9}$/y;

type IsTool = (name: string) => boolean;

/** Whether the object (or list of objects) at `at` begins like a call of a tool that `isTool` knows. */
export function jsonOpening(text: string, at: number, isTool: IsTool): Opening {
  let index = at + 1;
  if (text[at] === '[') {
    const match = matchAt(/\s{0,40}\{/y, text, index);
    if (!match) return matchAt(/\s{0,40}$/y, text, index) ? 'wait' : 'no';
    index += match[0].length;
  }
  for (let members = 0; members < 6; members++) {
    const next = memberOpening(text, index, isTool);
    if (typeof next === 'string') return next;
    index = next;
  }
  return 'no';
}

/** The verdict of one member, or where the next one starts. */
function memberOpening(text: string, at: number, isTool: IsTool): Opening | number {
  const match = matchAt(keyForm, text, at);
  const key = match?.[1];
  if (!match || !key) return matchAt(keyBegun, text, at) ? 'wait' : 'no';
  const value = at + match[0].length;
  if (argumentKeys.includes(key) || wrapperKeys.includes(key)) return 'yes';
  if (nameKeys.includes(key)) return nameOpening(text, { at: value, key, isTool });
  if (!idleKeys.includes(key)) return 'no';
  const idle = matchAt(idleForm, text, value);
  if (idle) return value + idle[0].length;
  return matchAt(idleBegun, text, value) ? 'wait' : 'no';
}

function nameOpening(text: string, { at, key, isTool }: { at: number; key: string; isTool: IsTool }): Opening {
  if (at >= text.length) return 'wait';
  if (text[at] === '{') return key === 'function' ? 'yes' : 'no';
  const name = matchAt(nameForm, text, at);
  if (name) return isTool(name[1] ?? name[2] ?? '') ? 'yes' : 'no';
  return matchAt(/["'][^"'\n]{0,100}$/y, text, at) ? 'wait' : 'no';
}

function matchAt(form: RegExp, text: string, at: number): RegExpExecArray | null {
  form.lastIndex = at;
  return form.exec(text);
}
