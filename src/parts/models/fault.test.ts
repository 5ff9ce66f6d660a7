import { describe, expect, it } from 'vitest';
import { faultInBody, faultOfStatus } from './fault.ts';
import { redact } from './redact.ts';
import { retryAfterMs } from './retryAfter.ts';
import { endpointAt, secretKey } from './testing/asking.ts';

const endpoint = endpointAt('https://api.example.test/v1');
const refused = (status: number, message: string, headers: Record<string, string> = {}) =>
  faultOfStatus(endpoint, { status, headers, body: JSON.stringify({ error: { message } }), now: 0 });

describe('a refusal', () => {
  it('shows an address without what it holds of secrets', () => {
    const url = 'https://me:passw0rd@api.test/v1?key=hidden77';
    const said = faultOfStatus({ ...endpoint, url }, { status: 404, headers: {}, body: '{}', now: 0 }).message;
    expect(said).toContain('the address https://api.test/v1?key=[key].');
    expect(said).not.toContain('passw0rd');
  });

  it.each([
    [401, 'nope', 'unauthorised'],
    [403, 'not allowed', 'unauthorised'],
    [403, 'insufficient credits', 'quota'],
    [402, 'pay', 'quota'],
    [404, 'what?', 'not found'],
    [400, 'The model `x` does not exist or you do not have access', 'not found'],
    [400, 'Incorrect API key provided', 'unauthorised'],
    [408, 'slow', 'overloaded'],
    [409, 'conflict', 'overloaded'],
    [413, 'Payload too large', 'overflow'],
    [413, 'Request too large: tokens per minute (TPM) limit', 'rate'],
    [425, 'early', 'overloaded'],
    [429, 'You exceeded your current quota, please check your plan', 'quota'],
    [429, 'You exceeded your current quota. Please retry in 21.5s.', 'rate'],
    [429, 'Rate limit reached', 'rate'],
    [500, 'oops', 'overloaded'],
    [500, 'the request exceeds the available context size', 'overflow'],
    [501, 'not implemented', 'refused'],
    [529, 'Overloaded', 'overloaded'],
    [400, "Unsupported parameter: 'max_tokens'", 'refused'],
    [302, '', 'refused'],
  ])('with %i "%s" is classed as %s', (status, message, kind) => {
    expect(refused(status, message)).toMatchObject({ kind, status });
  });

  it.each([
    "This model's maximum context length is 32768 tokens. However, you requested 33000 tokens",
    'request (124071 tokens) exceeds the available context size (123904 tokens), try increasing it',
    'prompt is too long: 210000 tokens > 200000 maximum',
    'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)',
    'Please reduce the length of the messages or completion.',
    'context_length_exceeded',
    'input length and `max_tokens` exceed context limit: input length 190000 exceeds',
    'Your request exceeded model token limit: context window is 131072',
    'the prompt is larger than the loaded context',
    'Input is too long for requested model',
    'too many tokens in the prompt',
  ])('that says "%s" is an overflow', (message) => {
    expect(refused(400, message).kind).toBe('overflow');
  });

  it.each([
    ['3600', 429, 'Wait 60 min and try again'],
    ['45', 429, 'Wait 45 s and try again'],
    ['93600', 429, 'Wait 26 h and try again'],
    ['0', 429, 'Wait and try again'],
    ['900', 503, 'Try again in 15 min'],
  ])('that asks to wait %s s with %i says so', (after, status, advice) => {
    expect(refused(status, 'slow down', { 'retry-after': after }).message).toContain(advice);
  });

  it('quotes the provider, names the host, says what to do', () => {
    const { message } = refused(401, 'Key not active');
    expect(message).toBe(
      'local (api.example.test:443) refused the key with status 401: "Key not active" Check LOCAL_KEY and what the key may use.',
    );
  });

  it.each([
    ['{"error":"plain text"}', 'plain text'],
    ['{"message":"at the top"}', 'at the top'],
    ['{"detail":"in detail"}', 'in detail'],
    ['{"detail":[{"msg":"field required","loc":["x"]}]}', 'field required'],
    ['[{"error":{"message":"in a list"}}]', 'in a list'],
    ['{"error":{"message":"Provider returned error","metadata":{"raw":"the real one"}}}', 'the real one'],
    ['<html><style>a{}</style><h1>502 Bad Gateway</h1></html>', '502 Bad Gateway'],
    ['just words', 'just words'],
    ['', ''],
  ])('is found in %s', (body, text) => {
    expect(faultOfStatus(endpoint, { status: 400, headers: {}, body, now: 0 }).message).toContain(text);
  });

  it('is quoted short and without keys', () => {
    const { message } = refused(400, `${'x'.repeat(900)} ${secretKey}`);
    expect(message.length).toBeLessThan(520);
    expect(refused(400, `key ${secretKey}!`).message).toContain('"key [key]!"');
  });
});

describe('an error inside a good answer', () => {
  it.each([
    [{ error: { message: 'Rate limit', code: 429 } }, 'rate'],
    [{ error: { message: 'x', type: 'overloaded_error' } }, 'overloaded'],
    [{ error: { message: 'x', code: 'context_length_exceeded' } }, 'overflow'],
    [{ choices: null, error_message: 'upstream busy' }, 'overloaded'],
    [{ object: 'error', code: 400, message: 'maximum context length' }, 'overflow'],
    [{ error: 'something else' }, 'overloaded'],
  ])('%j is a fault of kind %s', (body, kind) => {
    expect(faultInBody(endpoint, body)?.kind).toBe(kind);
  });

  it.each([[{ choices: [] }], [{ choices: [], error: null }], [{ error: '' }], [null], ['text'], [{ code: 0 }]])(
    '%j is none',
    (body) => expect(faultInBody(endpoint, body)).toBeUndefined(),
  );
});

describe('the wait that a provider asks for', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  it.each([
    [{ 'retry-after-ms': '350' }, '', 350],
    [{ 'retry-after-ms': '350', 'retry-after': '9' }, '', 350],
    [{ 'retry-after': '20' }, '', 20_000],
    [{ 'retry-after': '0.5' }, '', 500],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' }, '', 30_000],
    [{ 'retry-after': 'Wed, 31 Dec 2025 00:00:30 GMT' }, '', 0],
    [{ 'retry-after': 'soon' }, '', undefined],
    [{}, 'Please try again in 1m2.5s.', 62_500],
    [{}, 'Please try again in 350ms.', 350],
    [{}, 'try again in 20 seconds', 20_000],
    [{}, 'try again in 2h', 7_200_000],
    [{}, 'try again in a moment', undefined],
    [{}, '', undefined],
  ])('%j "%s" is %s ms', (headers, message, ms) => {
    expect(retryAfterMs(headers, message, now)).toBe(ms);
  });
});

describe('redaction', () => {
  it('hides known keys and what looks like one, and leaves ordinary words', () => {
    expect(redact('a s3cret b', ['s3cret'])).toBe('a [key] b');
    expect(redact('sk-proj-abcdefghijkl1234 and Bearer abcdef1234567890==', [])).toBe('[key] and Bearer [key]');
    expect(redact('AIzaSyA1234567890abcdefghijk', [])).toBe('[key]');
    const ordinary = 'the task-list of a risk-averse key, pk_constraint_of_users_table';
    expect(redact(ordinary, [''])).toBe(ordinary);
  });
});
