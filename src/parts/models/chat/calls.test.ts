import { describe, expect, it } from 'vitest';
import { CallGathering } from './calls.ts';

const gathered = (...deltas: object[]) => {
  const calls = new CallGathering();
  for (const delta of deltas) calls.take([delta]);
  return calls.calls;
};
const piece = (index: number | undefined, id: string | null | undefined, name?: string, text?: unknown) => ({
  index,
  id,
  function: { name, arguments: text },
});

describe('calls from deltas', () => {
  it('opens a further call for a further id under the same index', () => {
    expect(gathered(piece(0, 'a', 'search', '{"q":"A"}'), piece(0, 'b', 'search', '{"q":"B"}'))).toEqual([
      { id: 'a', name: 'search', arguments: '{"q":"A"}' },
      { id: 'b', name: 'search', arguments: '{"q":"B"}' },
    ]);
  });

  it('routes pieces without an id by their index', () => {
    const calls = gathered(
      piece(0, 'a', 'read'),
      piece(1, 'b', 'read'),
      piece(0, null, undefined, 'x'),
      piece(1, null, undefined, 'y'),
    );
    expect(calls.map((call) => call.arguments)).toEqual(['x', 'y']);
  });

  it('waits for a name that comes late, and joins arguments that came before the id', () => {
    const calls = gathered(piece(0, undefined, undefined, '{'), piece(0, 'a'), piece(0, undefined, 'read', '"p":1}'));
    expect(calls).toEqual([{ id: 'a', name: 'read', arguments: '{"p":1}' }]);
  });

  it('does not double an id and a name that stand in every piece', () => {
    expect(gathered(piece(0, 'tc1', 'read', '{"p"'), piece(0, 'tc1', 'read', ':1}'))).toEqual([
      { id: 'tc1', name: 'read', arguments: '{"p":1}' },
    ]);
  });

  it('keeps repeated characters of ordinary pieces', () => {
    const [call] = gathered(
      piece(0, 'a', 'search', '{"q":"hel'),
      piece(0, undefined, undefined, 'l'),
      piece(0, undefined, undefined, 'o"}'),
    );
    expect(call?.arguments).toBe('{"q":"hello"}');
  });

  it('writes arguments that came as a value as JSON', () => {
    expect(gathered(piece(0, 'a', 'read', { path: 'x' }))[0]?.arguments).toBe('{"path":"x"}');
  });

  it('appends pieces without index and id to the last call, and starts anew at a name', () => {
    const calls = gathered(
      piece(undefined, undefined, 'read', '{"a"'),
      piece(undefined, undefined, undefined, ':1}'),
      piece(undefined, undefined, 'list', '{}'),
    );
    expect(calls.map(({ name, arguments: text }) => [name, text])).toEqual([
      ['read', '{"a":1}'],
      ['list', '{}'],
    ]);
  });

  it('drops a call that never got a name', () => {
    const calls = new CallGathering();
    calls.take([piece(0, 'a', undefined, '{}'), 'nonsense', null]);
    expect([calls.calls, calls.nameless]).toEqual([[], 1]);
  });
});
