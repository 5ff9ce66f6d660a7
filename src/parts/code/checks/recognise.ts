/** Whether a command tests, builds, lints or checks types. */
import { type CheckKind, kindByName, type Recognised } from './kinds.ts';
import { changingFlags, neverFlags, type Row, scriptRunners, table, targetRunners } from './table.ts';
import { baseName, unwrapped } from './wrappers.ts';

type Words = readonly (string | undefined)[];

/** The scripts of the nearest package.json, by name. */
export type Scripts = Readonly<Record<string, string>>;

/** Undefined for what is no check. Words that the shell expands are undefined. */
export function recognise(words: Words, scripts: Scripts = {}): Recognised | undefined {
  const inner = unwrapped(words);
  const program = baseName(inner[0]);
  if (program === undefined) return undefined;
  const rest = inner.slice(1);
  if (rest.some((word) => word !== undefined && neverFlags.has(word) && !isMeantOtherwise(program, word)))
    return undefined;
  if (rest.length === 1 && (rest[0] === '-v' || rest[0] === '-V' || rest[0] === 'help' || rest[0] === 'version'))
    return undefined;
  if (scriptRunners.has(program)) {
    const script = byScript(program, rest, scripts);
    if (script !== 'none') return script;
  }
  const found =
    byInterpreter(program, inner) ?? byTable(program, rest) ?? byTarget(program, rest) ?? byFile(inner[0] ?? '', rest);
  return found ?? (hasScripts.test(words[0] ?? '') ? scriptNamed(program, {}) : undefined);
}

/** These run scripts of the project by their names. */
const hasScripts = /^(?:hatch|rye|pdm|pixi|devbox|poe|turbo|nx|lerna|wireit|moon)$/;

/** `-h` and `-n` are other options of some programs. */
const isMeantOtherwise = (program: string, flag: string): boolean =>
  (program === 'clang-format' || program === 'php-cs-fixer') && flag === '--dry-run';

const make = (kind: CheckKind, family: string | undefined, rest: Words): Recognised => ({
  kind,
  family,
  changesFiles:
    kind !== 'build' &&
    rest.some((word) => word !== undefined && changingFlags.has(word) && !(kind === 'test' && /^-[iaA]$/.test(word))),
});

const isOption = (word: string | undefined): boolean =>
  word?.startsWith('-') === true || word?.startsWith('+') === true;

/** Words that are no options, nor values of these. */
function positionals(rest: Words, valued = ''): Words {
  const takesNext = new Set(valued.split(' '));
  const found: (string | undefined)[] = [];
  for (let index = 0; index < rest.length; index++) {
    const word = rest[index];
    if (word !== undefined && takesNext.has(word)) index++;
    else if (!isOption(word)) found.push(word);
  }
  return found;
}

function byTable(program: string, rest: Words): Recognised | undefined {
  const row = table.find((one) => fits(one, program, rest));
  return row && make(row.kind, row.family, rest);
}

function fits({ words, needs, not, valued }: Row, program: string, rest: Words): boolean {
  const has = (list: string) =>
    list.split(' ').some((flag) => rest.some((word) => word === flag || word?.startsWith(`${flag}=`)));
  if (needs !== undefined && !has(needs)) return false;
  if (not !== undefined && has(not)) return false;
  const list = [program, ...positionals(rest, valued)];
  const bare = [program, ...rest];
  return words.split(', ').some((pattern) => {
    const parts = pattern.split(' ');
    return [list, bare].some((one) => parts.every((part, index) => wordFits(part, one[index])));
  });
}

const wordFits = (part: string, word: string | undefined): boolean =>
  word !== undefined &&
  part.split('|').some((one) => (one.startsWith('*') ? word.endsWith(one.slice(1)) : word === one));

