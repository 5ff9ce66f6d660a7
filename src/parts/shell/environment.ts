/** The environment in which nothing waits for a key or a terminal. */
import { accessSync, constants } from 'node:fs';
import { isAbsolute } from 'node:path';
import { attemptSync, codeOf } from '../../base/attempt.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The variable by which the processes of a command are found again, wherever they went. */
export const markName = 'SMEW_SHELL';

const noEditor = "echo 'No editor can be opened here: pass the text by an option, such as -m.' >&2; false";

const quiet: Environment = {
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  LESS: 'FRX',
  GIT_TERMINAL_PROMPT: '0',
  // Empty, these keep git and ssh from windows that nobody would answer.
  GIT_ASKPASS: '',
  SSH_ASKPASS: '',
  SSH_ASKPASS_REQUIRE: 'never',
  GCM_INTERACTIVE: 'never',
  DEBIAN_FRONTEND: 'noninteractive',
  PIP_NO_INPUT: '1',
  GIT_EDITOR: noEditor,
  GIT_SEQUENCE_EDITOR: noEditor,
  EDITOR: noEditor,
  VISUAL: noEditor,
  TERM: 'dumb',
  NO_COLOR: '1',
  // Set, it makes tools answer in another way than they do for the user.
  CI: undefined,
  FORCE_COLOR: undefined,
};

const usualPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** `environment` with pagers, editors, prompts and colour switched off, and with a PATH. */
export const quietEnvironment = (environment: Environment): Environment => ({
  ...environment,
  ...quiet,
  PATH: environment['PATH'] || usualPath,
});

/** Absolute path of bash, from the usual places or PATH; else of the system's sh. */
export function findShell({ PATH = '' }: Environment): string {
  const canRun = (path: string) => attemptSync(() => accessSync(path, constants.X_OK), codeOf).ok;
  const usual = ['/bin/bash', '/usr/bin/bash'].find(canRun);
  if (usual) return usual;
  const directory = PATH.split(':').find((entry) => isAbsolute(entry) && canRun(`${entry}/bash`));
  return directory ? `${directory}/bash` : '/bin/sh';
}
