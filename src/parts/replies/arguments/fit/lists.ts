/** Calls that write a list of objects as one flat object, or repeat in every item what belongs beside the list. */
import { isObject, kindsOf, memberSchema, propertiesOf, requiredOf, resolve, type Schema } from '../schema/node.ts';
import { type Fitting, isEqual, isNothing, pathText } from './fitting.ts';
import { type KeyChange, type Members, type Names, without } from './members.ts';
import { folded, meanTheSame } from './words.ts';

interface ListOfObjects {
  readonly name: string;
  readonly item: Schema;
}

/** `{path, oldText, newText}` for `{path, edits: [{oldText, newText}]}`, where the list itself is absent or empty. */
export function gathered({ members, unknown, required, schema, path }: Names, fitting: Fitting): KeyChange | undefined {
  const lists = listsOf(schema, fitting).filter(
    ({ name }) => required.includes(name) && isNothing(members[name] ?? null),
  );
  const [list, second] = lists;
  if (!list || second) return undefined;
  const { item, name } = list;
  // Whatever a list of its own could be read as is not an item's member.
  const flat = unknown.filter((key) => belongsTo(item, key) && !Array.isArray(members[key]));
  const isWhole = flat.length > 0 && requiredOf(item).every((wanted) => flat.some((key) => isNameOf(wanted, key)));
  if (!isWhole) return undefined;
  const others = Object.entries(without(members, [...flat, name]));
  const entry = Object.fromEntries(flat.map((key) => [key, members[key]]));
  return {
    members: Object.fromEntries([...others, [name, [entry]]]),
    path: pathText([...path, name]),
    what: `a list made of ${flat.join(', ')}`,
  };
}

const belongsTo = (item: Schema, key: string): boolean =>
  Object.keys(propertiesOf(item)).some((name) => isNameOf(name, key));
const isNameOf = (name: string, key: string): boolean => folded(name) === folded(key) || meanTheSame(name, key);

function listsOf(schema: Schema, { rules }: Fitting): ListOfObjects[] {
  return Object.entries(propertiesOf(schema)).flatMap(([name, reference]) => {
    const list = resolve(reference, rules.root);
    const item = resolve(list['items'], rules.root);
    return kindsOf(list)?.includes('array') && isObject(item['properties']) ? [{ name, item }] : [];
  });
}

/** `{edits: [{path, old, new}]}` for `{path, edits: [{old, new}]}`: only if every item says the same. */
export function hoisted({ members, schema, path }: Names, fitting: Fitting): KeyChange | undefined {
  for (const { name, item } of listsOf(schema, fitting)) {
    const items = members[name];
    if (!Array.isArray(items) || items.length === 0 || !items.every(isObject)) continue;
    const found = commonKey(items, item, { members, schema, rules: fitting.rules });
    if (!found) continue;
    const list = items.map((inner) => without(inner, [found.key]));
    const rest = Object.hasOwn(members, found.name) ? {} : { [found.name]: found.value };
    return {
      members: { ...rest, ...members, [name]: list },
      path: pathText([...path, found.name]),
      what: `given in every item of ${name}`,
    };
  }
  return undefined;
}

interface Outer {
  readonly members: Members;
  readonly schema: Schema;
  readonly rules: Fitting['rules'];
}

function commonKey(
  items: readonly Members[],
  item: Schema,
  { members, schema, rules }: Outer,
): { key: string; name: string; value: unknown } | undefined {
  for (const [key, value] of Object.entries(items[0] ?? {})) {
    if (memberSchema(item, key, rules) !== undefined || belongsTo(item, key)) continue;
    if (!items.every((inner) => isEqual(inner[key], value))) continue;
    const name = Object.keys(propertiesOf(schema)).find((outer) => isNameOf(outer, key));
    const isFree = name !== undefined && (!Object.hasOwn(members, name) || isEqual(members[name], value));
    if (isFree) return { key, name, value };
  }
  return undefined;
}
