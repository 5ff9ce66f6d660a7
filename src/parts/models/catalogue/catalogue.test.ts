import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { providers } from '../providers.ts';
import { makeCard, outputCap } from './card.ts';
import { familyNames, isFilePath } from './family.ts';
import { findEntry, readCatalogue } from './find.ts';

const catalogue = await readCatalogue();

describe('the catalogue', () => {
  test('is smaller than 60 KB and says where and when its facts were collected', () => {
    const file = join(import.meta.dirname, 'facts.json');
    expect(statSync(file).size).toBeLessThan(60_000);
    const { about } = JSON.parse(readFileSync(file, 'utf8'));
    expect(about.from).toMatch(/20\d\d/);
    expect(about.columns).toHaveLength(8);
  });

  test('speaks of providers that exist', () => {
    for (const provider of catalogue.keys()) expect(providers).toHaveProperty([provider]);
  });

  test('holds sane figures in every row', () => {
    for (const [provider, entries] of catalogue) {
      expect(new Set(entries.map(({ name }) => name)).size, provider).toBe(entries.length);
      for (const { name, facts } of entries) {
        const { contextTokens = 0, maxOutputTokens = 1, price = { input: 0, output: 0 } } = facts;
        expect(contextTokens, `${provider}/${name}`).toBeGreaterThanOrEqual(8_000);
        expect(contextTokens, `${provider}/${name}`).toBeLessThanOrEqual(10_000_000);
        expect(maxOutputTokens, `${provider}/${name}`).toBeLessThanOrEqual(contextTokens);
        expect(price.input, `${provider}/${name}`).toBeLessThan(200);
        expect(price.cached ?? 0, `${provider}/${name}`).toBeLessThanOrEqual(Math.max(price.input, 1));
      }
    }
  });
});

describe('a model in the catalogue', () => {
  it.each([
    ['openai', 'gpt-5-mini', 'gpt-5-mini'],
    ['openai', 'gpt-5-mini-2026-01-01', 'gpt-5-mini'],
    ['openai', 'GPT-5-Mini', 'gpt-5-mini'],
    ['anthropic', 'claude-sonnet-4-5-20260101', 'claude-sonnet-4-5'],
    ['anthropic', 'claude-opus-4-1@20250805', 'claude-opus-4-1'],
    ['gemini', 'gemini-2.5-pro-preview-06-05', 'gemini-2.5-pro'],
    ['gemini', 'gemini-3-pro', 'gemini-3-pro-preview'],
    ['mistral', 'mistral-large', 'mistral-large-latest'],
    ['deepseek', 'deepseek-v4-pro-0813', 'deepseek-v4-pro'],
    ['openrouter', 'anthropic/claude-sonnet-4.5:nitro', 'anthropic/claude-sonnet-4.5'],
  ])('%s/%s is found as %s', (provider, model, name) => {
    expect(findEntry(catalogue, provider, model)?.name).toBe(name);
  });

  it.each([
    ['openai', 'gpt-5-mini-turbo'],
    ['openai', 'my-gpt-5'],
    ['openai', '/models/gpt-5-mini'],
    ['openai', './gpt-5-mini'],
    ['openai', 'gpt-5-mini.gguf'],
    ['nobody', 'gpt-5-mini'],
  ])('%s/%s is not guessed', (provider, model) => {
    expect(findEntry(catalogue, provider, model)).toBeUndefined();
  });

  it('costs nothing in its free variant', () => {
    expect(findEntry(catalogue, 'openrouter', 'deepseek/deepseek-v4-flash:free')?.facts.price).toEqual({
      input: 0,
      output: 0,
    });
  });

  it('named by a path is a file, whatever the path says', () => {
    expect(isFilePath('C:\\models\\gpt-5')).toBe(true);
    expect(isFilePath('openai/gpt-5')).toBe(false);
    expect(familyNames('/srv/gpt-5')).toEqual([]);
  });
});

describe('a card', () => {
  const entry = { name: 'm', facts: { contextTokens: 100_000, maxOutputTokens: 4000, seesImages: true } };

  it('takes each fact from the config first, then the server, then the catalogue', () => {
    const own = { maxOutputTokens: 10 };
    const served = { contextTokens: 8192, maxOutputTokens: 20 };
    expect(makeCard({ own, served, entry, assumedTokens: 1 })).toEqual({
      contextTokens: 8192,
      maxOutputTokens: 10,
      seesImages: true,
      sources: { contextTokens: 'server', maxOutputTokens: 'config', seesImages: 'catalogue (m)' },
    });
  });

  it('assumes a window where nobody knows one, and says so', () => {
    const card = makeCard({ own: undefined, served: undefined, entry: undefined, assumedTokens: 32_768 });
    expect(card).toEqual({ contextTokens: 32_768, sources: { contextTokens: 'assumed' } });
  });

  it.each([
    ['anthropic', undefined, 4000],
    ['anthropic', 100, 100],
    ['anthropic', 9000, 4000],
    ['chat', undefined, undefined],
    ['chat', 100, 100],
  ])('on the wire %s with %s asked caps the reply at %s', (wire, asked, cap) => {
    const card = makeCard({ own: undefined, served: undefined, entry, assumedTokens: 1 });
    expect(outputCap(card, wire, asked)).toBe(cap);
  });

  it('always leaves half of the window to the prompt', () => {
    const card = makeCard({ own: { contextTokens: 4096 }, served: undefined, entry: undefined, assumedTokens: 1 });
    expect(outputCap(card, 'anthropic', undefined)).toBe(2048);
  });
});
