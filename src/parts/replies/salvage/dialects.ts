/**
 * The grammar: what may open a call, and the forms that a call may take. Models mix wrappers and forms of several
 * families, and lose either half, so any form is read in any wrapper. A new dialect is a row here and a form beside.
 */
import { readElements, readInvokedElements, readNamedElements } from './element-form.ts';
import { readJson } from './json-form.ts';
import { readNamed, readReact } from './named-form.ts';
import { readGemma, readPythonic } from './pythonic-form.ts';
import type { Form } from './source.ts';
import { readGlm, readTagged, readToolUse } from './tagged-form.ts';

export interface Dialect {
  /** Names the form in notes and switches. */
  readonly id: string;
  readonly read: Form;
}

/** In the order of trial: the most telling form first. */
export const dialects: readonly Dialect[] = [
  { id: 'tagged', read: readTagged },
  { id: 'invoked-elements', read: readInvokedElements },
  { id: 'gemma', read: readGemma },
  { id: 'named', read: readNamed },
  { id: 'json', read: readJson },
  { id: 'glm', read: readGlm },
  { id: 'pythonic', read: readPythonic },
  { id: 'named-elements', read: readNamedElements },
  { id: 'elements', read: readElements },
  { id: 'tool-use', read: readToolUse },
  { id: 'react', read: readReact },
];

/** Info strings of fences that say "this is a call" by themselves. */
export const callFence = /^(?:tool_code|tool_calls?|toolcalls?|function_calls?|tool_use|tool)$/i;

/** Info strings of fences whose whole content may be a call. Code of other languages is for the user. */
export const dataFence = /^(?:|json[c5l]?|xml|text|txt|plaintext|html)$/i;

/** Everywhere that a call may start on text with ASCII bars; a fence comes first, because it hides what is in it. */
export const mayOpen = (): RegExp =>
  /^[ \t]{0,3}(?<fence>`{3,}|~{3,})|<(?=[|/A-Za-z])|\[(?:TOOL_CALLS|Tool Use|Tool Call|Calling tool)\b|^[ \t]{0,8}(?=[[{]|[\w.:-]{1,80}\s{0,9}(?:<\|tool[_ ]|<arg_key>|\[ARGS\])|(?:\*\*)?Action:|call:\s{0,4}[\w.:-]{1,80}\s{0,4}\{|functools\s?\[|(?:assistant)?\s?(?:commentary|analysis)?\s?to=functions\.)/gm;

/** Mistral's list form and python_tag's kin: markers before JSON that are no tags. */
export const plainMarkers: readonly { readonly pattern: RegExp; readonly isOpening: boolean }[] = [
  { pattern: /\[TOOL_CALLS\]/y, isOpening: true },
  { pattern: /\[\/TOOL_CALLS\]/y, isOpening: false },
  { pattern: /functools\s?(?=\[\s{0,9}\{)/y, isOpening: true },
];
