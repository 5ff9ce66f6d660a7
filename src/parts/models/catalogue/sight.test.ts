import { expect, test } from 'vitest';
import { fail } from '../../../base/result.ts';
import type { ModelRequest, Wire } from '../../../loop/ports.ts';
import { fault } from '../../../protocol/fault.ts';
import { asking, ear, said } from '../testing/asking.ts';
import { withoutSight } from './sight.ts';

const seen: ModelRequest[] = [];
const wire: Wire = async (request) => {
  seen.push(request);
  return fail(fault('aborted', 'seen enough'));
};

test('a model that cannot see is told of an image and not sent it, each time in the same words', async () => {
  const image = { mediaType: 'image/png', base64: 'QUJD' };
  const request = asking([{ from: 'user', text: 'look', images: [image] }, said('and now?')]);
  const blind = withoutSight(wire, 'box/small');
  await blind(request, ear().io);
  await blind(request, ear().io);
  const [first, second] = seen.splice(0);
  expect(first?.messages.at(0)).toEqual({
    from: 'user',
    text: 'look\n[1 image left out: box/small does not see images]',
  });
  expect(first?.messages.at(1)).toBe(request.messages.at(1));
  expect(second?.messages.at(0)).toBe(first?.messages.at(0));
});

test('a request without images is handed on as it is', async () => {
  const request = asking([said('hello')]);
  await withoutSight(wire, 'box/small')(request, ear().io);
  expect(seen.splice(0)).toEqual([request]);
});
