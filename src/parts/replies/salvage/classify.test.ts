import { describe, expect, it } from 'vitest';
import { announcement } from './announces.ts';
import { classifyReply } from './classify.ts';
import { announcements, finished } from './testing/endings.ts';

const classify = (more: Partial<Parameters<typeof classifyReply>[0]>) =>
  classifyReply({ text: '', reasoning: '', calls: 0, finish: 'stop', hasOpenWork: true, ...more });

describe('an announcement without a call', () => {
  it.each(announcements)('is sent back, quoted: %j', (text) => {
    const { kind, nudge } = classify({ text });
    expect(kind).toBe('announcing');
    expect(nudge?.name).toBe('reply.announced');
    expect(nudge?.text).toContain('no tool call');
  });

  it.each(announcements)('is left alone where no work is open: %j', (text) => {
    expect(classify({ text, hasOpenWork: false })).toEqual({ kind: 'answer' });
  });

  it('is told from a finished answer at the end of a long text too', () => {
    const long = 'The parser reads a line.\n\n'.repeat(400);
    expect(announcement(`${long}Let me fix that.`)).toBe('Let me fix that.');
    expect(announcement(`Let me fix that.\n\n${long}`)).toBeUndefined();
  });

  it.each([
    'to do ',
    'since a, ',
    'now ',
    'with a ',
    'let me now ',
    'a, so ',
    'i will just ',
    '. ',
    'jetzt ',
    '\u307e\u305a',
  ])('costs no time for a long run of %j', (words) => {
    const start = process.cpuUsage();
    announcement(words.repeat(20_000));
    expect(process.cpuUsage(start).user).toBeLessThan(3_000_000);
  });

  it('is quoted shortly', () => {
    expect(classify({ text: `I will read ${'a '.repeat(300)}` }).nudge?.text.length).toBeLessThan(330);
  });
});

describe('a finished answer', () => {
  it.each(finished)('raises no alarm: %j', (text) => {
    expect(classify({ text })).toEqual({ kind: 'answer' });
  });

  it.each(finished)('raises none after a longer report: %j', (text) => {
    expect(classify({ text: `I read the code first.\n\n1. It was wrong.\n2. It is right now.\n\n${text}` }).kind).toBe(
      'answer',
    );
  });
});

describe('a reply that says nothing', () => {
  it('is told what arrived and what to do', () => {
    expect(classify({})).toMatchObject({ kind: 'empty', nudge: { name: 'reply.empty' } });
    expect(classify({ text: ' \n' })).toMatchObject({ kind: 'empty' });
    expect(classify({ reasoning: 'I read it.' })).toMatchObject({
      kind: 'thinking',
      nudge: { name: 'reply.thinking' },
    });
    expect(classify({ reasoning: 'I', finish: 'length' })).toMatchObject({ nudge: { name: 'reply.thinking-capped' } });
  });

  it('acts when it holds a call', () => {
    expect(classify({ calls: 1 })).toEqual({ kind: 'acting' });
    expect(classify({ calls: 1, text: 'I will now run it:' })).toEqual({ kind: 'acting' });
  });
});
