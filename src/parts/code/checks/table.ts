/** Programs that check something, of any ecosystem. */
import type { CheckKind } from './kinds.ts';

export interface Row {
  readonly kind: CheckKind;
  /** Whose words the output speaks. */
  readonly family?: string;
  /** Program and subcommands, alternatives of a word behind bars, of all behind commas; `*` is any text. */
  readonly words: string;
  /** Needs one of these options. */
  readonly needs?: string;
  /** With one of these it is none. */
  readonly not?: string;
  /** Options before the subcommand that take the next word. */
  readonly valued?: string;
}

/** The first that fits counts. */
export const table: readonly Row[] = [
  // JavaScript and TypeScript
  { kind: 'test', family: 'vitest', words: 'vitest run|related' },
  { kind: 'test', family: 'vitest', words: 'vitest', not: 'watch dev init list bench typecheck' },
  { kind: 'types', family: 'vitest', words: 'vitest typecheck' },
  { kind: 'test', family: 'jest', words: 'jest, react-scripts test, craco test, vue-cli-service test:unit' },
  { kind: 'test', family: 'mocha', words: 'mocha, _mocha, wdio, karma start, jasmine' },
  { kind: 'test', family: 'ava', words: 'ava', not: 'reset-cache' },
  { kind: 'test', family: 'tap', words: 'tap|tape|uvu|borp|zora', not: 'plugin' },
  { kind: 'test', family: 'playwright', words: 'playwright test' },
  { kind: 'test', family: 'mocha', words: 'cypress run' },
  { kind: 'test', family: 'bun', words: 'bun test', valued: '--cwd -c --config' },
  { kind: 'build', words: 'bun build' },
  { kind: 'test', words: 'zig build test, mill *.test, nix flake check' },
  { kind: 'test', family: 'deno', words: 'deno test' },
  { kind: 'types', family: 'tsc', words: 'deno check' },
  { kind: 'lint', words: 'deno lint' },
  { kind: 'format', words: 'deno fmt', needs: '--check' },
  { kind: 'test', family: 'jest', words: 'ng test' },
  {
    kind: 'lint',
    family: 'eslint',
    words: 'ng lint, next lint, standard, xo, eslint, eslint_d, tslint',
    not: '--init --print-config --env-info',
  },
  {
    kind: 'build',
    words:
      'ng build, next build, vite build, nuxt build, astro build, remix build, webpack, rollup, parcel build, tsup, tsdown, esbuild, rolldown, rspack build, swc, svelte-kit build, ncc build, wrangler build',
    not: 'serve -w',
  },
  {
    kind: 'types',
    family: 'tsc',
    words: 'tsc, vue-tsc, tsgo, tsd, astro check, svelte-check, glint',
    not: '-w --init --showConfig --all',
  },
  { kind: 'types', words: 'flow check, attw, publint' },
  { kind: 'lint', family: 'biome', words: 'biome check|lint|ci' },
  { kind: 'format', family: 'biome', words: 'biome format', not: '--write --fix' },
  { kind: 'format', family: 'prettier', words: 'prettier', needs: '--check -c --list-different -l' },
  { kind: 'format', words: 'dprint check' },
  {
    kind: 'lint',
    words:
      'oxlint, stylelint, knip, depcheck, depcruise, dependency-cruiser, madge, markdownlint, markdownlint-cli2, cspell, htmlhint, commitlint, jscpd, size-limit, lint-staged',
  },
  // Python
  {
    kind: 'test',
    family: 'pytest',
    words: 'pytest, py.test, hatch test',
    not: '--fixtures --markers --cache-show --setup-plan',
  },
  { kind: 'test', family: 'unittest', words: 'unittest, nosetests, nose2, nose, trial, stestr run, green' },
  { kind: 'test', words: 'doctest|behave|robot|hypothesis|lettuce' },
  { kind: 'test', family: 'tox', words: 'tox', not: '-l -a --listenvs --showconfig config list devenv' },
  { kind: 'test', family: 'tox', words: 'nox', not: '-l' },
  { kind: 'types', family: 'mypy', words: 'mypy, dmypy run' },
  {
    kind: 'types',
    family: 'pyright',
    words: 'pyright, basedpyright, pyre check, pytype, ty check',
    not: '-w --createstub',
  },
  { kind: 'lint', family: 'ruff', words: 'ruff check' },
  { kind: 'format', family: 'ruff', words: 'ruff format', needs: '--check --diff' },
  {
    kind: 'lint',
    words:
      'flake8, pylint, pyflakes, pycodestyle, pydocstyle, bandit, vulture, pre-commit run, isort check, deptry, djlint, sqlfluff lint, yamllint, codespell, safety check, pip-audit',
  },
  { kind: 'format', words: 'black|isort|yapf|autopep8', needs: '--check --check-only -c --diff -d' },
  {
    kind: 'build',
    words:
      'compileall, py_compile, build, flit build, poetry build, uv build, hatch build, pdm build, maturin build, mkdocs build, sphinx-build',
  },
  // Rust
  {
    kind: 'test',
    family: 'cargo',
    words: 'cargo test|t|nextest|llvm-cov|tarpaulin|miri',
    not: '--no-run list show-config',
  },
  { kind: 'build', family: 'cargo', words: 'cargo build|b|rustc|test', not: 'list' },
  { kind: 'types', family: 'cargo', words: 'cargo check|c' },
  { kind: 'lint', family: 'cargo', words: 'cargo clippy|deny|audit|machete|doc|hack' },
  { kind: 'format', words: 'cargo fmt', needs: '--check' },
  { kind: 'format', words: 'rustfmt', needs: '--check' },
  { kind: 'test', words: 'cargo xtask test|ci' },
  { kind: 'build', family: 'cargo', words: 'rustc' },
  // Go
  { kind: 'test', family: 'go', words: 'go test', valued: '-C', not: '-list' },
  { kind: 'test', family: 'go', words: 'gotestsum, richgo test, ginkgo' },
  { kind: 'lint', family: 'go', words: 'go vet', valued: '-C' },
  { kind: 'build', family: 'go', words: 'go build', valued: '-C' },
  { kind: 'lint', words: 'golangci-lint run, staticcheck, revive, errcheck, govulncheck' },
  // Java, Kotlin, Scala, Groovy
  {
    kind: 'test',
    family: 'maven',
    words: 'mvn|mvnw|mvnd test|verify|surefire:test|integration-test|failsafe:verify, mvn|mvnw|mvnd * test|verify',
    valued: '-f -pl -P -s -T',
  },
  {
    kind: 'build',
    family: 'maven',
    words:
      'mvn|mvnw|mvnd compile|package|install|test-compile|checkstyle:check|spotbugs:check, mvn|mvnw|mvnd * compile|package|install',
    valued: '-f -pl -P -s -T',
  },
  { kind: 'test', family: 'sbt', words: 'sbt test|testQuick|it:test|testOnly' },
  { kind: 'build', family: 'sbt', words: 'sbt compile|package|assembly|test:compile|Test/compile' },
  {
    kind: 'test',
    family: 'sbt',
    words: 'mill *.test, lein test, clojure -M:test, clj -M:test, bb test, scala-cli test',
  },
  { kind: 'build', words: 'javac, kotlinc, scalac, mill *.compile, groovyc' },
  { kind: 'lint', words: 'ktlint|detekt|checkstyle|scalafix' },
  // .NET
  { kind: 'test', family: 'dotnet', words: 'dotnet test|vstest', not: '-t' },
  { kind: 'build', family: 'dotnet', words: 'dotnet build|publish|msbuild|pack' },
  { kind: 'format', words: 'dotnet format', needs: '--verify-no-changes' },
  { kind: 'build', family: 'dotnet', words: 'msbuild|xbuild' },
  // C, C++ and builders of all sorts
  { kind: 'build', family: 'make', words: 'cmake', needs: '--build' },
  { kind: 'test', family: 'ctest', words: 'ctest', not: '-N --show-only' },
  { kind: 'test', family: 'meson', words: 'meson test' },
  { kind: 'build', family: 'make', words: 'meson compile, scons, waf build, xmake, b2, qmake' },
  { kind: 'lint', words: 'clang-tidy|cppcheck|cpplint|include-what-you-use' },
  { kind: 'format', words: 'clang-format', needs: '--dry-run -n' },
  { kind: 'build', family: 'make', words: 'gcc|g++|clang|clang++|cc|c++|nvcc|gfortran|tcc', not: '-E -v -dumpversion' },
  { kind: 'test', family: 'bazel', words: 'bazel|bazelisk|buck2|buck|pants|please|plz test|coverage' },
  { kind: 'build', family: 'bazel', words: 'bazel|bazelisk|buck2|buck|pants|please|plz build|check|lint' },
  // Ruby
  { kind: 'test', family: 'rspec', words: 'rspec', not: '--init --bisect' },
  { kind: 'test', family: 'minitest', words: 'rails test|test:all|test:system|spec' },
  { kind: 'test', words: 'cucumber|minitest|m' },
  { kind: 'lint', family: 'rubocop', words: 'rubocop|standardrb|reek|brakeman|erblint', not: '-L --auto-gen-config' },
  { kind: 'types', words: 'srb tc, steep check' },
  // PHP
  {
    kind: 'test',
    family: 'phpunit',
    words: 'phpunit, pest, paratest, simple-phpunit, codecept run, behat, phpspec run',
    not: '--list-groups --list-suites',
  },
  { kind: 'test', family: 'phpunit', words: 'artisan test' },
  { kind: 'lint', family: 'phpstan', words: 'phpstan analyse|analyze' },
  { kind: 'lint', words: 'psalm, phpcs, phpmd, composer validate, composer audit' },
  { kind: 'format', words: 'php-cs-fixer|pint', needs: '--dry-run --test' },
  // Elixir, Erlang, Swift, Dart, Haskell and others
  { kind: 'test', family: 'mix', words: 'mix test|espec|coveralls' },
  { kind: 'build', words: 'mix compile' },
  { kind: 'lint', words: 'mix credo|dialyzer' },
  { kind: 'format', words: 'mix format', needs: '--check-formatted' },
  { kind: 'test', words: 'rebar3 eunit|ct|proper' },
  { kind: 'build', words: 'rebar3 compile|dialyzer' },
  { kind: 'test', family: 'swift', words: 'swift test', not: 'list' },
  { kind: 'build', family: 'swift', words: 'swift build' },
  { kind: 'test', family: 'swift', words: 'xcodebuild test, xcodebuild * test' },
  { kind: 'build', family: 'swift', words: 'xcodebuild', not: '-list -showsdks' },
  { kind: 'lint', words: 'swiftlint' },
  { kind: 'test', words: 'flutter|dart test' },
  { kind: 'lint', words: 'flutter|dart analyze' },
  { kind: 'build', words: 'flutter build, dart compile' },
  { kind: 'test', words: 'stack|cabal test' },
  { kind: 'build', words: 'stack|cabal build' },
  {
    kind: 'build',
    words:
      'ghc, zig build, zig build-exe, dune build, nim c, crystal build, gleam build, elm make, fpc, dmd, dub build',
  },
  {
    kind: 'test',
    words:
      'zig test, zig build test, dune test, dune runtest, crystal spec, gleam test, elm-test, nimble test, dub test, julia test, busted, luatest, prove, forge test, truffle test, hardhat test, anchor test, molecule test, helm test, terratest, bats, shunit2, shellspec, act',
  },
  {
    kind: 'lint',
    words:
      'hlint, luacheck, selene, helm lint, kube-linter lint, kubeval, kubeconform, tflint, terraform validate, hadolint, actionlint, ansible-lint, buf lint, spectral lint, vale, checkov, hlint, nixpkgs-lint, statix check, gitleaks detect, trivy fs, semgrep scan, semgrep ci',
  },
  { kind: 'format', words: 'terraform fmt, stylua, shfmt, ormolu, gofumpt', needs: '-check --check -d' },
  { kind: 'lint', family: 'shellcheck', words: 'shellcheck' },
  {
    kind: 'build',
    words:
      'docker build, docker buildx build, docker compose build, nix build, hugo, jekyll build, pdflatex, latexmk, tectonic, typst compile, earthly, dagger call',
  },
];

