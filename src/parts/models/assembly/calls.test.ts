import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CallGathering } from './calls.ts';

const gathered = (...deltas: object[]) => {
  const calls = new CallGathering();
  for (const delta of deltas) calls.take([delta]);
  return calls.calls;
};
const argumentsOf = (...texts: string[]) =>
  gathered(piece(0, 'a', 'search', texts[0]), ...texts.slice(1).map((text) => piece(0, null, undefined, text)))[0]
    ?.arguments;
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

  it.each([
    ['each piece holds all before it', ['{"q":', '{"q":"a', '{"q":"ab"}']],
    ['the whole comes twice', ['{"q":"ab"}', '{"q":"ab"}']],
    ['the whole comes once more at the end', ['{"q":', '"ab"}', '{"q":"ab"}']],
    ['an empty object comes first', ['{}', '{"q":', '"ab"}']],
  ])('reads arguments of which %s', (_, pieces) => expect(argumentsOf(...pieces)).toBe('{"q":"ab"}'));

  it('never takes a nested object for a repetition', () => {
    expect(argumentsOf('{"q":', '{"q":', '{"q":1}}}')).toBe('{"q":{"q":{"q":1}}}');
  });

  it('leaves cut arguments as they came', () => {
    expect(argumentsOf('{"q":"aa', 'aa')).toBe('{"q":"aaaa');
    expect(argumentsOf('{', '{"q":"a')).toBe('{{"q":"a');
  });

  it('holds parallel calls apart that share an id or an index', () => {
    const twice = [piece(0, 'same', 'read', '{"path":"x"}'), piece(1, 'same', 'read', '{"path":"y"}')];
    const both = [
      ['read', '{"path":"x"}'],
      ['read', '{"path":"y"}'],
    ];
    const flat = (...deltas: object[]) => gathered(...deltas).map(({ name, arguments: text }) => [name, text]);
    expect(flat(...twice)).toEqual(both);
    expect(flat(...twice.map((one) => ({ ...one, index: undefined })))).toEqual(both);
    expect(flat(...twice.map((one) => ({ ...one, index: 0 })))).toEqual(both);
  });

  it('puts a name together only from pieces that name a tool together', () => {
    const named = (...names: string[]) => {
      const calls = new CallGathering(['read_file', 'read']);
      for (const name of names) calls.take([piece(0, 'a', name, '')]);
      return calls.calls[0]?.name;
    };
    expect([named('read_', 'file'), named('read', 'read'), named('read', '_file')]).toEqual([
      'read_file',
      'read',
      'read',
    ]);
  });

  it('keeps every character of ordinary pieces, however they repeat', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.array(fc.nat(4), { minLength: 1 }), (value, cuts) => {
        const text = JSON.stringify({ value });
        const pieces: string[] = [];
        for (let at = 0, turn = 0; at < text.length; turn++) {
          const end = at + 1 + (cuts[turn % cuts.length] ?? 0);
          pieces.push(text.slice(at, end));
          at = end;
        }
        expect(argumentsOf(...pieces)).toBe(text);
      }),
      { seed: 4 },
    );
  });
});
