/** What every mend of a value is given, and what it gives. */
import { isDeepStrictEqual } from 'node:util';
import type { Issue, Schema, SchemaRules } from '../schema/node.ts';
import type { Repair, StepId } from '../steps.ts';

export interface Fitting {
  readonly rules: SchemaRules;
  isOff(step: StepId): boolean;
  isVerbatim(key: string): boolean;
  /** A string as JSON, read as tolerantly as the arguments themselves; undefined if it is none. */
  decode(text: string, key: string): unknown;
  /** How a number was spelled, where not as its value prints; null where it was spelled in two ways. */
  spelling(value: number): string | null | undefined;
  /** Alternatives that may still be tried: what a hostile input can cost is bounded. */
  fuel: number;
}

export interface Fitted {
  readonly value: unknown;
  readonly issues: readonly Issue[];
  readonly repairs: readonly Repair[];
}

/** A value at its place, with the schema that it should fit. */
export interface Part {
  readonly value: unknown;
  readonly schema: Schema;
  readonly path: readonly string[];
}

/** Another reading of a value, to be fitted in its turn. */
export interface Candidate {
  readonly step: StepId;
  readonly value: unknown;
  readonly what: string;
}

/** The key that a value stands under, its number in a list left out. */
export function keyOf(path: readonly string[]): string {
  const key = path.findLast((part) => !/^\d+$/.test(part));
  return key ?? '';
}

export const pathText = (path: readonly string[]): string => path.join('.');

/** A value for a message: short, and never deeper than a few levels. */
export function clip(value: unknown, charactersAtMost = 80): string {
  const text = JSON.stringify(typeof value === 'object' ? shallow(value, 3) : firstOf(value)) ?? 'nothing';
  return text.length > charactersAtMost ? `${text.slice(0, charactersAtMost)}...` : text;
}

const firstOf = (value: unknown): unknown =>
  typeof value === 'string' && value.length > 200 ? value.slice(0, 200) : value;

function shallow(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return firstOf(value);
  if (depth === 0) return Array.isArray(value) ? [] : {};
  if (Array.isArray(value)) return value.slice(0, 5).map((item) => shallow(item, depth - 1));
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, 12)
      .map(([key, member]) => [key, shallow(member, depth - 1)]),
  );
}

/** Nothing is said by it: null, an empty text, list or object. */
export function isNothing(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
}

export const isEqual = (left: unknown, right: unknown): boolean => isDeepStrictEqual(left, right);
