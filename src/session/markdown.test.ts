import { describe, expect, it } from 'vitest';
import type { Event, Recorded } from '../protocol/event.ts';
import { markdownOf } from './markdown.ts';

const recorded = (events: readonly Event[]): Recorded[] =>
  events.map((event, index) => ({ seq: index + 1, at: 1000 + index, agent: 'main', event }));

const shell = (id: string, command: string) => ({ id, name: 'bash', input: { command } });
const twoCalls: readonly Event[] = [
  { type: 'prompted', text: 'migrate' },
  {
    type: 'replied',
    reply: { from: 'model', text: '', calls: [shell('c1', 'make migrate'), shell('c2', 'make test')] },
  },
  { type: 'started', callId: 'c1' },
];

describe('a session as Markdown', () => {
  it('shows the calls that an ending closed, with what is known of them', () => {
    const text = markdownOf('Crash', recorded([...twoCalls, { type: 'stopped', reason: 'crashed' }]));
    expect(text).toMatch(/### bash \(outcome unknown\)[^#]*make migrate[^#]*Outcome unknown: this call was running/);
    expect(text).toMatch(/### bash \(not run\)[^#]*make test[^#]*Not run: the turn ended first \(crashed\)/);
    expect(text.indexOf('make test')).toBeLessThan(text.indexOf('The turn ended: crashed.'));
  });

  it('shows an answered call once, whatever ends the turn', () => {
    const answered: Event = { type: 'answered', result: { callId: 'c1', ok: true, text: 'migrated' } };
    const text = markdownOf('Stop', recorded([...twoCalls, answered, { type: 'stopped', reason: 'interrupted' }]));
    expect(text.match(/make migrate/g)).toHaveLength(1);
    expect(text).toContain('### bash (not run)');
  });

  it('shows the calls of a turn that has no ending yet', () => {
    const text = markdownOf('Running', recorded(twoCalls));
    expect(text).toMatch(/### bash \(no result yet\)[^#]*make migrate/);
    expect(text).toMatch(/### bash \(no result yet\)[^#]*make test/);
  });
});
