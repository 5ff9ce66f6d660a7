import { describe, expect, it } from 'vitest';
import type { Message } from '../protocol/message.ts';
import { calls, says } from './fakes.ts';
import { historyFaults } from './history.ts';

const user: Message = { from: 'user', text: 'go' };
const results = (...ids: readonly string[]): Message => ({
  from: 'tools',
  results: ids.map((callId) => ({ callId, ok: true, text: '' })),
});

describe('a history is', () => {
  it('legal when every call is answered by the next message, in order', () => {
    expect(historyFaults([])).toEqual([]);
    expect(historyFaults([user, calls('a:x', 'b:x'), results('a', 'b'), user, user, says('done')])).toEqual([]);
  });

  it.each<[string, Message[], string]>([
    ['a call has no result', [user, calls('a:x')], 'the last calls [a] have no results'],
    [
      'a word stands between call and result',
      [user, calls('a:x'), user, results('a')],
      'message 2: the calls [a] have no results before it',
    ],
    ['a result is missing', [user, calls('a:x', 'b:x'), results('a')], 'message 2: results [a] for the calls [a,b]'],
    [
      'results are in another order',
      [user, calls('a:x', 'b:x'), results('b', 'a')],
      'message 2: results [b,a] for the calls [a,b]',
    ],
    ['results come without calls', [user, results()], 'message 1: results [] for the calls []'],
    ['results come twice', [user, calls('a:x'), results('a'), results('a')], 'message 3: results [a] for the calls []'],
    [
      'an id is used twice',
      [user, calls('a:x'), results('a'), calls('a:x'), results('a')],
      'message 3: the call id a is used twice',
    ],
    ['the model begins', [says('hi')], 'message 0: there is nothing before it to reply to'],
    [
      'the model speaks twice in a row',
      [user, says('a'), says('b')],
      'message 2: there is nothing before it to reply to',
    ],
  ])('illegal when %s', (_, messages, expected) => {
    expect(historyFaults(messages)).toContain(expected);
  });
});
