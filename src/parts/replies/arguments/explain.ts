/** Why a call was not run, for the model: the field, what came, what is wanted, and this very call as it should be. */
import { clip } from './fit/fitting.ts';
import { type Issue, isObject, propertiesOf, requiredOf, type Schema } from './schema/node.ts';
import { exampleOf, parameterList } from './schema/wanted.ts';

export interface Refused {
  readonly tool: string;
  readonly schema: Schema;
  isVerbatim(key: string): boolean;
}

const issuesAtMost = 5;

export function explainIssues(issues: readonly Issue[], nearest: unknown, refused: Refused): string {
  const { tool, schema } = refused;
  const told = issues.slice(0, issuesAtMost).map(sentence);
  const more = issues.length > issuesAtMost ? [`And ${issues.length - issuesAtMost} more.`] : [];
  const isUnknown = issues.some(({ kind }) => kind === 'unknown');
  const names = isUnknown ? [`Parameters of ${tool}: ${parameterList(schema, schema)}.`] : [];
  return [
    `${tool} was not run.`,
    ...told,
    ...more,
    ...names,
    `Send it like this: ${example(issues, nearest, refused)}`,
  ].join(' ');
}

export function explainText(what: string, refused: Refused): string {
  return `${refused.tool} was not run. The text of its arguments ${what}. Send one JSON object, like this: ${example([], undefined, refused)}`;
}

export const explainCut = (tool: string, characters: number): string =>
  `${tool} was not run. The reply broke off inside its arguments, after ${characters} characters. Send the call again, whole; a long text in smaller pieces.`;

function sentence({ path, kind, wanted, got }: Issue): string {
  const field = path.length > 0 ? `"${path.join('.')}"` : 'The input';
  switch (kind) {
    case 'missing':
      return `${field} is missing: it wants ${wanted}.`;
    case 'unknown':
      return `There is no parameter ${field} (got ${clip(got)}).`;
    case 'never':
      return `${field} ${wanted}.`;
    default:
      return `${field} wants ${wanted}, got ${clip(got)}.`;
  }
}

const textAtMost = 60;

function example(issues: readonly Issue[], nearest: unknown, { schema, isVerbatim }: Refused): string {
  const given = isObject(nearest) ? nearest : {};
  const bad = new Set(issues.map(({ path }) => path[0]));
  const required = new Set(requiredOf(schema));
  const entries = Object.entries(propertiesOf(schema)).flatMap(([name, inner]): [string, unknown][] => {
    if (Object.hasOwn(given, name) && !bad.has(name)) return [[name, short(given[name], name, isVerbatim)]];
    return required.has(name) || bad.has(name) ? [[name, exampleOf(inner, schema, { name })]] : [];
  });
  return JSON.stringify(Object.fromEntries(entries));
}

/** Long text is named, not quoted: what is quoted in part would be sent in part. */
function short(value: unknown, name: string, isVerbatim: (key: string) => boolean): unknown {
  const isLong = (JSON.stringify(value)?.length ?? 0) > textAtMost;
  return isLong || (isVerbatim(name) && typeof value === 'string' && value.includes('\n'))
    ? `<${name}, as before>`
    : value;
}
