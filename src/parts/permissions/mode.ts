/** Modes by all the names under which people know them. */
import { fail, ok, type Result } from '../../base/result.ts';
import { type Fault, fault } from '../../protocol/fault.ts';
import { Mode } from '../../protocol/permission.ts';

const otherNames: Readonly<Record<string, Mode>> = {
  acceptedits: 'accept-edits',
  readonly: 'plan',
  bypasspermissions: 'bypass',
  yolo: 'bypass',
};

/** Takes `accept-edits`, `acceptEdits`, `ACCEPT_EDITS` for one; fails with the list of modes. */
export function parseMode(text: string): Result<Mode, Fault> {
  const known = Mode.safeParse(text.trim().toLowerCase());
  if (known.success) return ok(known.data);
  const plain = text.toLowerCase().replace(/[\s_-]/g, '');
  const other = Object.hasOwn(otherNames, plain) ? otherNames[plain] : undefined;
  if (other) return ok(other);
  return fail(fault('usage', `There is no permission mode "${text}". The modes are: ${Mode.options.join(', ')}.`));
}
