import { describe, expect, it } from 'vitest';
import { calls, fakeTools, type ScriptedTurn, says, scriptedModel, stage } from '../loop/fakes.ts';
import { emptyLedger } from './ledger.ts';
import { liveSession } from './live-session.ts';

const tools = fakeTools({ read: { run: () => 'words of a file\n'.repeat(100) } });

function session(...turns: readonly ScriptedTurn[]) {
  const { model, requests } = scriptedModel(...turns);
  const { deps } = stage({ model, tools });
  const limits = { steps: 50, nudges: 5 };
  const live = liveSession({
    id: 's1',
    cwd: '/',
    deps,
    limits,
    past: [],
    firstEvents: [],
    notices: [],
    spent: () => emptyLedger,
    close: async () => {},
  });
  const say = async (text: string) => {
    for await (const _ of live.prompt(text)) void _;
  };
  return { live, say, requests };
}

describe('a session that is shortened on request', () => {
  it('leaves out old results, once, writes that down, and goes on with what is left', async () => {
    const { live, say, requests } = session(
      calls('a:read'),
      calls('b:read'),
      calls('c:read'),
      says('read'),
      says('on'),
    );
    await say('Read.');
    const freed = live.compact();
    expect(freed).toMatchObject({ ok: true, value: expect.any(Number) });
    expect(freed.ok && freed.value).toBeGreaterThan(100);
    expect(live.past().at(-1)?.event).toMatchObject({ type: 'compacted', by: 'user' });
    expect(live.compact()).toEqual({ ok: true, value: 0 });
    await say('Go on.');
    const results = [...(requests.at(-1)?.messages ?? [])].flatMap((message) =>
      message.from === 'tools' ? message.results : [],
    );
    expect(results.map(({ text }) => text.startsWith('[masked: '))).toEqual([true, false, false]);
  });

  it('is not shortened in the middle of a turn', async () => {
    const { live } = session(says('yes'));
    const running = live.prompt('Hello.');
    await running.next();
    expect(live.compact()).toMatchObject({ ok: false, fault: { kind: 'usage' } });
    await running.return(undefined);
  });
});
