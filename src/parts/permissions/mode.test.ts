import { expect, test } from 'vitest';
import { parseMode } from './mode.ts';

test.each([
  ['default', 'default'],
  ['accept-edits', 'accept-edits'],
  ['acceptEdits', 'accept-edits'],
  ['ACCEPT_EDITS', 'accept-edits'],
  ['plan', 'plan'],
  ['read-only', 'plan'],
  ['readonly', 'plan'],
  ['auto', 'auto'],
  ['bypass', 'bypass'],
  ['bypassPermissions', 'bypass'],
  ['yolo', 'bypass'],
  [' Plan ', 'plan'],
])('"%s" is understood as %s', (text, mode) => {
  expect(parseMode(text)).toEqual({ ok: true, value: mode });
});

test.each(['', 'everything', 'constructor', 'dontAsk'])('"%s" is refused with the list of modes', (text) => {
  const parsed = parseMode(text);
  expect(parsed.ok).toBe(false);
  if (!parsed.ok) expect(parsed.fault.message).toContain('default, accept-edits, plan, auto, bypass');
});
