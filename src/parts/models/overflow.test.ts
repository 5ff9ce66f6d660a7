import { describe, expect, it } from 'vitest';
import { faultInBody, faultOfStatus } from './fault.ts';
import { overflowFigures } from './overflow.ts';
import { endpointAt } from './testing/asking.ts';

const endpoint = endpointAt('https://api.example.test/v1');
const answered = (status: number, body: string, headers: Record<string, string> = {}) =>
  faultOfStatus(endpoint, { status, headers, body, now: 0 });

describe('the figures of an overflow', () => {
  it.each([
    [
      "This model's maximum context length is 32768 tokens. However, you requested 33000 tokens (31000 in the messages, 2000 in the completion).",
      32_768,
      31_000,
    ],
    [
      "This endpoint's maximum context length is 32768 tokens. However, you requested about 40000 tokens (38000 of text input, 2000 in the output).",
      32_768,
      38_000,
    ],
    [
      "'max_tokens' is too large: 2000. This model's maximum context length is 32768 tokens and your request has 31000 input tokens (2000 > 32768 - 31000).",
      32_768,
      31_000,
    ],
    ["This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.", 8192, 9001],
    ['request (124071 tokens) exceeds the available context size (123904 tokens), try increasing it', 123_904, 124_071],
    ['prompt is too long: 210000 tokens > 200000 maximum', 200_000, 210_000],
    ['input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease it', 200_000, 188_240],
    ['The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).', 1_048_576, 1_200_000],
    ['prompt token count of 70000 exceeds the limit of 64000', 64_000, 70_000],
    ["This model's maximum prompt length is 131072 but the request contains 537812 tokens.", 131_072, 537_812],
    [
      'The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 9000 >= n_ctx: 4096)',
      4096,
      9000,
    ],
    [
      'Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens',
      4096,
      9000,
    ],
    [
      'Please reduce the length of the messages or completion. Current length is 40,000 while limit is 32,768',
      32_768,
      40_000,
    ],
    ['Invalid request: Your request exceeded model token limit: 131072', 131_072, undefined],
    ['Range of input length should be [1, 30720]', 30_720, undefined],
    ['Prompt contains 40000 tokens, too large for model with 32768 maximum context length', 32_768, 40_000],
    ['The prompt is too long: 40000, model maximum context length: 32768', 32_768, 40_000],
    ['`inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000 `inputs` tokens', 8193, 9000],
    ['context_length_exceeded', undefined, undefined],
  ])('in "%s" are read', (text, windowTokens, promptTokens) => {
    const fault = answered(400, JSON.stringify({ error: { message: text } }));
    expect(fault.kind).toBe('overflow');
    expect([fault.windowTokens, fault.promptTokens]).toEqual([windowTokens, promptTokens]);
  });

  it('stand beside the sentence where a server puts them there', () => {
    const error = {
      code: 400,
      message: 'too large',
      type: 'exceed_context_size_error',
      n_prompt_tokens: 900,
      n_ctx: 512,
    };
    const figures = { kind: 'overflow', windowTokens: 512, promptTokens: 900 };
    expect(answered(400, JSON.stringify({ error }))).toMatchObject(figures);
    expect(faultInBody(endpoint, { error })).toMatchObject(figures);
  });

  it('are not made up', () => {
    expect(overflowFigures('You sent 12 messages with 3 images in 0.5 s')).toEqual({});
    expect(answered(429, '{"error":{"message":"Limit 30000, Used 29000, Requested 4000"}}').kind).toBe('rate');
  });

  it('tell a request that fits in no minute from one that only has to wait', () => {
    const said = (requested: number) =>
      `{"error":{"message":"Request too large on tokens per min (TPM): Limit 30000, Requested ${requested}."}}`;
    expect(answered(429, said(40_000))).toMatchObject({ kind: 'overflow', windowTokens: 30_000, promptTokens: 40_000 });
    expect(answered(429, said(2000)).kind).toBe('rate');
  });
});

describe('what stands before a provider', () => {
  const page = '<!DOCTYPE html><html><head><title>Just a moment...</title></head><body><p>Ray ID</p></body></html>';

  it('refuses with a page: that is said in its title, and the key is not blamed', () => {
    const { kind, message } = answered(403, page);
    expect(kind).toBe('refused');
    expect(message).toContain('"Just a moment..."');
    expect(message).not.toContain('Ray ID');
  });

  it.each([520, 522, 524, 529, 530, 502, 503, 504])('fails with %i and is worth another try', (status) => {
    expect(answered(status, page).kind).toBe('overloaded');
    expect(answered(status, '').kind).toBe('overloaded');
  });
});

describe('a wait that stands in a field', () => {
  it('makes a quota that refills soon a rate', () => {
    const error = {
      code: 429,
      message: 'You exceeded your current quota, please check your plan.',
      status: 'RESOURCE_EXHAUSTED',
      details: [{ retryDelay: '34.5s' }],
    };
    expect(answered(429, JSON.stringify({ error }))).toMatchObject({ kind: 'rate', retryAfterMs: 34_500 });
  });
});
