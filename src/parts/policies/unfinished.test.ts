import { expect, it } from 'vitest';
import { calls, fakeTools, says, scriptedModel, stage } from '../../loop/fakes.ts';
import type { Reply } from '../../protocol/message.ts';
import { unfinished } from './unfinished.ts';

const lapseOf = ({ text }: Reply) =>
  text === '' || text.startsWith('I will') ? { name: 'lapse', text: 'Go on.' } : undefined;
const endOf = async (...replies: Reply[]) => {
  const { model, requests } = scriptedModel(...replies);
  const tools = fakeTools({ read: { run: () => 'text' } });
  const { events } = await stage({ model, tools, policies: [unfinished({ lapseOf })] }).play();
  return { end: events.at(-1), asked: requests.length };
};
const times = (count: number, reply: Reply) => Array.from({ length: count }, () => reply);

it('fails a turn in which the model gives no answer time after time, also after tools ran', async () => {
  const end = { type: 'stopped', reason: 'policy', by: 'unfinished', fault: { kind: 'cut' } };
  const message = expect.stringContaining('gave no answer 4 times');
  expect(await endOf(...times(5, says('')))).toMatchObject({ end: { ...end, fault: { message } }, asked: 4 });
  expect(await endOf(calls('a:read'), ...times(5, says('')))).toMatchObject({
    end: { ...end, fault: { message } },
    asked: 5,
  });
});

it('fails a turn of announcements in which no tool was called', async () => {
  const { end, asked } = await endOf(...times(5, says('I will read it.')));
  const message = expect.stringContaining('never called a tool');
  expect([end, asked]).toMatchObject([{ type: 'stopped', fault: { message } }, 4]);
});

it('lets an announcement end a turn of work', async () => {
  const { end } = await endOf(calls('a:read'), ...times(5, says('I will read it.')));
  expect(end).toEqual({ type: 'released' });
});

it('lets an answer pass that comes late', async () => {
  expect(await endOf(...times(3, says('')), says('Done.'))).toEqual({ end: { type: 'released' }, asked: 4 });
});