function byTarget(program: string, rest: Words): Recognised | undefined {
  const runner = targetRunners[program];
  if (!runner) return undefined;
  if (rest.some((word) => word === '-n' || word === '-p' || word === '-q' || word === '-l' || word === '-T'))
    return undefined;
  const targets = positionals(rest, runner.valued).filter((word) => word === undefined || !/^\w+=/.test(word));
  if (targets.length === 0) return runner.alone && make(runner.alone, runner.family, []);
  const kinds = targets.map((target) => kindByName((target ?? '').split(':').at(-1) ?? '') ?? kindByName(target ?? ''));
  const kind = kinds.find((one) => one === 'test') ?? kinds.find((one) => one !== undefined) ?? camelKind(targets);
  return kind && make(kind, runner.family, []);
}

/** `connectedAndroidTest`, `spotlessCheck`: the last of the joined words counts. */
function camelKind(targets: Words): CheckKind | undefined {
  const tails = targets.flatMap(
    (target) => /[a-z]((?:Test|Check|Lint|Build|Compile)s?)\w*$/.exec(target ?? '')?.[1] ?? [],
  );
  return tails.map((tail) => kindByName(tail.toLowerCase())).find((kind) => kind !== undefined);
}

const notScripts =
  /^(?:install|i|ci|add|remove|rm|uninstall|update|up|upgrade|outdated|ls|list|view|info|why|init|create|publish|pack|link|audit|config|login|cache|dedupe|prune|exec|dlx|x|pkg|set|get|import|rebuild|start|stop|version|help|run-script|workspaces|global|node|plugin)$/;
const scriptValued = '--prefix -w --workspace -C --dir --filter -F --cwd --loglevel';

/** `none` where this is no run of a script. */
function byScript(program: string, rest: Words, scripts: Scripts): Recognised | undefined | 'none' {
  const list = positionals(rest, scriptValued).filter((word) => word !== 'workspace' || program !== 'yarn');
  const words = program === 'yarn' && rest[0] === 'workspace' ? list.slice(1) : list;
  const [first, second] = words;
  if (first === undefined) return undefined;
  const isRun = first === 'run' || first === 'run-script' || first === 'rum';
  if (program === 'bun' && !isRun && (first === 'test' || first === 'build')) return 'none';
  const name = isRun ? second : first;
  if (name === undefined || (!isRun && notScripts.test(name))) return undefined;
  if (!isRun && program === 'npm' && !/^(?:test|t|tst)$/.test(name)) return undefined;
  return scriptNamed(name, scripts) ?? (isRun ? undefined : 'none');
}

function scriptNamed(name: string, scripts: Scripts): Recognised | undefined {
  const script = name === 't' || name === 'tst' ? 'test' : name;
  const inside = kindsInside(scripts[script]);
  const kind = kindByName(script);
  // A script that watches never ends with a result.
  if (inside === 'watches') return undefined;
  if (kind) return { ...make(kind, inside?.family, []), changesFiles: inside?.changesFiles ?? false };
  return inside;
}

/** What a script's text runs; several different families are nobody's words. */
function kindsInside(text: string | undefined): Recognised | 'watches' | undefined {
  if (text === undefined) return undefined;
  if (/(?:^|\s)--watch(?:All)?(?:\s|$)|\bnodemon\b/.test(text)) return 'watches';
  const found = text.split(/&&|\|\||;|\|/).flatMap(
    (part) =>
      recognise(
        part
          .trim()
          .replace(/^(?:\w+=\S*\s+)+/, '')
          .split(/\s+/),
      ) ?? [],
  );
  const [first] = found;
  if (!first) return undefined;
  // Of several commands nobody's words are the last.
  const family = /[&|;]/.test(text) ? undefined : first.family;
  return { ...first, changesFiles: found.some((one) => one.changesFiles), family };
}

const testFile =
  /(?:^|[/._-])(?:tests?|spec|specs|check|checks|lint|verify|validate|selftest|smoke)(?:[/._-]|$)|(?:^|\/)(?:test|check)[\w-]*\.\w+$|_?[tT]est\w*\.\w+$/;

function byInterpreter(program: string, inner: Words): Recognised | undefined {
  const rest = inner.slice(1);
  if (program === 'node' || program === 'tsx' || program === 'ts-node') return byNode(rest);
  if (/^(?:python[\d.]*|pypy3?|py)$/.test(program)) return byPython(rest);
  if (/^(?:ba|z|da|k)?sh$/.test(program)) return byShell(rest);
  if (/^(?:ruby|perl|php|lua|Rscript|julia|deno|bun|elixir)$/.test(program)) return byOther(program, rest);
  return undefined;
}

