/** What an exit code or a signal means, in words a model can act on. */

/** Signals in words; those that are left out speak for themselves. */
const signals: Readonly<Record<string, string>> = {
  SIGHUP: 'hangup',
  SIGINT: 'interrupt',
  SIGQUIT: 'quit',
  SIGILL: 'illegal instruction',
  SIGABRT: 'abort: a failed assertion or a fatal error of its own',
  SIGBUS: 'bus error',
  SIGFPE: 'arithmetic error, such as a division by zero',
  SIGKILL: 'killed from outside; often the system ran out of memory',
  SIGSEGV: 'segmentation fault: it used memory that is not its own',
  SIGPIPE: 'whoever read its output had ended; harmless before head',
  SIGTERM: 'asked to end from outside',
  SIGXCPU: 'its limit of CPU time',
  SIGXFSZ: 'its limit of file size',
};

export const signalWords = (signal: NodeJS.Signals): string => {
  const words = signals[signal];
  return words === undefined ? signal : `${signal}, ${words}`;
};

/** A few words about an exit code; empty where it means nothing in particular. */
export function exitCodeWords(exitCode: number): string {
  if (exitCode === 124) return 'as timeout(1) tells when the time is up';
  if (exitCode === 126) return 'found but not executable: chmod +x, or call its interpreter';
  if (exitCode === 127) return 'command not found';
  if (exitCode <= 128 || exitCode > 128 + 64) return '';
  const { constants } = process.getBuiltinModule('node:os');
  const signal = signalNamed(constants.signals, exitCode - 128);
  return signal === undefined ? '' : `that is ${signalWords(signal)}`;
}

/** Undefined for a number that is no signal. */
export function signalNamed(table: Readonly<Record<string, number>>, number: number): NodeJS.Signals | undefined {
  // Only this table's keys are looked at, and they are names of signals.
  return Object.keys(table).find((name) => table[name] === number) as NodeJS.Signals | undefined;
}
