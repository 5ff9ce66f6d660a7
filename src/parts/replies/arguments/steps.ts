/**
 * Every mend of a call, in the order in which they are tried. Each has an id, is recorded by it, and can be switched off
 * by it. Nothing here runs on a text that is JSON and fits the schema, with the one exception that is named so.
 */
export const steps = [
  // The name of the tool.
  'name.case', // Read, read-file
  'name.clean', // functions.read:0, read<|channel|>commentary
  'name.twice', // readread
  'name.namespace', // server.read, and a server's tool without its server
  'name.alias', // run_shell_command, where only bash is declared
  'name.inferred', // nothing but channel words left: the one tool that these arguments fit
  'name.arguments', // read{"path":"a"} as the name, with empty arguments
  // The text as JSON. Lossless: only characters between strings are added or taken away.
  'json.empty', // no text, null
  'json.wrapping', // a fence or prose around one object
  'json.blanks', // BOM, no-break spaces, full-width punctuation
  'json.comments', // outside strings
  'json.control-characters', // raw line breaks and tabs in strings
  'json.escapes', // \d is no JSON escape: both characters stay
  'json.inner-quotes', // bare quotes in a string, where one reading is left; never in verbatim text
  'json.quotes', // single, typographic, triple and back quotes as delimiters
  'json.literals', // True, None, undefined
  'json.bare-values', // E:\Docs without quotes
  'json.bare-keys', // path: without quotes
  'json.commas', // trailing, doubled, missing
  'json.missing-closers', // only at an end where nothing was cut
  'json.extra-closers',
  'json.missing-opener',
  'json.double-encoded',
  'json.repeated', // the same object again, or an empty one before the real one
  'json.several', // two different objects: two calls
  'json.duplicate-keys', // a refusal: of two values one would be lost
  // The shape of the whole input.
  'shape.empty', // [] or "" for an object
  'shape.list', // a list of inputs
  'shape.wrapper', // {"arguments": {...}}
  'shape.schema-echo', // {"type": "object", "properties": {"city": "Paris"}}
  'shape.scalar', // a bare string, where one string is all that is wanted
  'shape.batch', // one call per entry
  // Names of parameters.
  'key.dotted', // "user.name"
  'key.spelling', // file_path, filePath
  'key.alias', // cmd for command
  'key.nearest', // pth for path
  'key.twice', // canonical and alias both there
  'key.gathered', // the flat form of a list of edits
  'key.hoisted', // a parameter repeated in every item of the list
  'key.empty', // unknown, and empty
  'key.narration', // what the model says about its own call
  // Values, at just the places that the schema refused.
  'value.null', // null for absent
  'value.default', // the schema's own default for what is missing
  'value.union-list', // the exception: a list as text, where text is allowed as well
  'value.json', // a list or object as text
  'value.number',
  'value.boolean',
  'value.text', // a scalar where text is wanted
  'value.enum', // case and separators
  'value.drive-path', // C:\temp whose \t became a tab
  'value.path-markup', // `a.ts`, [a.ts](a.ts)
  'value.object', // {"value": 5}
  'value.argv', // ["bash", "-lc", "ls"]
  'value.one-of-list', // ["a"] for "a"
  'value.empty-list', // {} for []
  'value.item-object', // {"item": [...]}
  'value.list-of-one', // "a" for ["a"]
] as const;

export type StepId = (typeof steps)[number];

/** One mend that was made. `path` is dotted, empty for the whole; `what` says it in a few words. */
export interface Repair {
  readonly step: StepId;
  readonly path: string;
  readonly what: string;
}
