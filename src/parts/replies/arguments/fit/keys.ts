/** Names of members that the schema does not know, and those that it misses. */
import { check, fits } from '../schema/check.ts';
import { isObject, memberSchema, propertiesOf, requiredOf, resolve } from '../schema/node.ts';
import type { Repair, StepId } from '../steps.ts';
import { nearest } from './distance.ts';
import { undotted } from './dotted.ts';
import { clip, type Fitting, isEqual, isNothing, type Part, pathText } from './fitting.ts';
import { gathered, hoisted } from './lists.ts';
import { type KeyChange, type Members, type MendedKeys, type Names, renamed, without } from './members.ts';
import { folded, meanTheSame, nameTheSameFile, narration } from './words.ts';

type KeyMend = (names: Names, fitting: Fitting) => KeyChange | undefined;

/** Each is tried until it finds no more; a name found by spelling is not looked for by meaning. */
const mends: readonly (readonly [StepId, KeyMend])[] = [
  ['key.dotted', undotted],
  ['key.empty', withoutEmpty],
  ['key.spelling', bySpelling],
  ['key.twice', withoutSecond],
  ['key.gathered', gathered],
  ['key.alias', byMeaning],
  ['key.hoisted', hoisted],
  ['key.narration', withoutNarration],
  ['key.nearest', byNearest],
  ['value.null', withoutNull],
];

const roundsAtMost = 40;
/** An object with more members than any tool has is no call with a slip in it. */
const membersAtMost = 100;

export function mendKeys(part: Part & { readonly value: Members }, fitting: Fitting): MendedKeys {
  let members = part.value;
  const repairs: Repair[] = [];
  if (Object.keys(members).length > membersAtMost) return { members, repairs };
  for (const [step, mend] of mends) {
    if (fitting.isOff(step)) continue;
    for (let round = 0; round < roundsAtMost; round++) {
      const names = namesOf({ ...part, value: members }, members, fitting);
      const change = names && mend(names, fitting);
      if (!change) break;
      members = change.members;
      repairs.push({ step, path: change.path ?? pathText(part.path), what: change.what });
    }
  }
  return { members, repairs };
}

/** undefined where the schema has nothing to say against the names, so that what is valid is not looked at twice. */
function namesOf(part: Part, members: Members, { rules }: Fitting): Names | undefined {
  const properties = propertiesOf(part.schema);
  const required = requiredOf(part.schema);
  const refused = Object.keys(members).filter((key) => memberSchema(part.schema, key, rules) === undefined);
  const missing = required.filter((name) => !Object.hasOwn(members, name));
  const isWorthALook = Object.values(members).some((value) => isAbsent(value) || Array.isArray(value));
  if (refused.length === 0 && missing.length === 0 && !isWorthALook) return undefined;
  // In an open object a misspelled required name is an unknown one all the same.
  const unknown = missing.length > 0 ? Object.keys(members).filter((key) => !Object.hasOwn(properties, key)) : refused;
  const optional = Object.keys(properties).filter((name) => !required.includes(name) && !Object.hasOwn(members, name));
  return { ...part, members, required, unknown, refused, absent: [...missing, ...optional] };
}

const named = (names: Names, key: string, name: string): KeyChange => ({
  members: renamed(names.members, key, name),
  path: pathText([...names.path, name]),
  what: `written as "${clip(key).slice(1, -1)}"`,
});

/** Folded alike, or alike but for a plural s. */
function bySpelling(names: Names): KeyChange | undefined {
  for (const key of names.unknown) {
    const alike = names.absent.filter((name) => singular(name) === singular(key));
    if (alike.length === 1 && alike[0] !== undefined) return named(names, key, alike[0]);
  }
  return undefined;
}

const singular = (name: string): string => folded(name).replace(/s$/, '');

function byMeaning(names: Names, fitting: Fitting): KeyChange | undefined {
  for (const key of names.unknown) {
    const alike = names.absent.filter((name) => meanTheSame(key, name));
    const needed = alike.filter((name) => names.required.includes(name));
    const [name, second] = needed.length > 0 ? needed : alike;
    if (name !== undefined && second === undefined && couldBe(names, name, key, fitting))
      return named(names, key, name);
  }
  return undefined;
}

/** An object or list is no text, whatever its name says. */
function couldBe({ schema, members }: Names, name: string, key: string, { rules }: Fitting): boolean {
  const value = members[key];
  const inner = resolve(propertiesOf(schema)[name], rules.root);
  const issues = check(value, inner, { path: [], rules });
  return (
    issues.every(({ kind }) => kind !== 'kind') ||
    !isObject(value) ||
    inner['type'] === 'object' ||
    inner['type'] === 'array'
  );
}

const lettersAtLeast = 4;

/** Only for a required name, and only if one name alone is near. */
function byNearest(names: Names): KeyChange | undefined {
  const missing = names.absent.filter((name) => names.required.includes(name));
  for (const key of names.unknown) {
    if (key.length < lettersAtLeast - 1) continue;
    const [name, second] = nearest(
      key,
      missing.filter(({ length }) => length >= lettersAtLeast),
    );
    if (name !== undefined && second === undefined) return named(names, key, name);
  }
  return undefined;
}

/** Null is how many models and SDKs write "not given". */
function withoutNull(names: Names, { rules }: Fitting): KeyChange | undefined {
  const { members, schema, required, path } = names;
  const properties = propertiesOf(schema);
  for (const [key, value] of Object.entries(members)) {
    if (required.includes(key) && !Object.hasOwn(resolve(properties[key], rules.root), 'default')) continue;
    if (!Object.hasOwn(properties, key) || !isAbsent(value) || fits(value, properties[key], rules)) continue;
    return { members: without(members, [key]), path: pathText([...path, key]), what: `${clip(value)} for "not given"` };
  }
  return undefined;
}

const isAbsent = (value: unknown): boolean =>
  isNothing(value) || (typeof value === 'string' && /^(?:null|none|undefined)$/i.test(value));

function withoutEmpty({ members, refused, path }: Names): KeyChange | undefined {
  const key = refused.find((name) => isNothing(members[name]));
  return key === undefined
    ? undefined
    : {
        members: without(members, [key]),
        path: pathText([...path, key]),
        what: `an unknown parameter that says nothing (${clip(members[key])})`,
      };
}

function withoutNarration({ members, refused, path }: Names): KeyChange | undefined {
  const key = refused.find((name) => narration.has(folded(name)) && typeof members[name] !== 'object');
  return key === undefined
    ? undefined
    : {
        members: without(members, [key]),
        path: pathText([...path, key]),
        what: `an unknown parameter that only comments on the call (${clip(members[key])})`,
      };
}

/** The same thing under its own name and another: the declared one is meant. Of two texts neither is thrown away. */
function withoutSecond({ members, refused, schema, path }: Names): KeyChange | undefined {
  const declared = Object.keys(propertiesOf(schema)).filter((name) => Object.hasOwn(members, name));
  for (const key of refused) {
    const name = declared.find((other) => isSecond(key, other, members));
    if (name === undefined) continue;
    return {
      members: without(members, [key]),
      path: pathText([...path, key]),
      what: `"${key}" beside "${name}" (${clip(members[key])})`,
    };
  }
  return undefined;
}

function isSecond(key: string, name: string, members: Members): boolean {
  if (isEqual(members[key], members[name])) return folded(key) === folded(name) || meanTheSame(key, name);
  return nameTheSameFile(key, name);
}