function byNode(rest: Words): Recognised | undefined {
  if (rest.includes('--test')) return make('test', 'node', []);
  if (rest.includes('--check') || rest.includes('-c')) return make('build', undefined, []);
  if (rest.some((word) => word === '-e' || word === '-p' || word === '--eval')) return undefined;
  const script = positionals(rest, '-r --require --import --loader --env-file')[0];
  if (script === undefined) return undefined;
  const tool = /node_modules\/(?:\.bin\/|(?:@[^/]+\/)?)([\w.-]+)/.exec(script)?.[1];
  if (tool !== undefined) return byTable(tool, rest.slice(rest.indexOf(script) + 1));
  return isTestFile(script) ? make('test', undefined, []) : undefined;
}

function byPython(rest: Words): Recognised | undefined {
  const at = rest.indexOf('-m');
  if (at >= 0 && at <= 3) return recognise(rest.slice(at + 1));
  if (rest.includes('-c')) return undefined;
  const [script, first] = positionals(rest, '-W -X');
  if (script === undefined) return undefined;
  if (baseName(script) === 'manage.py')
    return first === 'test' || first === 'check' ? make('test', 'unittest', []) : undefined;
  if (baseName(script) === 'setup.py')
    return first === 'test' || first === 'build' || first === 'check'
      ? make(first === 'build' ? 'build' : 'test', undefined, [])
      : undefined;
  return isTestFile(script) ? make('test', undefined, []) : undefined;
}

function byShell(rest: Words): Recognised | undefined {
  if (rest.some((word) => word === '-n' || word === '-nv')) return make('build', undefined, []);
  if (rest.some((word) => word !== undefined && /^-[a-z]*c$/.test(word))) return undefined;
  const script = positionals(rest, '-o')[0];
  return script === undefined
    ? undefined
    : byFile(script.includes('/') ? script : `./${script}`, rest.slice(rest.indexOf(script) + 1));
}

function byOther(program: string, rest: Words): Recognised | undefined {
  if (program === 'php' && rest.includes('-l')) return make('build', undefined, []);
  if ((program === 'ruby' || program === 'perl') && rest.includes('-c')) return make('build', undefined, []);
  if (rest.includes('-e')) return undefined;
  const [script, first] = positionals(rest, '-I -r -d');
  if (script === undefined || program === 'deno' || program === 'bun') return undefined;
  if (program === 'php') {
    const tool = byTable(baseName(script)?.replace(/\.phar$/, '') ?? '', rest.slice(rest.indexOf(script) + 1));
    if (tool || first === undefined) return tool ?? (isTestFile(script) ? make('test', undefined, []) : undefined);
  }
  return isTestFile(script) ? make('test', undefined, []) : undefined;
}

const isTestFile = (path: string): boolean => /\.\w+$/.test(path) && testFile.test(path);

/** A program of the project's own, by its file name: `./run_tests.sh`, `bin/test`. */
function byFile(path: string, rest: Words): Recognised | undefined {
  if (!path.includes('/') || path.startsWith('/usr/') || path.startsWith('/bin/')) return undefined;
  const name = (baseName(path) ?? '').replace(/\.(?:sh|bash|zsh|py|rb|pl|js|mjs|ts|out|exe|bin|php|cmd)$/, '');
  const parts = name.replace(/([a-z])([A-Z])/g, '$1-$2').toLowerCase();
  const kind =
    kindByName(parts) ??
    (/^(?:run|do|all|my|the)[_-]?(tests?|checks?)$|^tests?\d*$|(?:^|[_-])tests?\d*$/.test(parts) ? 'test' : undefined);
  if (kind) return make(kind, undefined, []);
  const word = rest.find((one) => one !== undefined && !isOption(one));
  return (name === 'run' || name === 'manage' || name === 'x' || name === 'dev') &&
    word !== undefined &&
    kindByName(word)
    ? make(kindByName(word) ?? 'test', undefined, [])
    : undefined;
}
