/** Programs that run another program: what stands between their name and the other's. */

export interface Wrapper {
  /** The words that make it up; alternatives behind bars. */
  readonly words: string;
  /** Options that take the next word. */
  readonly valued?: string;
  /** How many words of its own follow the options. */
  readonly own?: number;
  /** Skips `NAME=value`. */
  readonly hasAssignments?: true;
  /** With one of these it runs nothing. */
  readonly not?: string;
}

/** The first that fits counts, so longer ones stand first. */
export const wrappers: readonly Wrapper[] = [
  { words: 'env', valued: '-u -C -S --unset --chdir', hasAssignments: true },
  { words: 'cross-env|cross-env-shell', hasAssignments: true },
  { words: 'time|gtime|/usr/bin/time', valued: '-f -o --format --output' },
  { words: 'timeout|gtimeout', valued: '-k -s --kill-after --signal', own: 1 },
  { words: 'nice', valued: '-n --adjustment' },
  { words: 'ionice', valued: '-c -n' },
  { words: 'nohup|setsid|unbuffer|caffeinate|chronic|catchsegv|rtk' },
  { words: 'stdbuf', valued: '-i -o -e' },
  { words: 'taskset', own: 1 },
  { words: 'xvfb-run', valued: '-s -n -f -w -e --server-args --server-num' },
  { words: 'dbus-run-session' },
  { words: 'sudo|doas', valued: '-u -g -C', hasAssignments: true },
  { words: 'command|builtin', not: '-v -V' },
  { words: 'exec', valued: '-a' },
  {
    words: 'npx|bunx|pnpx|pnpm exec|pnpm dlx|yarn exec|yarn dlx|npm exec|npm x|bun x',
    valued: '-p --package -w --workspace -C --dir --filter --prefix -F',
  },
  {
    words: 'uv run|uvx|uv tool run',
    valued: '-p --python --with --extra --group --package --directory --project --env-file --from --with-requirements',
  },
  {
    words: 'poetry run|pdm run|pipenv run|rye run|hatch run|hatch -e|pixi run|pipx run',
    valued: '-C --directory -P --project -e --environment -p',
  },
  { words: 'conda run|mamba run|micromamba run', valued: '-n -p --name --prefix' },
  { words: 'bundle exec' },
  { words: 'mise exec|mise x|asdf exec|direnv exec|nix-shell|devbox run', valued: '-p' },
  { words: 'nix develop|nix shell', valued: '-c' },
  { words: 'dotenv|dotenvx run', valued: '-e -f -c', hasAssignments: true },
  {
    words: 'docker compose run|docker-compose run|docker compose exec|docker-compose exec|podman-compose run',
    valued: '-e --env -u --user -v --volume -w --workdir --name -f --entrypoint -p --publish',
    own: 1,
  },
  {
    words: 'docker run|docker exec|podman run|podman exec',
    valued:
      '-e --env -u --user -v --volume -w --workdir --name --entrypoint -p --publish --network --mount --env-file --platform -m --memory --cpus',
    own: 1,
  },
  { words: 'coverage run|kcov|c8|nyc|npx nyc', valued: '--source --rcfile -r --reporter --omit --include' },
  { words: 'turbo run|turbo|nx run-many|nx affected|lerna run|wireit', valued: '--filter -F --scope' },
];

const assignment = /^[A-Za-z_]\w*=/;

/** The words of the program that is run in the end; undefined where a word on the way cannot be read. */
export function unwrapped(words: readonly (string | undefined)[]): readonly (string | undefined)[] {
  let rest = words;
  // Wrappers wrap wrappers, but not without end.
  for (let round = 0; round < 8; round++) {
    const inner = withoutOne(rest);
    if (!inner || inner.length === 0) return rest;
    rest = inner;
  }
  return rest;
}

function withoutOne(words: readonly (string | undefined)[]): readonly (string | undefined)[] | undefined {
  for (const wrapper of wrappers) {
    const length = lengthOf(wrapper, words);
    if (length > 0) return innerOf(wrapper, words.slice(length));
  }
  return undefined;
}

function lengthOf({ words: names }: Wrapper, words: readonly (string | undefined)[]): number {
  for (const name of names.split('|')) {
    const parts = name.split(' ');
    if (parts.every((part, index) => baseName(words[index], index) === part)) return parts.length;
  }
  return 0;
}

/** Of a program its file name. */
export const baseName = (word: string | undefined, index = 0): string | undefined =>
  index === 0 && word?.includes('/') ? word.slice(word.lastIndexOf('/') + 1) : word;

type Words = readonly (string | undefined)[];

function innerOf(wrapper: Wrapper, words: Words): Words | undefined {
  const not = wrapper.not?.split(' ') ?? [];
  const valued = new Set(wrapper.valued?.split(' '));
  let own = wrapper.own ?? 0;
  for (let index = 0; index < words.length; index++) {
    const word = words[index];
    if (word === '--') return words.slice(index + 1);
    if (word !== undefined && not.includes(word)) return undefined;
    if (word !== undefined && valued.has(word)) index++;
    else if (!isOwn(wrapper, word)) {
      if (own === 0) return words.slice(index);
      own--;
    }
  }
  return undefined;
}

const isOwn = ({ hasAssignments }: Wrapper, word: string | undefined): boolean =>
  word !== undefined && (word.startsWith('-') || (hasAssignments === true && assignment.test(word)));
