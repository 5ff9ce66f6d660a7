/**
 * The arguments of one call: taken as they are if they are JSON and fit the tool's schema; else mended without loss, and only
 * where they were refused; else refused in words from which the model can mend them itself.
 */
import { fail, ok, type Result } from '../../../base/result.ts';
import { explainCut, explainIssues, explainText, type Refused } from './explain.ts';
import type { Fitting } from './fit/fitting.ts';
import { folded, isVerbatimName } from './fit/words.ts';
import { check, fits } from './schema/check.ts';
import { type Issue, propertiesOf, type Schema } from './schema/node.ts';
import { shape } from './shape.ts';
import type { Repair, StepId } from './steps.ts';
import { depthAtMost, type ReadingRules } from './text/cursor.ts';
import { isTooDeep, type ReadText, readText, spellingsIn } from './text/read.ts';

export interface ArgumentsOptions {
  /** The tool's name, for messages. */
  readonly tool: string;
  /** The reply broke off: nothing at the end of the text may be added. */
  readonly isCut?: boolean;
  readonly disabled?: ReadonlySet<StepId>;
  /**
   * Keys, at any depth, whose text is written to a file or run. Of such a text only the one reading that JSON gives is taken.
   * Without it, the names that tools commonly use for it.
   */
  readonly verbatim?: readonly string[];
  /** False for a foreign schema that means it when it leaves `additionalProperties` out: what it does not name is let through. */
  readonly isClosed?: boolean;
}

export interface ReadArguments {
  /** One input, or several where one text held several calls. Each fits the schema. */
  readonly inputs: readonly Readonly<Record<string, unknown>>[];
  /** Empty: taken as it came. */
  readonly repairs: readonly Repair[];
}

/** `cut`: it ends inside a value. `syntax`: no JSON, and no mend that loses nothing. `schema`: JSON that does not fit. */
export interface ArgumentsRefusal {
  readonly class: 'cut' | 'syntax' | 'schema';
  /** For the model. */
  readonly message: string;
  readonly issues: readonly Issue[];
}

/** Reads the text of a call's arguments as it came on the wire. `schema` is the tool's JSON Schema. */
export function readArguments(
  text: string,
  schema: Schema,
  options: ArgumentsOptions,
): Result<ReadArguments, ArgumentsRefusal> {
  const rules = readingRules(schema, options);
  const refused: Refused = { tool: options.tool, schema, isVerbatim: rules.isVerbatim };
  if (/^\s*(?:null|None|undefined)?\s*$/.test(text.slice(0, 200)) && text.trim().length < 10)
    return nothing({ text, schema, options });
  const read = readText(text, rules);
  if (read.ok) return fitAll(read.value, { text, schema, options });
  const { kind, what } = read.fault;
  if (kind === 'cut' || options.isCut)
    return fail({ class: 'cut', message: explainCut(options.tool, text.length), issues: [] });
  return fail({ class: 'syntax', message: explainText(what, refused), issues: [] });
}

/** The same for arguments that came as a value. */
export function readInput(
  value: unknown,
  schema: Schema,
  options: ArgumentsOptions,
): Result<ReadArguments, ArgumentsRefusal> {
  if (typeof value === 'string') return readArguments(value, schema, options);
  if (!isTooDeep(value)) return fitAll({ values: [value], used: [] }, { text: '', schema, options });
  const refused: Refused = { tool: options.tool, schema, isVerbatim: () => false };
  return fail({
    class: 'syntax',
    message: explainText(`is nested deeper than ${depthAtMost} levels`, refused),
    issues: [],
  });
}

interface Source {
  readonly text: string;
  readonly schema: Schema;
  readonly options: ArgumentsOptions;
}

/** No text is an empty input, unless a cut may have swallowed it. */
function nothing(source: Source): Result<ReadArguments, ArgumentsRefusal> {
  const { tool, isCut, disabled } = source.options;
  if (isCut) return fail({ class: 'cut', message: explainCut(tool, source.text.length), issues: [] });
  const isOff = disabled?.has('json.empty') === true;
  return fitAll({ values: [isOff ? null : {}], used: isOff ? [] : ['json.empty'] }, source);
}

function fitAll(
  { values, used }: ReadText,
  { text, schema, options }: Source,
): Result<ReadArguments, ArgumentsRefusal> {
  const fitting = fittingFor(text, schema, options);
  const refused: Refused = { tool: options.tool, schema, isVerbatim: fitting.isVerbatim };
  const shaped = values.map((value) => shape(value, { tool: options.tool, schema, fitting }));
  const inputs = shaped.flatMap((one) => one.inputs);
  const wrong = shaped.find(({ issues }) => issues.length > 0);
  // Whatever the mends did, the schema has the last word.
  const unfit = inputs.find((input) => !fits(input, schema, fitting.rules));
  const issues = wrong?.issues ?? (unfit ? check(unfit, schema, { path: [], rules: fitting.rules }) : []);
  if (issues.length > 0)
    return fail({ class: 'schema', message: explainIssues(issues, wrong?.nearest, refused), issues });
  const told = used.map((step): Repair => ({ step, path: '', what: 'the text of the arguments' }));
  return ok({ inputs, repairs: [...told, ...shaped.flatMap((one) => one.repairs)] });
}

const fuel = 60;

function fittingFor(text: string, schema: Schema, options: ArgumentsOptions): Fitting {
  const rules = readingRules(schema, options);
  let spellings: ReadonlyMap<number, string | null> | undefined;
  return {
    rules: { root: schema, isClosed: options.isClosed ?? true },
    isOff: rules.isOff,
    isVerbatim: rules.isVerbatim,
    fuel,
    decode: (inner, key) => {
      const read = readText(inner, {
        ...rules,
        isCut: false,
        isVerbatim: (name) => rules.isVerbatim(name === '' ? key : name),
      });
      return read.ok && read.value.values.length === 1 ? read.value.values[0] : undefined;
    },
    spelling: (value) => {
      spellings ??= spellingsIn(text, rules);
      return spellings.get(value);
    },
  };
}

function readingRules(schema: Schema, { disabled, verbatim, isCut = false }: ArgumentsOptions): ReadingRules {
  const fields = verbatim && new Set(verbatim.map(folded));
  return {
    isCut,
    isOff: (step) => disabled?.has(step) === true,
    isVerbatim: (key) => fields?.has(folded(key)) ?? isVerbatimName(key),
    isDeclared: (key) => Object.hasOwn(propertiesOf(schema), key),
  };
}
