import { expect, test } from 'vitest';
import { ok } from '../../base/result.ts';
import { heard } from '../../loop/fakes.ts';
import type { Event, Recorded } from '../../protocol/event.ts';
import type { Reply } from '../../protocol/message.ts';
import { replay } from './replay.ts';

const opened: Event = {
  type: 'opened',
  sessionId: 's',
  version: '1',
  cwd: '/',
  model: 'fake/model',
  system: [],
  tools: [],
};
const hi: Reply = { from: 'model', text: 'Hi.', calls: [] };
const replied: Event = { type: 'replied', reply: hi };

const play = (...events: Event[]) =>
  replay({
    recorded: events.map((event, at): Recorded => ({ seq: at + 1, at, agent: 'main', event })),
    tools: { specs: [], prepare: () => ({ ok: false, fault: { ok: false, text: 'no tools' } }) },
    reader: (wire) => async (request, io) => {
      const raw = await wire(request, io);
      if (!raw.ok) return raw;
      io.emit({ type: 'heard', model: request.model, raw: raw.value, requestBytes: 0, totalMs: 0 });
      return ok({ from: 'model', text: raw.value.text, calls: [] });
    },
    isLive: false,
  });

test('a whole record replays without a difference', async () => {
  const report = await play(opened, { type: 'prompted', text: 'hi' }, heard(hi), replied, { type: 'released' });
  expect(report).toMatchObject({ events: 5, replayed: 5, differences: [] });
});

test('a record that lost a reply is told, and never waited for', async () => {
  const report = await play(opened, { type: 'prompted', text: 'hi' }, replied, { type: 'released' });
  expect(report.differences).toHaveLength(1);
  expect(report.differences[0]).toMatchObject({ seq: 3, recorded: 'replied' });
});
