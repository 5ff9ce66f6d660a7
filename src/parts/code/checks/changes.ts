/** Commands that change files of the project, as far as the line itself shows it. */
import type { Redirection, Simple } from '../shell-line/tree.ts';
import { recognise } from './recognise.ts';
import { baseName, unwrapped } from './wrappers.ts';

const always =
  /^(?:rm|mv|cp|ln|install|truncate|patch|dd|unlink|rmdir|rsync|ed|ex|codemod|jscodeshift|ast-grep|rename|unzip|touch)$/;
const gitChanges =
  /^(?:checkout|apply|reset|stash|merge|pull|restore|clean|rebase|cherry-pick|revert|am|mv|rm|switch|submodule|bisect)$/;
const packageChanges =
  /^(?:install|i|ci|add|remove|rm|uninstall|update|up|upgrade|dedupe|init|create|get|mod|generate|sync|fmt|format|lock|tidy|require|new)$/;
const packageManagers = /^(?:npm|pnpm|yarn|bun|cargo|go|uv|poetry|pdm|bundle|composer|mix|dotnet|gem|deno|gofmt)$/;
const formatters =
  /^(?:prettier|black|isort|ruff|rustfmt|gofmt|gofumpt|goimports|autopep8|yapf|clang-format|shfmt|stylua|biome|dprint|autoflake|pyupgrade)$/;

/** True only where it is sure to be meant. */
export function changesFiles(simple: Simple): boolean {
  const words = unwrapped(simple.words.map(({ value }) => value));
  const check = recognise(simple.words.map(({ value }) => value));
  // What a check prints to a file is its output, no change.
  if (check) return check.changesFiles;
  return simple.redirections.some(writes) || byProgram(words) || scriptWrites(simple, baseName(words[0]));
}

function writes({ operator, target }: Redirection): boolean {
  if (!/^(?:>|>>|>\||&>|&>>)$/.test(operator)) return false;
  const path = target?.value ?? target?.source ?? '';
  return !/^\/(?:dev|tmp|var\/tmp|proc)\/|^\$\{?TMPDIR|^\d+$|^-$/.test(path);
}

function byProgram(words: readonly (string | undefined)[]): boolean {
  const program = baseName(words[0]) ?? '';
  const rest = words.slice(1);
  const outside = rest.filter((word) => word !== undefined && !word.startsWith('-'));
  if (program === 'tee') return outside.some((path) => !/^\/(?:dev|tmp)\//.test(path ?? ''));
  if (always.test(program)) return !(outside.length > 0 && outside.every((path) => /^\/tmp\//.test(path ?? '')));
  if (program === 'sed' || program === 'perl') return rest.some((word) => /^-[a-zA-Z]*i|^--in-place/.test(word ?? ''));
  if (program === 'git') return gitChanges.test(outside[0] ?? '');
  if (formatters.test(program))
    return (
      rest.some((word) => /^(?:--write|-w|-i|--fix|format|--in-place)$/.test(word ?? '')) ||
      /^(?:black|isort|rustfmt)$/.test(program)
    );
  return packageManagers.test(program) && packageChanges.test(outside[0] ?? '');
}

/** A script in a here-document, or behind `-c` or `-e`, that opens files for writing. */
function scriptWrites({ words, redirections }: Simple, program = ''): boolean {
  if (!/^(?:python[\d.]*|node|ruby|perl|bun|deno)$/.test(program)) return false;
  const texts = [
    ...redirections.flatMap(({ operator, target }) => (operator.startsWith('<<') && target ? [target.source] : [])),
    ...words.map(({ source }) => source),
  ];
  return texts.some((text) =>
    /open\([^)]*,\s*(?:mode\s*=\s*)?["'][wax]|write_text|write_bytes|writeFile|appendFile|File\.write|shutil\.|os\.(?:remove|rename|unlink)/.test(
      text,
    ),
  );
}
