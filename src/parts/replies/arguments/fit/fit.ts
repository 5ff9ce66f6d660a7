/** Fits a value to a schema: what fits is handed back as it is, and only what the schema refuses is read in another way. */
import { checkBranches, checkOwn, fits, fitsOwn, missing, unknown } from '../schema/check.ts';
import {
  branchesOf,
  type Issue,
  isObject,
  itemSchema,
  memberSchema,
  never,
  propertiesOf,
  requiredOf,
  resolve,
  type Schema,
} from '../schema/node.ts';
import { wantedOf } from '../schema/wanted.ts';
import type { Repair, StepId } from '../steps.ts';
import { type Candidate, clip, type Fitted, type Fitting, type Part, pathText } from './fitting.ts';
import { mendKeys } from './keys.ts';
import { unionList } from './union.ts';
import { readings } from './values.ts';

const depthAtMost = 120;
const issuesAtMost = 20;
/** Of one kind in one list. */
const repairsAtMost = 10;

export function fitValue(
  { value, schema: reference, path }: Omit<Part, 'schema'> & { schema: unknown },
  fitting: Fitting,
): Fitted {
  const schema = resolve(reference, fitting.rules.root);
  if (schema === never || path.length > depthAtMost) {
    return { value, repairs: [], issues: [{ path, kind: 'never', wanted: 'must not be there', got: value }] };
  }
  const part: Part = { value, schema, path };
  const list = unionList(part, fitting);
  if (list) return { value: list.value, issues: [], repairs: [repairOf(list, part)] };
  if (!fitsOwn(value, schema)) return tryCandidates(part, fitting);
  const inner = fitParts(part, fitting);
  if (inner.issues.length > 0) return inner;
  return fitBranches({ ...part, value: inner.value }, inner, fitting);
}

function tryCandidates(part: Part, fitting: Fitting): Fitted {
  for (const reading of readings) {
    const candidate = reading(part, fitting);
    if (!candidate || fitting.isOff(candidate.step) || fitting.fuel <= 0) continue;
    fitting.fuel--;
    const fitted = fitValue({ ...part, value: candidate.value }, fitting);
    if (fitted.issues.length > 0) continue;
    // Only what leads nowhere is counted: a long list of small mends is no attack.
    fitting.fuel++;
    return { ...fitted, repairs: [repairOf(candidate, part), ...fitted.repairs] };
  }
  const { value, schema, path } = part;
  return { value, issues: checkOwn(value, schema, { path, rules: fitting.rules }), repairs: [] };
}

const repairOf = ({ step, what }: Candidate, { path }: Part): Repair => ({ step, path: pathText(path), what });

function fitParts(part: Part, fitting: Fitting): Fitted {
  if (Array.isArray(part.value)) return fitItems(part, part.value, fitting);
  return isObject(part.value) ? fitMembers(part, part.value, fitting) : { value: part.value, issues: [], repairs: [] };
}

function fitItems({ value, schema, path }: Part, items: readonly unknown[], fitting: Fitting): Fitted {
  const values: unknown[] = [];
  const issues: Issue[] = [];
  const repairs: Repair[] = [];
  const counts = new Map<StepId, number>();
  // A list of a thousand numbers in quotes is one slip, not a thousand.
  const count = (repair: Repair) => {
    const before = counts.get(repair.step) ?? 0;
    counts.set(repair.step, before + 1);
    if (before < repairsAtMost) repairs.push(repair);
  };
  for (const [index, item] of items.entries()) {
    const at = [...path, `${index}`];
    const fitted = fitValue({ value: item, schema: itemSchema(schema, index), path: at }, fitting);
    values.push(fitted.value);
    for (const issue of fitted.issues) issues.push(issue);
    for (const repair of fitted.repairs) count(repair);
    // More is not told, and what is refused need not be read to its end.
    if (issues.length > issuesAtMost) break;
  }
  for (const [step, total] of counts) {
    if (total > repairsAtMost)
      repairs.push({ step, path: pathText(path), what: `${total - repairsAtMost} more of this kind` });
  }
  const isSame = issues.length > 0 || values.every((one, index) => Object.is(one, items[index]));
  return { value: isSame ? value : values, issues, repairs };
}

function fitMembers(part: Part, members: Readonly<Record<string, unknown>>, fitting: Fitting): Fitted {
  const { schema, path } = part;
  const { rules } = fitting;
  const mended = mendKeys({ ...part, value: members }, fitting);
  const issues: Issue[] = [];
  const repairs: Repair[] = [...mended.repairs];
  const entries: [string, unknown][] = [];
  for (const [key, member] of Object.entries(mended.members)) {
    const at = [...path, key];
    const inner = memberSchema(schema, key, rules);
    if (inner === undefined) {
      issues.push(unknown(at, member));
      continue;
    }
    const fitted = fitValue({ value: member, schema: inner, path: at }, fitting);
    for (const issue of fitted.issues) issues.push(issue);
    for (const repair of fitted.repairs) repairs.push(repair);
    entries.push([key, fitted.value]);
  }
  for (const name of requiredOf(schema)) {
    if (Object.hasOwn(mended.members, name)) continue;
    const fallback = defaultOf(schema, name, fitting);
    if (fallback === undefined) issues.push(missing(schema, name, { path, rules }));
    else {
      entries.push([name, fallback]);
      repairs.push({ step: 'value.default', path: pathText([...path, name]), what: `its default, ${clip(fallback)}` });
    }
  }
  const isSame =
    entries.length === Object.keys(members).length &&
    entries.every(([key, inner]) => Object.hasOwn(members, key) && Object.is(members[key], inner));
  return { value: isSame ? members : Object.fromEntries(entries), issues, repairs };
}

/** Only what the schema itself names. */
function defaultOf(schema: Schema, name: string, { rules, isOff }: Fitting): unknown {
  const inner = resolve(propertiesOf(schema)[name], rules.root);
  const fallback = inner['default'];
  return !isOff('value.default') && fits(fallback, inner, rules) && fallback !== null ? fallback : undefined;
}

/** Where no alternative fits, the first that a mend can make fit. */
function fitBranches(part: Part, fitted: Fitted, fitting: Fitting): Fitted {
  const { value, schema, path } = part;
  const { rules } = fitting;
  const issues = checkBranches(value, schema, { path, rules });
  if (issues.length === 0) return fitted;
  if (!isObject(schema['properties'])) {
    for (const branch of branchesOf(schema)) {
      if (fitting.fuel-- <= 0) break;
      const inner = fitValue({ value, schema: branch, path }, fitting);
      if (inner.issues.length === 0) return { ...inner, repairs: [...fitted.repairs, ...inner.repairs] };
    }
  }
  const wanted = wantedOf(schema, rules.root);
  return {
    value,
    repairs: fitted.repairs,
    issues: issues.map((issue) => (issue.kind === 'union' ? { ...issue, wanted } : issue)),
  };
}
