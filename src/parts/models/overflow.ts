/** The figures in a refusal because of size, in any vendor's words: how large the window is, how large the prompt was. */

export interface OverflowFigures {
  /** The window, prompt and reply together (or the prompt alone, where a vendor limits that). Tokens. */
  readonly windowTokens?: number;
  /** The request without the reply that it reserved. Tokens. */
  readonly promptTokens?: number;
}

/** Every sentence that fits adds what it knows; the first to name a figure is right. Numbers may be grouped by commas. */
const sentences: readonly RegExp[] = [
  // `exceed context limit: 188240 + 21333 > 200000`
  /(?<prompt>[\d,]+) \+ (?<reply>[\d,]+) > (?<window>[\d,]+)/,
  // `(31000 in the messages, 2000 in the completion)`, `(38000 of text input, 2000 in the output)`
  /\((?:about )?(?<prompt>[\d,]+) (?:in the (?:messages|prompt|input)|of text input)/i,
  // `210000 tokens > 200000 maximum`
  /(?<prompt>[\d,]+)(?: tokens)? > (?<window>[\d,]+)(?: tokens)? max/i,
  // `request (124071 tokens) exceeds the available context size (123904 tokens)`
  /\((?<prompt>[\d,]+) tokens\) exceeds the .{0,30}context (?:size|length|window) \((?<window>[\d,]+)/i,
  // `input token count (1200000) exceeds the maximum number of tokens allowed (1048576)`, `token count of 70000 exceeds the limit of 64000`
  /token count(?: of| is)? \(?(?<prompt>[\d,]+)\)? exceeds .{0,60}?\(?(?<window>[\d,]{3,})\)?/i,
  // `maximum context length is 32768 tokens`, `model maximum context length: 32768`, `32768 maximum context length`
  /max(?:imum)? (?:context|prompt|input) (?:length|size)(?: of| is|:)? (?:only )?(?<window>[\d,]+)/i,
  /(?<window>[\d,]+) max(?:imum)? context length/i,
  /context (?:length|size|window)(?: of| is|:)? (?:only )?(?<window>[\d,]+)/i,
  /your request has (?<prompt>[\d,]+) input tokens/i,
  /(?:resulted in|request contains|prompt contains) (?<prompt>[\d,]+) tokens/i,
  /(?:prompt|input) is too long: (?<prompt>[\d,]+)/i,
  /n_keep: (?<prompt>\d+) >= n_ctx: (?<window>\d+)/,
  /keep the first (?<prompt>[\d,]+) tokens/i,
  // `must be <= 8193. Given: 9000 inputs tokens`
  /tokens`? \+ .{0,40} must be <= (?<window>[\d,]+)\. Given: (?<prompt>[\d,]+)/i,
  /length is (?<prompt>[\d,]+) while (?:the )?limit is (?<window>[\d,]+)/i,
  /token limit(?: of| is|:) ?(?<window>[\d,]+)/i,
  /input length should be \[\d+, ?(?<window>\d+)\]/i,
  /limit (?<window>[\d,]+), requested (?<prompt>[\d,]+)/i,
  // Fields that some servers set beside their sentence.
  /"n_prompt_tokens": ?(?<prompt>\d+)/,
  /"n_ctx": ?(?<window>\d+)/,
];

export function overflowFigures(text: string): OverflowFigures {
  let found: OverflowFigures = {};
  for (const sentence of sentences) {
    const { window, prompt } = sentence.exec(text)?.groups ?? {};
    const windowTokens = found.windowTokens ?? tokens(window);
    const promptTokens = found.promptTokens ?? tokens(prompt);
    found = {
      ...(windowTokens === undefined ? {} : { windowTokens }),
      ...(promptTokens === undefined ? {} : { promptTokens }),
    };
  }
  return found;
}

const tokens = (digits: string | undefined): number | undefined => {
  const count = Number((digits ?? '').replaceAll(',', ''));
  return count > 0 ? count : undefined;
};
