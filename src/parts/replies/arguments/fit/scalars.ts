/** Numbers, booleans and text in each other's clothes. */
import { kindsOf } from '../schema/node.ts';
import { type Candidate, clip, type Fitting, keyOf, type Part } from './fitting.ts';

const decimal = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,2})?$/;
const grouped = /^[-+]?\d{1,3}(?:([,_'\u00a0 ])\d{3})(?:\1\d{3})*$/;
const unitOfLines = /^(?:lines?\s+)?(\d+)(?:\s*(?:lines?|rows?|results?|matches|entries))?$/i;

export function asNumber({ value, schema, path }: Part): Candidate | undefined {
  const kinds = kindsOf(schema) ?? [];
  if (typeof value !== 'string' || value.length > 60 || kinds.includes('string')) return undefined;
  if (!kinds.includes('integer') && !kinds.includes('number')) return undefined;
  const number = numberIn(value.trim(), keyOf(path), kinds.includes('number') ? 'number' : 'integer');
  // Digits that a number cannot hold would be lost.
  if (number === undefined || !Number.isFinite(number) || (Number.isInteger(number) && !Number.isSafeInteger(number)))
    return undefined;
  return { step: 'value.number', value: number, what: `the number ${number}, written as ${clip(value)}` };
}

function numberIn(text: string, key: string, kind: 'integer' | 'number'): number | undefined {
  if (decimal.test(text)) return Number(text);
  // 1,000 is a thousand where only a whole number can be meant; elsewhere it might be one.
  if (kind === 'integer' && grouped.test(text)) return Number(text.replace(/[^\d+-]/g, ''));
  const time = inUnitOf(key, text);
  if (time !== undefined) return time;
  const lines = /line|limit|offset|count|max|results/i.test(key) ? unitOfLines.exec(text) : null;
  return lines ? Number(lines[1]) : undefined;
}

const milliseconds: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  sec: 1000,
  secs: 1000,
  second: 1000,
  seconds: 1000,
  min: 60_000,
  mins: 60_000,
  minute: 60_000,
  minutes: 60_000,
};

/** A time with its unit, where the parameter's name says in what it counts. */
function inUnitOf(key: string, text: string): number | undefined {
  const found = /^(\d+(?:\.\d+)?)\s*([a-z]+)$/i.exec(text);
  const factor = milliseconds[found?.[2]?.toLowerCase() ?? ''];
  if (!found || factor === undefined) return undefined;
  const counted = /(?:_ms|Ms|illis|illiseconds)$/.test(key)
    ? 1
    : /(?:_s|_secs?|Secs?|econds)$/.test(key)
      ? 1000
      : undefined;
  return counted === undefined ? undefined : (Number(found[1]) * factor) / counted;
}

const truths: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  on: true,
  '1': true,
  false: false,
  no: false,
  off: false,
  '0': false,
};

export function asBoolean({ value, schema }: Part): Candidate | undefined {
  const kinds = kindsOf(schema) ?? [];
  if (!kinds.includes('boolean') || kinds.includes('string') || !['string', 'number'].includes(typeof value))
    return undefined;
  const truth = truths[String(value).trim().toLowerCase()];
  return truth === undefined
    ? undefined
    : { step: 'value.boolean', value: truth, what: `${truth}, written as ${clip(value)}` };
}

/** The number as it was spelled, 1.10 for one; digits that were lost in reading are not made up. */
export function asText({ value, schema, path }: Part, { spelling, isVerbatim }: Fitting): Candidate | undefined {
  if (!kindsOf(schema)?.includes('string') || isVerbatim(keyOf(path))) return undefined;
  if (typeof value !== 'number' && typeof value !== 'boolean') return undefined;
  const spelled = typeof value === 'number' ? spelling(value) : undefined;
  if (spelled === null) return undefined;
  const isExact =
    typeof value === 'boolean' || (Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value)));
  const text = spelled ?? (isExact ? String(value) : undefined);
  return text === undefined
    ? undefined
    : { step: 'value.text', value: text, what: `the text ${clip(text)}, written without quotes` };
}
