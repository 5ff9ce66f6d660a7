/** The members of an object, and what a mend of their names is given and gives. */
import type { Repair } from '../steps.ts';
import type { Part } from './fitting.ts';

export type Members = Readonly<Record<string, unknown>>;

export interface MendedKeys {
  readonly members: Members;
  readonly repairs: readonly Repair[];
}

/** What one mend made of the members; undefined where it had nothing to do. */
export interface KeyChange {
  readonly members: Members;
  readonly path?: string;
  readonly what: string;
}

export interface Names extends Part {
  readonly members: Members;
  /** Given, but not declared. */
  readonly unknown: readonly string[];
  /** Those of the unknown ones that the schema refuses. */
  readonly refused: readonly string[];
  /** Known, but not given: required ones first. */
  readonly absent: readonly string[];
  readonly required: readonly string[];
}

/** The members with `key` under another name, in its place. */
export const renamed = (members: Members, key: string, name: string): Members =>
  Object.fromEntries(Object.entries(members).map(([other, value]) => [other === key ? name : other, value]));

export const without = (members: Members, keys: readonly string[]): Members =>
  Object.fromEntries(Object.entries(members).filter(([key]) => !keys.includes(key)));
