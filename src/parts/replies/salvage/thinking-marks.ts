/** The marks around thinking, and the marks of channels that carry the answer. Data; see thinking.ts for the reading. */

export interface ThinkingMark {
  readonly kind: 'open' | 'close' | 'drop';
  readonly length: number;
}

const openers =
  /^(?:<(?:[a-z]+:)?(?:think|thinking|thought|thoughts|reasoning|reflection)>|\u25c1think\u25b7|\[THINK\]|<\|(?:begin_of_thought|start_of_thinking|start_thinking|thinking|think)\|>)/i;
const closers =
  /^(?:<\/(?:[a-z]+:)?(?:think|thinking|thought|thoughts|reasoning|reflection)>|\u25c1\/think\u25b7|\[\/THINK\]|<\|(?:end_of_thought|end_of_thinking|end_thinking|\/thinking|\/think)\|>)/i;

/** gpt-oss: the analysis channel is thinking, final is the answer, commentary with a recipient is a call and stays. */
const analysis = /^(?:<\|start\|>\s?assistant)?<\|channel\|>\s?analysis\s?<\|message\|>|^<\|channel>thought\b/;
const shown =
  /^(?:<\|start\|>\s?assistant)?<\|channel\|>\s?(?:final|commentary)(?:\s?<\|constrain\|>\w+)?\s?<\|message\|>/;
const ending = /^(?:<\|end\|>|<\|return\|>|<channel\|>)/;

/** Marks that say nothing of what stands between them. */
const empty = /^(?:\]<\]minimax\[>\[|<\|(?:begin|end)_of_box\|>|<\|(?:START|END)_RESPONSE\|>)/;

/** The longest mark in UTF-16 units; a text that could still grow into one is waited for, up to this length. */
export const longestMark = 64;

/** Every mark begins with one of these. */
export const markStart = /[<\u25c1[\]]/;

/** The mark at the start of `head` (at most `longestMark` units with ASCII bars), inside of thinking or outside. */
export function thinkingMark(head: string, isInside: boolean): ThinkingMark | undefined {
  const find = (form: RegExp, kind: ThinkingMark['kind']): ThinkingMark | undefined => {
    const match = form.exec(head);
    return match ? { kind, length: match[0].length } : undefined;
  };
  if (isInside) return find(closers, 'close') ?? find(ending, 'close') ?? find(shown, 'close');
  return (
    find(openers, 'open') ??
    find(analysis, 'open') ??
    find(closers, 'close') ??
    find(shown, 'drop') ??
    find(empty, 'drop') ??
    find(ending, 'drop')
  );
}

/** Beginnings that are too short to tell: `<thin`, `<|channel|>ana`. */
const unfinished =
  /^(?:<\/?(?:[a-z]{1,12}:?){0,2}|\](?:<(?:\](?:m[a-z]{0,6}\[?>?)?)?)?|[\u25c1[]\/?[a-z]{0,5}|<\/?\|?[a-z_/]{0,20}\|?|<\|[a-z_/]{0,20}\|?|(?:<\|start\|>\s?(?:a|as|ass|assi|assis|assist|assista|assistan|assistant)?(?:<(?:\|[a-z]{0,7}\|?)?)?)|(?:<\|start\|>\s?assistant)?<\|channel\|?>\s?[a-z]{0,12}\s?(?:<\|?[a-z]{0,10}\|?>?(?:\w{0,8}\s?(?:<\|?[a-z]{0,10}\|?)?)?)?)$/i;

export const mayBecomeMark = (head: string): boolean => head.length < longestMark && unfinished.test(head);
