/**
 * The one mend of a valid input. Where a schema allows text and a list, a list that came as text would be taken for text:
 * one task called `["write A","write B"]`. It is a list only if all of the text is strict JSON of one, and every item fits.
 */

import { attemptSync, messageOf } from '../../../../base/attempt.ts';
import { fits } from '../schema/check.ts';
import { branchesOf, kindsOf, resolve, type Schema } from '../schema/node.ts';
import { type Candidate, type Fitting, keyOf, type Part } from './fitting.ts';

export function unionList({ value, schema, path }: Part, { rules, isOff, isVerbatim }: Fitting): Candidate | undefined {
  if (typeof value !== 'string' || !/^\s*\[/.test(value) || isOff('value.union-list') || isVerbatim(keyOf(path)))
    return undefined;
  const lists = listsOf(schema, rules.root);
  if (lists.length === 0 || !fits(value, schema, rules)) return undefined;
  const parsed = attemptSync(() => JSON.parse(value) as unknown, messageOf);
  if (!parsed.ok || !Array.isArray(parsed.value) || parsed.value.length === 0) return undefined;
  const list: unknown = parsed.value;
  if (!lists.some((branch) => fits(list, branch, rules))) return undefined;
  return { step: 'value.union-list', value: list, what: 'the list that the text holds' };
}

/** The alternatives that are lists of something; a list of anything says nothing about this text. */
function listsOf(schema: Schema, root: Schema): readonly Schema[] {
  const own = Array.isArray(schema['type']) ? [schema] : [];
  return [...own, ...branchesOf(schema).map((branch) => resolve(branch, root))].filter(
    (branch) => kindsOf(branch)?.includes('array') && branch['items'] !== undefined,
  );
}
