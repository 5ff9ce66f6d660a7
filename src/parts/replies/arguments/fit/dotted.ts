/** Keys that were flattened: `user.name`, `edits[0].old`. */
import { propertiesOf } from '../schema/node.ts';
import { pathText } from './fitting.ts';
import type { KeyChange, Members, Names } from './members.ts';

const segmentsAtMost = 8;

export function undotted({ members, unknown, schema, path }: Names): KeyChange | undefined {
  const properties = propertiesOf(schema);
  const split = new Map(unknown.map((key) => [key, segmentsOf(key)] as const));
  const heads = [...split.values()].map(([head = '']) => head);
  const head = heads.find(
    (name, index) =>
      Object.hasOwn(properties, name) &&
      (split.get(unknown[index] ?? '')?.length ?? 0) > 1 &&
      !Object.hasOwn(members, name),
  );
  if (head === undefined) return undefined;
  const flat = unknown.filter((key) => split.get(key)?.[0] === head);
  const value = nested(flat.map((key) => [split.get(key)?.slice(1) ?? [], members[key]] as const));
  if (value === undefined) return undefined;
  const others = Object.entries(members).filter(([key]) => !flat.includes(key));
  return {
    members: Object.fromEntries([...others, [head, value]]),
    path: pathText([...path, head]),
    what: `put together from ${flat.join(', ').slice(0, 120)}`,
  };
}

const segmentsOf = (key: string): string[] => {
  const segments = key.replace(/\[(\d+)\]/g, '.$1').split('.');
  return segments.length > segmentsAtMost || segments.includes('') ? [key] : segments;
};

type Flat = readonly (readonly [segments: readonly string[], value: unknown])[];

/** undefined where two keys want the same place. */
function nested(flat: Flat): unknown {
  const [first] = flat;
  if (first && first[0].length === 0) return flat.length === 1 ? first[1] : undefined;
  const groups = new Map<string, (readonly [readonly string[], unknown])[]>();
  for (const [[head, ...rest], value] of flat) {
    if (head === undefined) return undefined;
    groups.set(head, [...(groups.get(head) ?? []), [rest, value]]);
  }
  const entries = [...groups].map(([head, inner]) => [head, nested(inner)] as const);
  if (entries.some(([, value]) => value === undefined)) return undefined;
  const isList = entries.every(([head], index) => head === `${index}`);
  const members: Members = Object.fromEntries(entries);
  return isList ? Object.values(members) : members;
}
