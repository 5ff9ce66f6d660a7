import { describe, expect, it } from 'vitest';
import { fault } from '../protocol/fault.ts';
import { Inbox } from './inbox.ts';

const word = { type: 'prompted', text: 'hello' } as const;

describe('an inbox', () => {
  it('takes words only while a run is open', () => {
    const inbox = new Inbox();
    expect(inbox.say(word)).toBeUndefined();
    const close = inbox.open();
    expect(inbox.say(word)).toBeInstanceOf(Promise);
    close();
    expect(inbox.say(word)).toBeUndefined();
  });

  it('keeps what is queued before a run, in order', async () => {
    const inbox = new Inbox();
    void inbox.record(word, true);
    inbox.emit({ type: 'noted', by: 'x', kind: 'y' });
    inbox.open();
    expect(await inbox.take()).toMatchObject({ what: 'event', event: word, isSynced: true });
    expect(await inbox.take()).toMatchObject({ what: 'event', event: { type: 'noted' }, isSynced: false });
    expect(inbox.isEmpty).toBe(true);
  });

  it('tells everybody who waits, when it closes, that nothing was written and why', async () => {
    const inbox = new Inbox();
    const close = inbox.open();
    const said = [inbox.say(word), inbox.record(word, false)];
    close(fault('storage', 'disk full'));
    for (const one of await Promise.all(said)) expect(one).toEqual(fault('storage', 'disk full'));
    expect(inbox.isEmpty).toBe(true);
  });

  it('is not closed for the next run by the end of the last', () => {
    const inbox = new Inbox();
    const first = inbox.open();
    first();
    const second = inbox.open();
    void inbox.say(word);
    first();
    expect(inbox.isEmpty).toBe(false);
    expect(inbox.say(word)).toBeDefined();
    second();
  });
});
