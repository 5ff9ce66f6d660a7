import { expect, it } from 'vitest';
import { fault } from '../../../protocol/fault.ts';
import { asking, ear } from '../testing/asking.ts';
import { scriptedModel } from './model.ts';

it('plays its replies in order, keeps the requests, and says when the script is over', async () => {
  const call = { id: 'a', name: 'read', input: { path: 'x' } };
  const { model, requests } = scriptedModel(
    'hi',
    { calls: [call] },
    { fault: fault('quota', 'no money') },
    ({ messages }) => `${messages.length}`,
  );
  const next = () => model(asking(), ear().io);
  expect([await next(), await next(), await next(), await next()]).toEqual([
    { ok: true, value: { from: 'model', text: 'hi', calls: [] } },
    { ok: true, value: { from: 'model', text: '', calls: [call] } },
    { ok: false, fault: { kind: 'quota', message: 'no money' } },
    { ok: true, value: { from: 'model', text: '1', calls: [] } },
  ]);
  expect(await next()).toMatchObject({ ok: false, fault: { message: 'The script ends after 4 replies.' } });
  expect(requests).toHaveLength(5);
});

it('comes back with an abort when it is called off', async () => {
  expect(await scriptedModel('hi').model(asking(), ear(AbortSignal.abort()).io)).toMatchObject({
    ok: false,
    fault: { kind: 'aborted' },
  });
});
