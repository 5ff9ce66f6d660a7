/** The flags of a run: task, session and what overrides the config. */
import { fail, ok, type Result } from '../base/result.ts';
import { type Fault, fault } from '../protocol/fault.ts';
import type { Verbosity } from '../surfaces/headless/printer.ts';
import type { FlagValues } from './flags.ts';
import type { RunInvocation, Setting, Start } from './invocation.ts';

const wrong = (message: string): Result<never, Fault> => fail(fault('usage', message));

export interface RunWords {
  readonly operands: readonly string[];
  /** Whether `run` or `-p` was written. */
  readonly isNamed: boolean;
  readonly isStdinTty: boolean;
}

export function readRun(values: FlagValues, words: RunWords): Result<RunInvocation, Fault> {
  const setting = readSetting(values);
  if (!setting.ok) return setting;
  const start = readStart(values);
  if (!start.ok) return start;
  const verbosity = readVerbosity(values);
  if (!verbosity.ok) return verbosity;
  const task = readTask(values, words);
  if (!task.ok) return task;
  return ok({
    command: 'run',
    ...task.value,
    setting: setting.value,
    start: start.value,
    isStored: !values['no-session'],
    ...(values.name === undefined ? {} : { name: values.name }),
    images: values.image ?? [],
    format: values['output-format'] ?? 'text',
    verbosity: verbosity.value,
  });
}

/** One task, from the arguments, from -p or from -t; else from the pipe. */
function readTask(values: FlagValues, words: RunWords): Result<Pick<RunInvocation, 'task' | 'input'>, Fault> {
  const printed = typeof values.print === 'string' ? [values.print] : [];
  const written = [...printed, ...words.operands];
  const tasks = [...(values.task ?? []), ...(written.length > 0 ? [written.join(' ')] : [])];
  if (tasks.length > 1) return wrong(`The task was given ${tasks.length} times: ${tasks.map(quoted).join(' and ')}.`);
  const [task] = tasks;
  const hasPipe = !words.isStdinTty;
  if (task === undefined && hasPipe) return ok({ input: 'task' });
  if (task === undefined) return wrong(words.isNamed ? noTask : noInterface);
  if (task.trim() === '') return wrong(`The task is empty. ${noTask}`);
  return ok({ task, input: hasPipe ? 'extra' : 'none' });
}

export const noTask = 'Say what is to be done: smew run "fix the failing test", or pipe the task in.';
const noInterface =
  'The terminal interface comes later. For now smew runs one task and ends: smew run "fix the failing test". ' +
  'To go on with the same session: smew run -c "now update the README". "smew --help" shows the rest.';

const quoted = (task: string): string => `"${task.length > 40 ? `${task.slice(0, 40)}...` : task}"`;

function readStart(values: FlagValues): Result<Start, Fault> {
  const { resume } = values;
  const goesOn = values.continue || resume !== undefined;
  if (values.fork && !goesOn) return wrong('--fork needs the session to copy: -c for the latest, or -r SESSION.');
  if (values['no-session'] && goesOn) return wrong('--no-session keeps nothing, so it cannot go with -c or -r.');
  if (values['no-session'] && values.name) return wrong('--no-session keeps nothing, so there is no session to name.');
  if (values.continue && resume !== undefined) return wrong('-c and -r name two sessions; give one of them.');
  const isFork = values.fork ?? false;
  if (values.continue) return ok({ from: 'latest', isFork });
  if (resume === undefined) return ok({ from: 'new' });
  if (resume === true) {
    return wrong(
      '-r needs a session here: an id, the start of one, or a name. "smew sessions list" shows them; -c takes the latest.',
    );
  }
  return ok({ from: 'session', session: resume, isFork });
}

/** What overrides the config. */
export function readSetting(values: FlagValues): Result<Setting, Fault> {
  const asked = values['permission-mode'];
  if (values.yolo && asked !== undefined && asked !== 'bypass') {
    return wrong(`--yolo means --permission-mode bypass, but ${asked} was given too.`);
  }
  if (values.model !== undefined && values.tier !== undefined) {
    return wrong(`-m ${values.model} and --tier ${values.tier} name two models; give one of them.`);
  }
  const mode = values.yolo ? 'bypass' : asked;
  return ok({
    ...(values.cd === undefined ? {} : { cd: values.cd }),
    ...(values.model === undefined ? {} : { model: values.model }),
    ...(values.tier === undefined ? {} : { tier: values.tier }),
    ...(values.effort === undefined ? {} : { effort: values.effort }),
    ...(mode === undefined ? {} : { mode }),
    allowedTools: values['allowed-tools'] ?? [],
    addDirs: values['add-dir'] ?? [],
    ...(values['append-system-prompt'] === undefined ? {} : { appendSystemPrompt: values['append-system-prompt'] }),
    ...(values['max-steps'] === undefined ? {} : { maxSteps: values['max-steps'] }),
    ...(values['max-time'] === undefined ? {} : { maxTimeMs: values['max-time'] }),
    ...(values['max-cost'] === undefined ? {} : { maxCost: values['max-cost'] }),
    ...(values['max-tokens'] === undefined ? {} : { maxTokens: values['max-tokens'] }),
    isTrusted: values.trust ?? false,
  });
}

export function readVerbosity(values: FlagValues): Result<Verbosity, Fault> {
  if (values.quiet && values.verbose) return wrong('-q and -v contradict each other; give one of them.');
  return ok(values.quiet ? 'quiet' : values.verbose ? 'verbose' : 'normal');
}
