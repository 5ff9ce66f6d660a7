import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Event } from './event.ts';
import { fault, isProviderFault } from './fault.ts';

const text = fc.string({ unit: 'binary' });
const json = fc.jsonValue();
const data = fc.dictionary(
  fc.string({ minLength: 1 }).filter((key) => key !== '__proto__'),
  json,
);
const optional = <T>(value: fc.Arbitrary<T>, key: string) =>
  fc.option(value).map((some) => (some === null ? {} : { [key]: some }));
const merged = (...parts: fc.Arbitrary<object>[]) => fc.tuple(...parts).map((values) => Object.assign({}, ...values));
const whole = fc.record({ seq: fc.nat() });

const result = merged(fc.record({ callId: text, ok: fc.boolean(), text }), optional(data, 'data'));
const toolCall = merged(fc.record({ id: text, name: text, input: json }), optional(text, 'unreadable'));
const native = fc.record({ wire: text, model: text, content: json });
const reply = merged(
  fc.record({ from: fc.constant('model'), text, calls: fc.array(toolCall, { maxLength: 3 }) }),
  optional(text, 'reasoning'),
  optional(native, 'native'),
);
const image = fc.record({ mediaType: text, base64: text });
const user = merged(
  fc.record({ from: fc.constant('user'), text }),
  optional(fc.array(image), 'images'),
  optional(text, 'by'),
);
const message = fc.oneof(user, reply, fc.record({ from: fc.constant('tools'), results: fc.array(result) }));
const ofType = (type: string, ...parts: fc.Arbitrary<object>[]) => merged(fc.constant({ type }), ...parts);

const event = fc.oneof(
  ofType('prompted', fc.record({ text }), optional(fc.array(image, { maxLength: 2 }), 'images')),
  ofType('replied', fc.record({ reply })),
  ofType(
    'decided',
    fc.record({ callId: text, decision: fc.constantFrom('allow', 'deny'), by: text }),
    optional(text, 'reason'),
  ),
  ofType('started', fc.record({ callId: text })),
  ofType('answered', fc.record({ result })),
  ofType('nudged', fc.record({ by: text, text }), optional(reply, 'reply')),
  ofType('compacted', fc.record({ by: text, cut: fc.nat(), messages: fc.array(message, { maxLength: 3 }) })),
  ofType('noted', fc.record({ by: text, kind: text }), optional(data, 'data')),
  ofType('released'),
  ofType(
    'stopped',
    fc.record({ reason: fc.constantFrom('interrupted', 'crashed', 'step limit') }),
    optional(text, 'partial'),
  ),
);

describe('an event', () => {
  it('comes back whole from its line of JSON', () => {
    fc.assert(
      fc.property(event, whole, (some, envelope) => {
        const read = JSON.parse(JSON.stringify({ ...envelope, event: some }));
        expect(Event.parse(read.event)).toEqual(JSON.parse(JSON.stringify(some)));
      }),
      { seed: 9 },
    );
  });

  it('of an unknown type, or without a field that it needs, is refused', () => {
    for (const broken of [
      { type: 'dreamt' },
      { type: 'prompted' },
      { type: 'stopped', reason: 'tired' },
      null,
      'released',
    ]) {
      expect(Event.safeParse(broken).success).toBe(false);
    }
  });

  it('holds a call whose input was nothing', () => {
    const line = JSON.stringify({
      type: 'replied',
      reply: { from: 'model', text: '', calls: [{ id: 'a', name: 'x', input: undefined }] },
    });
    expect(Event.safeParse(JSON.parse(line)).success).toBe(true);
  });
});

describe('a fault', () => {
  it('is of the provider unless it is of ours, of the user or of this machine', () => {
    expect(isProviderFault(fault('quota', 'none left'))).toBe(true);
    for (const kind of ['aborted', 'usage', 'storage', 'internal'] as const) {
      expect(isProviderFault(fault(kind, ''))).toBe(false);
    }
  });
});
