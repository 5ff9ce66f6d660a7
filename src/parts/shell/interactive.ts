/** Programs that only a person at a terminal can use, known by name before they run. */

interface Program {
  readonly names: readonly string[];
  /** With such words it works without a terminal. */
  readonly unless: RegExp;
  /** What to do instead. */
  readonly instead: string;
}

const asksOnly = /(^|\s)--?(version|help|h|V)\b/;

const programs: readonly Program[] = [
  {
    names: ['vim', 'vi', 'nvim', 'view', 'gvim', 'nano', 'pico', 'emacs', 'joe', 'micro', 'mcedit'],
    unless: /(^|\s)(-es|-Es|-e|-s|--headless|--batch|-batch|--script|-c\s|\+\S|--cmd)/,
    instead: 'Change files with edit or write, look at them with read',
  },
  { names: ['top', 'atop'], unless: /(^|\s)(-\w*[bl]|-w)/, instead: 'Use ps aux --sort=-%cpu | head, or top -b -n1' },
  { names: ['htop', 'btop', 'iotop', 'nvtop'], unless: /(^|\s)(-b|--batch)/, instead: 'Use ps aux, or top -b -n1' },
  { names: ['watch'], unless: asksOnly, instead: 'Run the command itself once, or in a loop with sleep and an end' },
  {
    names: ['tmux', 'screen'],
    unless: /(^|\s)(-d|-dm\w*|-ls|-X|-S|ls|list|kill|send|new|has|capture)/,
    instead: 'Use background: true',
  },
  {
    names: ['mc', 'ranger', 'tig', 'lazygit', 'ncdu', 'k9s', 'whiptail', 'dialog'],
    unless: /(^|\s)-o/,
    instead: 'Use commands that print (ls, git log, du, kubectl)',
  },
];

/** Where another simple command may begin. */
const separator = /&&|\|\||[;&\n]|\$\(|[({`]|\b(?:then|do|else)\s/;

/** Words before the program's own name. */
const before = /^\s*(?:(?:\w+=\S*|sudo|env|command|exec|time|nohup)\s+)*/;

/**
 * Help for the model where the command starts such a program and gives it nothing to work on; undefined for all others, and
 * wherever it is not plain: a false refusal costs more than a command that waits.
 */
export function needsTerminal(command: string): string | undefined {
  // Bodies of here-documents, and functions of such a name, are not read here.
  if (command.includes('<<')) return undefined;
  const bare = command.replace(/\\.|'[^']*'|"(?:[^"\\]|\\.)*"|(^|\s)#[^\n]*/g, ' q ');
  for (const part of bare.split(separator)) {
    const [, name, rest = ''] = /^(?:\/usr\/bin\/|\/bin\/)?([\w-]+)(?=\s|$)(.*)/s.exec(part.replace(before, '')) ?? [];
    const program = programs.find(({ names }) => name !== undefined && names.includes(name));
    // What is piped, redirected or only asked for its version ends by itself.
    if (!program || program.unless.test(rest) || asksOnly.test(rest) || /[|<>]/.test(rest)) continue;
    if (new RegExp(`\\b${name}\\s*\\(\\)`).test(command)) continue;
    return `${name} needs a person at a terminal, so it was not run. ${program.instead}; terminal: true if it must be ${name}.`;
  }
  return undefined;
}
