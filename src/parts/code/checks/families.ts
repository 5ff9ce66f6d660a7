/** What the programs that check say at their end, each in its own words. */

export interface Family {
  readonly name: string;
  /** Lines with counts, as named groups: passed, failed, errors, skipped, total. */
  readonly counts?: RegExp;
  /** Of several such lines the last counts, or their sum. */
  readonly take?: 'last' | 'sum';
  /** Says that something failed, whatever the counts. */
  readonly failed?: RegExp;
  /** Says that all is well; counts above 0 do too. */
  readonly passed?: RegExp;
  /** Says that nothing was there to be checked. */
  readonly empty?: RegExp;
  /** Where this is said too, counts without failures are the last word on the whole run, and prove success. */
  readonly proof?: RegExp;
}

/** Numbers before or after their word, in any order. */
const list = (before: string, words: readonly string[], after: string): RegExp =>
  new RegExp(`${before}(?<list>(?:[ ,|]*\\d+ (?:${words.join('|')})\\b)+)${after}`, 'gm');

export const families: readonly Family[] = [
  {
    name: 'pytest',
    counts: list(
      '^={0,200}[ \\t]{0,9}',
      [
        'passed',
        'failed',
        'errors?',
        'skipped',
        'deselected',
        'xfailed',
        'xpassed',
        'warnings?',
        'rerun',
        'subtests passed',
      ],
      ' in [\\d.:]+',
    ),
    failed:
      /^(?:FAILED|ERROR) \S{1,300}(?:::| -)|^={1,200} (?:ERRORS|FAILURES) =|^E {3,}\S|Interrupted: \d+ errors? during collection|^INTERNALERROR>/m,
    empty: /\bno tests ran in\b|^collected 0 items/m,
    proof: /^={0,200}[ \t]{0,9}\d+ passed\b.{0,300} in [\d.:]+/m,
  },
  {
    name: 'unittest',
    counts:
      /^Ran (?<total>\d+) tests? in [\d.]+s\s{1,9}(?:OK(?: \((?:[\w ]+=\d+(?:, )?)*skipped=(?<skipped>\d+).{0,300}\))?|FAILED \((?:failures=(?<failed>\d+))?(?:, )?(?:errors=(?<errors>\d+))?.{0,300}\))?/gm,
    failed: /^FAILED \((?:failures|errors|unexpected)|^(?:FAIL|ERROR): \w+ \(/m,
    empty: /^NO TESTS RAN|^Ran 0 tests/m,
    proof: /^Ran \d+ tests? in [\d.]+s\s{1,9}OK\b/m,
  },
  {
    name: 'vitest',
    counts: list('^[ \\t]{0,40}Tests[ \\t]{1,40}', ['passed', 'failed', 'skipped', 'todo'], ''),
    failed:
      /^[ \t]{0,40}(?:Test Files|Tests)[ \t]{1,40}[1-9]\d* failed|^[ \t]{0,40}Errors[ \t]{1,40}[1-9]|^ERROR: Coverage for|^ ?❯? ?FAIL {1,2}\S|^⎯+ (?:Failed|Unhandled) /m,
    empty: /^No test files found|^[ \t]{0,40}Tests[ \t]{1,40}no tests/m,
    proof: /^[ \t]{0,40}Test Files[ \t]{1,40}\d+ passed\b/m,
  },
  {
    name: 'jest',
    counts: list('^Tests:[ \\t]{1,40}', ['passed', 'failed', 'skipped', 'todo', 'total'], ''),
    failed:
      /coverage threshold for|^(?:Test Suites|Tests):[ \t]{1,40}[1-9]\d* failed|^FAIL \S|^TOTAL: [1-9]\d* FAILED/m,
    empty: /^No tests found\b/m,
    proof: /^Test Suites:[ \t]{1,40}\d+ passed\b/m,
  },
  {
    name: 'mocha',
    counts: /^[ \t]{0,40}(?:(?<passed>\d+) passing\b|(?<failed>\d+) failing\b|(?<skipped>\d+) pending\b)/gm,
    take: 'sum',
    failed: /^[ \t]{0,40}[1-9]\d* failing\b/m,
    empty: /^[ \t]{0,40}0 passing/m,
  },
  {
    name: 'node',
    counts:
      /^(?:#|ℹ) (?:tests (?<total>\d+)|pass (?<passed>\d+)|fail (?<failed>\d+)|cancelled (?<errors>\d+)|skipped (?<skipped>\d+))$/gm,
    take: 'sum',
    failed: /^not ok \d+(?!.{0,300}# (?:TODO|SKIP))|^✖ failing tests:|^(?:#|ℹ) (?:fail|cancelled) [1-9]/m,
    empty: /^(?:#|ℹ) tests 0$/m,
    proof: /^(?:#|ℹ) fail 0\n(?:#|ℹ) cancelled 0$/m,
  },
  {
    name: 'tap',
    counts: /^# (?:tests (?<total>\d+)|pass +(?<passed>\d+)|fail +(?<failed>\d+))$/gm,
    take: 'sum',
    failed: /^not ok \d+(?!.{0,300}# (?:TODO|SKIP))|^# fail +[1-9]/m,
    empty: /^1\.\.0\b/m,
  },
  {
    name: 'ava',
    counts:
      /^[ \t]{1,40}(?:(?<passed>\d+) tests? passed|(?<failed>\d+) tests? failed|(?<errors>\d+) uncaught exceptions?)/gm,
    take: 'sum',
    failed: /^[ \t]{1,40}[1-9]\d* tests? failed/m,
  },
  {
    name: 'playwright',
    counts: /^[ \t]{1,40}(?:(?<passed>\d+) passed \(|(?<failed>\d+) failed$|(?<skipped>\d+) skipped$)/gm,
    take: 'sum',
    failed: /^[ \t]{1,40}[1-9]\d* failed$/m,
    empty: /^Error: No tests found/m,
  },
  {
    name: 'bun',
    counts: /^[ \t]{0,40}(?:(?<passed>\d+) pass|(?<failed>\d+) fail|(?<skipped>\d+) skip)$/gm,
    take: 'sum',
    failed: /^[ \t]{0,40}[1-9]\d* fail$|^\(fail\) /m,
  },
  {
    name: 'deno',
    counts: /^(?:ok|FAILED) \| (?<passed>\d+) passed(?: \(\d+ steps?\))? \| (?<failed>\d+) failed/gm,
    failed: /^FAILED \|/m,
    proof: /^ok \| /m,
  },
  {
    name: 'cargo',
    counts: /^test result: (?:ok|FAILED)\. (?<passed>\d+) passed; (?<failed>\d+) failed; (?<skipped>\d+) ignored/gm,
    take: 'sum',
    failed:
      /^test result: FAILED|^error(?:\[E\d+\])?: |^error: could not compile|^error: test failed|\bSummary \[.{0,300}[1-9]\d* failed/m,
  },
  {
    name: 'go',
    counts: /^[ \t]{0,40}--- (?:(?<passed>PASS)|(?<failed>FAIL)|(?<skipped>SKIP)): /gm,
    take: 'sum',
    failed:
      /^[ \t]{0,40}--- FAIL|^FAIL(?:\s|$)|\[(?:build|setup) failed\]|^panic: |^(?:\.{0,2}\/)?[\w./-]+\.go:\d+:\d+: /m,
    passed: /^ok[ \t]{1,40}\S{1,300}[ \t]{1,40}(?:[\d.]+s|\(cached\))(?!.{0,300}\[no tests to run\])/m,
    empty: /\[no test files\]|\[no tests to run\]|^testing: warning: no tests to run/m,
  },
  {
    name: 'maven',
    counts:
      /^(?:\[\w+\] )?Tests run: (?<total>\d+), Failures: (?<failed>\d+), Errors: (?<errors>\d+), Skipped: (?<skipped>\d+)[ \t]{0,9}$/gm,
    failed: /BUILD FAILURE|COMPILATION ERROR|<<< (?:FAILURE|ERROR)!/,
    passed: /^\[INFO\] BUILD SUCCESS/m,
    empty: /^\[INFO\] No tests to run/m,
  },
  {
    name: 'gradle',
    counts: /^(?<total>\d+) tests? completed(?:, (?<failed>\d+) failed)?(?:, (?<skipped>\d+) skipped)?/gm,
    failed: /^BUILD FAILED|^FAILURE: |^> Task \S{1,300} FAILED/m,
    passed: /^BUILD SUCCESSFUL/m,
  },
  {
    name: 'sbt',
    counts:
      /Tests: succeeded (?<passed>\d+), failed (?<failed>\d+)|Passed: Total (?<total>\d+), Failed (?<errors>\d+)/gm,
    failed: /^\[error\] |\*\*\* FAILED \*\*\*|^\[error\]/m,
    passed: /^\[success\]/m,
  },
  {
    name: 'dotnet',
    counts:
      /^[ \t]{0,40}(?:Passed|Failed|Skipped)![ \t]{1,40}- Failed:[ \t]{1,40}(?<failed>\d+), Passed:[ \t]{1,40}(?<passed>\d+), Skipped:[ \t]{1,40}(?<skipped>\d+), Total:[ \t]{1,40}(?<total>\d+)/gm,
    take: 'sum',
    failed: /^[ \t]{0,40}Failed!|^Build FAILED|: error [A-Z]+\d+: |^Test Run Failed/m,
    passed: /^Build succeeded\./m,
    empty: /No test is available in/,
  },
  {
    name: 'rspec',
    counts:
      /^(?<total>\d+) examples?, (?<failed>\d+) failures?(?:, (?<errors>\d+) errors? occurred outside of examples)?(?:, (?<skipped>\d+) pending)?/gm,
    failed: /^rspec \.\/\S{1,300}:\d+ #|errors? occurred outside of examples/m,
    empty: /^0 examples,/m,
    proof: /^\d+ examples?, 0 failures(?:, \d+ pending)?$/m,
  },
  {
    name: 'minitest',
    counts:
      /^(?<total>\d+) (?:runs|tests), \d+ assertions, (?<failed>\d+) failures, (?<errors>\d+) errors(?:, (?<skipped>\d+) (?:skips|pendings))?/gm,
    failed: /^rake aborted!|^rspec \.\/\S{1,300}:\d+ #/m,
    empty: /^0 (?:runs|tests), 0/m,
  },
  {
    name: 'phpunit',
    counts:
      /^(?:OK \((?<passed>\d+) tests?,|Tests: (?<total>\d+), Assertions: \d+(?:, Errors: (?<errors>\d+))?(?:, Failures: (?<failed>\d+))?(?:.{0,300}?, Skipped: (?<skipped>\d+))?)/gm,
    failed: /^(?:FAILURES|ERRORS)!|^[ \t]{0,40}Tests:[ \t]{1,40}[1-9]\d* failed/m,
    empty: /^No tests executed!/m,
    proof: /^OK \(\d+ tests?, /m,
  },
  {
    name: 'ctest',
    counts: /^\d+% tests passed, (?<failed>\d+) tests failed out of (?<total>\d+)/gm,
    failed: /^The following tests FAILED:|^Errors while running CTest/m,
    empty: /^No tests were found!!!/m,
    proof: /^100% tests passed, 0 tests failed out of/m,
  },
  {
    name: 'meson',
    counts:
      /^(?:Ok:[ \t]{1,40}(?<passed>\d+)|Fail:[ \t]{1,40}(?<failed>\d+)|Timeout:[ \t]{1,40}(?<errors>\d+)|Skipped:[ \t]{1,40}(?<skipped>\d+))[ \t]{0,9}$/gm,
    take: 'sum',
    failed: /^(?:Fail|Timeout|Unexpected Pass):[ \t]{1,40}[1-9]/m,
    empty: /^No tests defined\./m,
  },
  {
    name: 'mix',
    counts:
      /^(?:\d+ doctests?, )?(?<total>\d+) tests?, (?<failed>\d+) failures?(?:.{0,300}?, (?<skipped>\d+) skipped)?/gm,
    failed: /^== Compilation error|^\*\* \(/m,
  },
  {
    name: 'swift',
    counts: /Executed (?<total>\d+) tests?, with (?:\d+ tests? skipped and )?(?<failed>\d+) failures?/gm,
    failed: /^\*\* (?:TEST|BUILD) FAILED \*\*|\berror: |✘ Test run with \d+ tests? failed/m,
  },
  {
    name: 'bazel',
    failed: /^(?:ERROR|FAILED): |^Executed .{0,300}\b[1-9]\d* fails?|^\/\/\S{1,300}[ \t]{1,40}(?:FAILED|TIMEOUT)/m,
    passed: /^INFO: Build completed successfully/m,
    empty: /No test targets were found/,
  },
  {
    name: 'make',
    failed:
      /^g?make(?:\[\d+\])?: \*\*\* |^ninja: (?:build stopped|error)|^FAILED: |^collect2: error: |:\d+(?::\d+)?: (?:fatal )?error: |^CMake Error/m,
  },
  {
    name: 'tsc',
    counts: /^Found (?<errors>\d+) errors?\b/gm,
    failed: /\berror TS\d+:|^Found [1-9]\d* errors?/m,
  },
  {
    name: 'eslint',
    counts: /^✖ \d+ problems? \((?<errors>\d+) errors?, \d+ warnings?\)/gm,
    failed: /^✖ \d+ problems? \([1-9]/m,
  },
  { name: 'biome', counts: /^Found (?<errors>\d+) errors?\./gm, failed: /^Found [1-9]\d* errors?\./m },
  {
    name: 'prettier',
    failed: /^\[warn\] Code style issues (?:found|were)|^\[error\] /m,
    passed: /^All matched files use Prettier code style!/m,
  },
  {
    name: 'ruff',
    counts: /^Found (?<errors>\d+) errors?/gm,
    failed: /^Found [1-9]\d* errors?(?! \(\d+ fixed, 0 remaining\))|^\d+ files? would be reformatted/m,
    passed: /^All checks passed!|^\d+ files? already formatted/m,
  },
  {
    name: 'mypy',
    counts: /^Found (?<errors>\d+) errors? in \d+ files?/gm,
    failed: /^Found [1-9]\d* errors? in |: error: /m,
    passed: /^Success: no issues found in/m,
  },
  {
    name: 'pyright',
    counts: /^(?<errors>\d+) errors?, \d+ warnings?/gm,
    failed: /^[1-9]\d* errors?, /m,
    passed: /^0 errors, /m,
  },
  {
    name: 'rubocop',
    counts: /^\d+ files? inspected, (?<errors>\d+) offenses? detected/gm,
    failed: /inspected, [1-9]\d* offenses? detected/,
    passed: /inspected, no offenses detected/,
  },
  {
    name: 'phpstan',
    counts: /\[ERROR\] Found (?<errors>\d+) errors?/g,
    failed: /\[ERROR\]/,
    passed: /\[OK\] No errors/,
  },
  { name: 'shellcheck', failed: /^In \S{1,300} line \d+:|\bSC\d{4}\b/m },
  {
    name: 'tox',
    failed:
      /^[ \t]{0,40}evaluation failed :\(|^[ \t]{0,40}\S{1,300}: FAIL (?:code|✖)|^nox > Session \S{1,300} failed|^nox > \* \S{1,300}: failed/m,
    passed: /^[ \t]{0,40}congratulations :\)|^nox > Session \S{1,300} was successful/m,
  },
];
