import { describe, expect, it } from 'vitest';
import { capIn, claudeVersion, outputSettings } from './thinking.ts';

const settings = (modelId: string, more: object) => outputSettings(modelId, { capTokens: undefined, ...more });
const adaptive = (effort: string, display = {}) => ({
  thinking: { type: 'adaptive', ...display },
  output_config: { effort },
});
const shown = { display: 'summarized' };

describe('the version of a model', () => {
  it.each([
    ['claude-opus-4-20250514', 4],
    ['claude-sonnet-4-5-20250929', 4.5],
    ['claude-3-7-sonnet-20250219', 3.7],
    ['claude-3-haiku-20240307', 3],
    ['anthropic/claude-opus-4.6', 4.6],
    ['eu.anthropic.claude-opus-4-6-v1:0', 4.6],
    ['claude-opus-5', 5],
    ['claude-fable-5-1', 5.1],
    ['deepseek-v4-pro', undefined],
    ['/models/not-claude.gguf', undefined],
  ])('%s is %s', (modelId, version) => expect(claudeVersion(modelId)).toBe(version));
});

describe('an effort', () => {
  it.each([
    ['claude-opus-5-5', 'xhigh', adaptive('xhigh', shown)],
    ['claude-opus-4-7', 'minimal', adaptive('low', shown)],
    ['claude-sonnet-4-6', 'xhigh', adaptive('high')],
    ['claude-sonnet-4-6', 'none', {}],
    ['claude-opus-5-5', 'none', { output_config: { effort: 'low' } }],
    ['claude-haiku-4-5', 'high', { thinking: { type: 'enabled', budget_tokens: 16_000 } }],
    ['claude-haiku-4-5', 'medium', { thinking: { type: 'enabled', budget_tokens: 8192 } }],
    ['claude-3-5-sonnet-20241022', 'high', {}],
    ['deepseek-v4-pro', 'low', { thinking: { type: 'enabled', budget_tokens: 4096 } }],
    ['deepseek-v4-pro', 'none', { thinking: { type: 'disabled' } }],
  ])('of %s, %s, becomes what that model takes', (modelId, effort, expected) => {
    const { max_tokens: _, ...rest } = settings(modelId, { effort });
    expect(rest).toEqual(expected);
  });

  it('leaves half of the cap to the answer, and thinks not at all where there is none', () => {
    expect(settings('claude-haiku-4-5', { effort: 'high', maxOutputTokens: 6000 })).toMatchObject({
      thinking: { budget_tokens: 3000 },
    });
    expect(settings('claude-haiku-4-5', { effort: 'high', maxOutputTokens: 2000 })).toEqual({ max_tokens: 2000 });
  });

  it('takes the place of a temperature, which newer models refuse in any case', () => {
    expect(settings('claude-haiku-4-5', { temperature: 0 })).toHaveProperty('temperature', 0);
    expect(settings('claude-haiku-4-5', { temperature: 0, effort: 'low' })).not.toHaveProperty('temperature');
    expect(settings('claude-opus-4-7', { temperature: 0 })).not.toHaveProperty('temperature');
  });
});

describe('the output cap', () => {
  it.each([
    ['claude-opus-4-1-20250805', 32_000],
    ['claude-3-5-haiku-20241022', 8192],
    ['claude-3-haiku-20240307', 4096],
    ['claude-opus-5-5', 64_000],
    ['vendor-big', 32_000],
  ])('of %s is %i where nobody sets one', (modelId, max_tokens) => {
    expect(settings(modelId, {})).toEqual({ max_tokens });
    expect(outputSettings(modelId, { capTokens: 1000 })).toEqual({ max_tokens: 1000 });
  });

  it.each([
    ['max_tokens: 64000 > 8192, which is the maximum allowed number of output tokens for x', 8192],
    ['Invalid max_tokens value, the valid range of max_tokens is [1, 16,384]', 16_384],
    ['max_tokens: must be at least 1', undefined],
    ['messages: at most 100 images', undefined],
  ])('is read from a refusal: %s', (refusal, cap) => expect(capIn(refusal, 64_000)).toBe(cap));
});