/** Programs that run targets of a file: each word that is no option is a target. */
export const targetRunners: Readonly<
  Record<string, { readonly family: string; readonly valued: string; readonly alone?: 'build' }>
> = {
  make: { family: 'make', valued: '-C -f -j -I -o -W -l --directory --file', alone: 'build' },
  gmake: { family: 'make', valued: '-C -f -j', alone: 'build' },
  ninja: { family: 'make', valued: '-C -f -j -k -t', alone: 'build' },
  just: { family: 'make', valued: '-f -d --justfile --working-directory --set' },
  task: { family: 'make', valued: '-d -t --dir --taskfile' },
  mage: { family: 'make', valued: '-d -w' },
  rake: { family: 'minitest', valued: '-f -C', alone: 'build' },
  ant: { family: 'gradle', valued: '-f -buildfile', alone: 'build' },
  gradle: { family: 'gradle', valued: '-p -b -c -x -P --tests --project-dir' },
  gradlew: { family: 'gradle', valued: '-p -b -c -x -P --tests --project-dir' },
  gulp: { family: 'make', valued: '-f' },
  grunt: { family: 'make', valued: '--gruntfile' },
  earthly: { family: 'make', valued: '' },
  nx: { family: 'make', valued: '--project -p' },
  moon: { family: 'make', valued: '' },
  invoke: { family: 'make', valued: '-c -r' },
  composer: { family: 'phpunit', valued: '-d --working-dir' },
  turbo: { family: 'make', valued: '--filter -F' },
};

/** Programs that run scripts of package.json. */
export const scriptRunners: ReadonlySet<string> = new Set(['npm', 'pnpm', 'yarn', 'bun']);

/** With one of these, anywhere, nothing is checked. */
export const neverFlags: ReadonlySet<string> = new Set(
  '--help -h --version --watch --watchAll --list --list-tests --listTests --collect-only --co --dry-run --dryRun --ui --showConfig --just-print --no-run --debug-brk --watch-all'.split(
    ' ',
  ),
);

/** Options that let a checker change files. */
export const changingFlags: ReadonlySet<string> = new Set(
  '--fix --write -i -a -A --autocorrect --autocorrect-all --auto-correct --unsafe-fixes --apply --apply-unsafe --update-snapshot -u --updateSnapshot --fix-only'.split(
    ' ',
  ),
);
