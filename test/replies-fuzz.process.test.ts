/** Seeded nonsense through every parser, and random faults through the real loop. `SMEW_TEST_LONG=1` runs the long counts. */
import { describe, expect, it } from 'vitest';
import { conversationOf } from '../src/loop/conversation.ts';
import { fakeTools, memoryJournal, roomy, stage } from '../src/loop/fakes.ts';
import { historyFaults } from '../src/loop/history.ts';
import { soundHistory } from '../src/parts/models/history.ts';
import { createHttp } from '../src/parts/models/http.ts';
import { openWire } from '../src/parts/models/open.ts';
import { startScriptedServer } from '../src/parts/models/scripted/server.ts';
import type { ScriptedFault, ScriptedTurn } from '../src/parts/models/scripted/turn.ts';
import { endpointAt } from '../src/parts/models/testing/asking.ts';
import { readReply } from '../src/parts/replies/read.ts';
import { replyReader } from '../src/parts/replies/reader.ts';
import type { Message } from '../src/protocol/message.ts';
import type { RawReply } from '../src/protocol/model.ts';
import { explainReply } from '../src/session/debug/reply.ts';

const isLong = process.env['SMEW_TEST_LONG'] === '1';

/** Mulberry32: the same numbers from the same seed. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const schema = (...names: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  required: names,
});
const tools = [
  { name: 'read', description: '', parameters: schema('path') },
  { name: 'write', description: '', parameters: schema('path', 'content') },
  {
    name: 'edit',
    description: '',
    parameters: {
      ...schema('path'),
      properties: { path: { type: 'string' }, edits: { type: 'array', items: schema('old', 'new') } },
    },
  },
];

const scraps = [
  '{',
  '}',
  '[',
  ']',
  '"',
  "'",
  ':',
  ',',
  '\\',
  '\n',
  ' ',
  '`',
  '```json\n',
  '<',
  '>',
  '/',
  '=',
  '<tool_call>',
  '</tool_call>',
  '<function=read>',
  '<parameter=path>',
  '</parameter>',
  '</function>',
  '<think>',
  '</think>',
  '<|tool_call_begin|>',
  '<\uff5cDSML\uff5cinvoke name="read">',
  '[TOOL_CALLS]',
  '<arg_key>',
  '<arg_value>',
  '"name"',
  '"arguments"',
  '"path"',
  '"content"',
  'read',
  'write',
  'edit',
  'path',
  'a.ts',
  'null',
  'True',
  '1e9',
  '\u0000',
  '\ud800',
  'é',
  '&lt;invoke',
  '<invoke name="read">',
  'functions.read:0',
  '<|channel|>',
  'read(path="a")',
  '<|python_tag|>',
  '{"name":"read","arguments":{"path":"a"}}',
];

const text = (roll: () => number, most: number): string =>
  Array.from({ length: Math.floor(roll() * most) }, () => scraps[Math.floor(roll() * scraps.length)]).join('');

const rawOf = (roll: () => number, most = 40): RawReply => ({
  text: text(roll, most),
  reasoning: text(roll, most / 2),
  calls: Array.from({ length: Math.floor(roll() * 3) }, (_, index) => ({
    id: roll() < 0.5 ? `c${index}` : '',
    name: roll() < 0.7 ? (tools[Math.floor(roll() * 3)]?.name ?? '') : text(roll, 6),
    arguments: text(roll, most),
  })),
  finish: (['stop', 'calls', 'length', 'unknown'] as const)[Math.floor(roll() * 4)] ?? 'stop',
  isCut: roll() < 0.2,
});

const options = { wire: 'chat', model: 'p/m', tools };

describe('nonsense', () => {
  it('is read without a crash, and every call that would run fits its tool', () => {
    const roll = dice(1);
    for (let count = 0; count < (isLong ? 500_000 : 1_500); count++) {
      const { reply } = readReply(rawOf(roll), options);
      for (const { name, input, unreadable } of reply.calls) {
        if (unreadable !== undefined) continue;
        expect(tools.map((tool) => tool.name)).toContain(name);
        expect(typeof input).toBe('object');
      }
    }
  }, 1_200_000);

  it('over the wire is a reply or a fault', async () => {
    const roll = dice(2);
    for (let count = 0; count < (isLong ? 250_000 : 800); count++) {
      const lines = Array.from({ length: 1 + Math.floor(roll() * 6) }, () =>
        roll() < 0.3
          ? text(roll, 8)
          : `data: ${JSON.stringify({ choices: [{ index: 0, delta: deltaOf(roll), finish_reason: roll() < 0.3 ? 'stop' : null }] })}${roll() < 0.8 ? '\n' : text(roll, 4)}`,
      );
      const answer = await explainReply({
        id: count,
        wire: 'chat',
        tools,
        sse: roll() < 0.5 ? [...lines, 'data: [DONE]'] : lines,
      });
      expect(answer.ok && typeof answer.value.action).toBe('string');
    }
  }, 1_200_000);

  it('of messages becomes a sound history', () => {
    const roll = dice(3);
    for (let count = 0; count < (isLong ? 250_000 : 1_000); count++) {
      const sound = soundHistory(Array.from({ length: Math.floor(roll() * 10) }, () => messageOf(roll)));
      expect(historyFaults(sound)).toEqual([]);
    }
  }, 1_200_000);

  it.each(scraps.filter((scrap) => scrap.trim() !== ''))(
    'of 100 KB made of %j takes no longer than 100 ms',
    (scrap) => {
      const long = scrap.repeat(Math.ceil(100_000 / scrap.length));
      readReply({ text: scrap, calls: [], finish: 'stop', isCut: false }, options);
      for (const raw of [
        { text: long, calls: [] },
        { text: '', calls: [{ id: 'a', name: 'write', arguments: `{"path":"a","content":"${long}` }] },
        { text: '', calls: [{ id: 'a', name: 'write', arguments: long }] },
      ]) {
        const start = process.cpuUsage();
        readReply({ ...raw, finish: 'stop', isCut: false }, options);
        const { user } = process.threadCpuUsage(start);
        expect(user / 1000).toBeLessThan(100);
      }
    },
  );
});

function deltaOf(roll: () => number): object {
  if (roll() < 0.4) return { content: text(roll, 6) };
  const maybe = (value: unknown) => (roll() < 0.5 ? value : undefined);
  const call = {
    index: maybe(Math.floor(roll() * 2)),
    id: maybe(`c${Math.floor(roll() * 3)}`),
    function: { name: maybe('read'), arguments: maybe(text(roll, 5)) },
  };
  return roll() < 0.1 ? { tool_calls: text(roll, 3) } : { tool_calls: [call] };
}

function messageOf(roll: () => number): Message {
  const id = () => `${Math.floor(roll() * 4)}`;
  const ids = Array.from({ length: Math.floor(roll() * 3) }, id);
  const kind = roll();
  if (kind < 0.3) return { from: 'user', text: roll() < 0.2 ? '' : 'u' };
  if (kind < 0.7)
    return {
      from: 'model',
      text: roll() < 0.4 ? '' : 'm',
      calls: ids.map((one) => ({ id: one, name: 'read', input: {} })),
    };
  return { from: 'tools', results: ids.map((callId) => ({ callId, ok: true, text: 'r' })) };
}

describe('the cost', () => {
  it('of a reply of 10 KB is at most 1 ms', () => {
    const content = 'const value = compute(input); // a line of code\n'.repeat(200);
    const replies: RawReply[] = [
      {
        text: '',
        calls: [{ id: 'a', name: 'write', arguments: JSON.stringify({ path: 'a.ts', content }) }],
        finish: 'calls',
        isCut: false,
      },
      { text: content, calls: [], finish: 'stop', isCut: false },
      {
        text: `I write.\n<tool_call>\n<function=write>\n<parameter=path>\na\n</parameter>\n<parameter=content>\n${content}</parameter>\n</function>\n</tool_call>`,
        calls: [],
        finish: 'stop',
        isCut: false,
      },
      {
        text: '',
        calls: [
          { id: 'a', name: 'Write', arguments: `${JSON.stringify({ file_path: 'a.ts', content }).slice(0, -1)},}` },
        ],
        finish: 'calls',
        isCut: false,
      },
    ];
    for (const raw of replies) {
      for (let warm = 0; warm < 60; warm++) readReply(raw, options);
      // The best of several batches: others use this machine as well.
      const batches = Array.from({ length: 12 }, () => {
        const start = performance.now();
        for (let round = 0; round < 5; round++) readReply(raw, options);
        return (performance.now() - start) / 5;
      });
      const ms = Math.min(...batches);
      if (isLong) console.log('milliseconds for', raw.text.slice(0, 20) || raw.calls[0]?.name, ms);
      expect(ms).toBeLessThan(1);
    }
  });
});

const turn: ScriptedTurn = {
  text: 'I look at it.',
  reasoning: 'hm',
  calls: [{ op: 'raw', name: 'touch', args: { path: 'ä.txt' } }],
};

function faultOf(roll: () => number): ScriptedFault {
  const at = Math.floor(roll() * 900);
  const some = Math.floor(roll() * 8);
  const times = 1 + Math.floor(roll() * 3);
  const faults: ScriptedFault[] = [
    { kind: 'cut', afterBytes: at, how: 'end', times },
    { kind: 'cut', afterBytes: at, how: 'close', times },
    { kind: 'cut', afterBytes: at, how: 'reset', times },
    { kind: 'reset', times },
    { kind: 'stall', afterEvents: some, times: 1 },
    { kind: 'garbage', line: text(roll, 10).replace(/[\r\n]/g, ' '), afterEvents: some, times },
    { kind: 'error', error: { message: text(roll, 4), code: 400 + some * 20 }, afterEvents: some, times },
    { kind: 'status', status: [429, 500, 502, 503, 529, 408][some % 6] ?? 500, times },
    { kind: 'drip', bytes: 1 + some * 7, ms: 0, times },
  ];
  return faults[Math.floor(roll() * faults.length)] ?? { kind: 'reset', times };
}

describe('random stream faults through the loop', () => {
  it('never hang, never crash, never run a tool twice', async () => {
    const roll = dice(4);
    for (let count = 0; count < (isLong ? 10_000 : 150); count++) {
      const server = await startScriptedServer({
        turns: [
          { ...turn, fault: faultOf(roll) },
          { text: 'Done.', fault: faultOf(roll) },
        ],
      });
      const http = createHttp({ connectMs: 500, firstOutputMs: 60, betweenMs: 60 });
      const clock = { now: () => Date.now() };
      const wire = openWire(endpointAt(server.url), { http, clock, random: roll, baseMs: 1, maxMs: 2 });
      const ran: string[] = [];
      const journal = memoryJournal();
      const specs = [{ name: 'touch', description: '', parameters: schema('path') }];
      const scene = stage({
        journal,
        tools: fakeTools({
          touch: {
            run: (_, io) => {
              ran.push(io.callId);
              return 'ok';
            },
          },
        }),
        model: (request, io) => replyReader(wire, { clock })({ ...request, tools: specs }, io),
      });
      const start = performance.now();
      await scene.play();
      expect(performance.now() - start).toBeLessThan(5_000);
      const folded = conversationOf(journal.recorded, roomy);
      expect(folded.phase.name).toBe('done');
      expect(historyFaults(folded.messages)).toEqual([]);
      expect(new Set(ran).size).toBe(ran.length);
      expect(ran.length).toBeLessThanOrEqual(1);
      http.close();
      await server.close();
    }
  }, 3_600_000);
});
