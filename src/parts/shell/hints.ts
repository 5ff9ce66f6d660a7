/** Hints on failures whose cause is known and is not in the message: another shell's words, another system's options. */

export interface Failure {
  readonly command: string;
  /** Plain output. */
  readonly text: string;
  readonly exitCode: number | undefined;
  /** As Node names it. */
  readonly platform: string;
  /** Absolute path of the shell. */
  readonly shell: string;
  /** Standard input was closed. */
  readonly isInputClosed: boolean;
}

interface Hint {
  readonly when: (failure: Failure) => boolean;
  readonly hint: string;
}

const commandIs = (words: RegExp) => (failure: Failure) => words.test(failure.command);
const prints = (words: RegExp) => (failure: Failure) => words.test(failure.text);
const both =
  (...tests: readonly Hint['when'][]): Hint['when'] =>
  (failure) =>
    tests.every((test) => test(failure));
const on = (platform: string) => (failure: Failure) => failure.platform === platform;

/** Of a program that gets no answer and takes that for "no", or for a good end. */
const unanswered: readonly RegExp[] = [
  /\? ?$/,
  /[[(]y(?:es)?\s?[,/|]\s?n(?:o)?(?:[,/|]\w+)*[\])]\??:? ?$/i,
  /\b(?:continue|proceed|overwrite|password|passphrase)\b[^\n]*: ?$/i,
  // These two end the line themselves at the end of input.
  /^#\? ?\n?$/,
  /\[y,n,[a-z,?]+\]\? ?\n?$/i,
];

const isUnanswered = (text: string): boolean => {
  const last = text.slice(-200).replace(/^[\s\S]*\n(?=.)/, '');
  return unanswered.some((look) => look.test(last));
};

/** With a question's mark or a colon, at most a default value behind it, and no line end. */
const endsOpen = (text: string): boolean => /\S.*[?:][ \t]*(?:\([^()\n]*\)[ \t]*)?$/.test(text.slice(-200));

/** The first that fits is said. */
const hints: readonly Hint[] = [
  {
    when: both(
      prints(/not found|syntax error|No such file|not a valid identifier|unexpected/),
      commandIs(
        /(^|[;&|(]\s*)(Get-|Set-|New-|Remove-|Copy-|Move-|Test-|Select-|Where-|Write-|Invoke-|Out-)[A-Z]\w+|\$env:\w/m,
      ),
    ),
    hint: 'This is PowerShell; the shell here is bash. Write it in bash: ls, cat, rm -r, grep, export NAME=value.',
  },
  {
    when: both(
      prints(/not found|No such file|cannot access|invalid option/),
      commandIs(/(^|[;&|]\s*)(dir|type|copy|del|move|ren|cls|findstr|where|set)\b[^;&|]*(\\|\s\/[a-zA-Z]\b|%\w+%)/im),
    ),
    hint: 'These are words of the Windows command prompt; the shell here is bash: ls, cat, cp, rm, mv, grep, which, with / in paths.',
  },
  {
    when: both(
      commandIs(/\bset -g?x |\bend\s*$|; and |\bfunction \w+\s*$/m),
      prints(/syntax error|not found|invalid option/),
    ),
    hint: 'This looks like fish; the shell here is bash. Write it in bash.',
  },
  {
    when: ({ text, shell }) =>
      !shell.endsWith('bash') &&
      /\[\[: not found|Bad substitution|redirection unexpected|"\(" unexpected|Illegal option -o pipefail|source: not found/i.test(
        text,
      ),
    hint: 'There is no bash here, only a plain sh: no [[ ]], arrays, source, pipefail or <( ). Use [ ], . file, temporary files.',
  },
  {
    when: both(on('darwin'), prints(/sed: .*(invalid command code|extra characters at the end|undefined label)/)),
    hint: "The sed of macOS wants a suffix after -i: sed -i '' 's/a/b/' file. Or use the edit tool.",
  },
  {
    when: both(
      on('linux'),
      commandIs(/\bsed\s+(-\w+\s+)*-i\s+(''|"")\s/),
      prints(/sed: (can't read|.*unknown|no input)/),
    ),
    hint: "The sed of Linux takes no separate suffix after -i: sed -i 's/a/b/' file. Or use the edit tool.",
  },
  {
    when: both(
      on('darwin'),
      prints(/(grep|date|stat|readlink|find|xargs|base64): (invalid|illegal|unrecognized) option/),
    ),
    hint: 'This is macOS, whose tools know fewer options than those of GNU: look at the man page, or use grep and glob.',
  },
  {
    when: both(
      on('darwin'),
      prints(/declare: -A|bad substitution|mapfile: command not found|readarray: command not found/),
    ),
    hint: 'The bash of macOS is version 3.2: no associative arrays, no mapfile. Use awk, python3 or a loop.',
  },
  {
    when: prints(/\bpython: (command )?not found|python: No such file/),
    hint: 'Try python3.',
  },
  {
    when: prints(/\bpip3?: (command )?not found/),
    hint: 'Try python3 -m pip.',
  },
  {
    when: both(on('darwin'), prints(/\btimeout: (command )?not found/)),
    hint: 'macOS has no timeout(1): use the timeout parameter.',
  },
  {
    when: prints(/\bsudo: (a terminal is required|no tty present|a password is required|(command )?not found)/),
    hint: 'No password can be typed here. Do it without sudo, or tell the user which command to run.',
  },
  {
    when: both(prints(/No editor can be opened here/), commandIs(/\bgit config\b/)),
    hint: 'Set values by name: git config NAME VALUE.',
  },
  {
    when: prints(/No editor can be opened here|Terminal is dumb, but EDITOR unset/),
    hint: 'For git: commit -m "...", merge --no-edit, rebase without -i (reset --soft and new commits do the same).',
  },
  {
    when: prints(
      /could not read (Username|Password)|terminal prompts disabled|Host key verification failed|Permission denied \(publickey/,
    ),
    hint: 'It needs credentials, and nobody can type them here. Go on without it and tell the user.',
  },
  {
    when: both(
      ({ isInputClosed }) => isInputClosed,
      prints(
        /EOFError|EOF when reading a line|readline was closed|ERR_USE_AFTER_CLOSE|not a (tty|terminal)|Inappropriate ioctl|User force closed the prompt|Input is required|cancel+ed\b.*prompt/i,
      ),
    ),
    hint: 'It wanted input and there is none. Use an option that answers (--yes, -y), or give input; terminal: true if it insists on a terminal.',
  },
  {
    when: ({ isInputClosed, text, exitCode }) =>
      isInputClosed && exitCode !== 0 && (endsOpen(text) || isUnanswered(text)),
    hint: 'Its last words look like a question, and there was no input. Use an option that answers (--yes), or give input.',
  },
  {
    when: prints(/Argument list too long/),
    hint: 'Too many or too long arguments: use xargs, find -exec ... +, or a file.',
  },
  {
    when: prints(/No space left on device/),
    hint: 'The disk is full.',
  },
];

/** A remark on a command that ended well without doing what it asked about; undefined for all others. `text` is its output. */
export const unansweredRemark = (text: string): string | undefined =>
  isUnanswered(text)
    ? 'It asked and got no answer, so it may have done nothing. Use an option that answers (-y, -f), or give input.'
    : undefined;

/** One sentence of help for a command that failed; undefined where its own message must do. */
export function hintFor(failure: Failure): string | undefined {
  return hints.find(({ when }) => when(failure))?.hint;
}
