/** Why an input was refused, in words from which a model can mend it: the field, what is wanted, what came. */
import type * as z from 'zod/mini';

type Issue = z.core.$ZodIssue;

/** `parameters` is the tool's JSON Schema, `raw` the input that did not fit it. */
export function explainInput(error: z.core.$ZodError, raw: unknown, parameters: Record<string, unknown>): string {
  const { properties } = parameters;
  const names = Object.keys(objectOr(properties));
  const told = error.issues.slice(0, issuesAtMost).map((issue) => explainIssue(issue, raw, names));
  const more = error.issues.length - told.length;
  return [...told, ...(more > 0 ? [`And ${more} more of this kind.`] : [])].join(' ');
}

const issuesAtMost = 5;

function explainIssue(issue: Issue, raw: unknown, names: readonly string[]): string {
  const path = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    const unknown = issue.keys.map((key) => `"${key}"`).join(', ');
    const known = issue.path.length > 0 ? '' : ` Its parameters are: ${names.join(', ') || 'none'}.`;
    return `There is no parameter ${unknown}${path ? ` in "${path}"` : ''}.${known}`;
  }
  const field = path ? `"${path}"` : 'The input';
  const value = valueAt(raw, issue.path);
  if (value === undefined) return `${field} is missing: ${wanted(issue)}.`;
  return `${field}: ${wanted(issue)}; got ${shortly(value)}.`;
}

/** In our words: zod/mini carries no sentences without a locale. */
function wanted(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected === 'int' ? 'wants a whole number' : `wants ${article(issue.expected)}`;
    case 'invalid_value':
      return `wants one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
    case 'too_small':
      return `wants at least ${issue.minimum}${unitOf(issue.origin)}`;
    case 'too_big':
      return `wants at most ${issue.maximum}${unitOf(issue.origin)}`;
    case 'invalid_union':
      return 'fits none of the forms that are allowed here';
    default:
      return issue.message;
  }
}

const article = (type: string): string => `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' || origin === 'set' ? ' items' : '';
}

function shortly(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 120 ? `${text.slice(0, 120)}...` : text;
}

const objectOr = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {});

function valueAt(raw: unknown, path: readonly PropertyKey[]): unknown {
  let value = raw;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key]; // any object can be asked for any key
  }
  return value;
}
