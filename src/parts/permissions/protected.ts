/** Files whose contents another program runs or obeys later: to change them is to run commands without a question. */

interface Guarded {
  /** In small letters; a path part each, parted by slashes, at any depth. `*` at the start stands for any beginning. */
  readonly paths: readonly string[];
  /** What a change could do, as a clause. */
  readonly why: string;
}

const guarded: readonly Guarded[] = [
  { paths: ['.git'], why: 'git runs programs that are named in it' },
  {
    paths: ['.gitmodules', '.gitattributes', '.gitconfig', '.config/git'],
    why: 'git fetches from or runs what it names',
  },
  { paths: ['.husky', '.githooks', '.lefthook'], why: 'git hooks run from it' },
  {
    paths: ['.pre-commit-config.yaml', 'lefthook.yml', 'lefthook.yaml', '.lefthook.yml', '.lefthook.yaml'],
    why: 'git hooks run what it names',
  },
  { paths: ['.smew'], why: "it holds Smew's own settings" },
  {
    paths: ['.claude', '.codex', '.cursor', '.gemini', '.opencode', '.windsurf', '.agents', '.mcp.json'],
    why: 'coding agents run what it names',
  },
  {
    paths: [
      'agents.md',
      'agents.override.md',
      'agent.md',
      'claude.md',
      'claude.local.md',
      'gemini.md',
      '.cursorrules',
      '.windsurfrules',
      '.clinerules',
      '.github/copilot-instructions.md',
    ],
    why: 'coding agents obey it in every later session',
  },
  {
    paths: ['.vscode', '.idea', '.zed', '.fleet', '.devcontainer', '.devcontainer.json', '*.code-workspace'],
    why: 'editors run tasks and programs that are named in it',
  },
  {
    paths: ['.github/workflows', '.github/actions', '.gitlab-ci.yml', '.circleci'],
    why: 'it runs on build servers, with their secrets',
  },
  { paths: ['.envrc'], why: 'direnv runs it' },
  { paths: ['mise.toml', '.mise.toml', '.mise'], why: 'the shell runs what it names on entering the folder' },
  {
    paths: ['.npmrc', '.yarnrc', '.yarnrc.yml', '.yarn', '.pnp.cjs', '.pnpmfile.cjs', '.pnpmfile.mjs', 'bunfig.toml'],
    why: 'package managers run what it names',
  },
  { paths: ['.cargo', '.mvn'], why: 'build tools run what it names' },
  {
    paths: [
      '.bashrc',
      '.bash_profile',
      '.bash_login',
      '.bash_logout',
      '.bash_aliases',
      '.profile',
      '.zshrc',
      '.zshenv',
      '.zprofile',
      '.zlogin',
      '.zlogout',
      '.config/fish',
      '.inputrc',
    ],
    why: 'shells run it when they start',
  },
  { paths: ['.ssh', '.gnupg'], why: 'it decides about log-ins and keys' },
];

/**
 * Why a change of the file needs a person's word; undefined for ordinary files.
 * `path` is canonical, links followed: what the tools give as their subject.
 */
export function protection(path: string): string | undefined {
  // Some file systems take letters of either case, and names with invisible characters, for the same name.
  const plain = path
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .toLowerCase();
  const parts = `/${plain}/`;
  return guarded.find(({ paths }) => paths.some((one) => holds(parts, one)))?.why;
}

const holds = (parts: string, path: string): boolean =>
  path.startsWith('*') ? parts.includes(`${path.slice(1)}/`) : parts.includes(`/${path}/`);
