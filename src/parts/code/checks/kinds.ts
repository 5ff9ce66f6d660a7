/** The kinds of checks, and names that people give to them. */

export type CheckKind = 'test' | 'build' | 'lint' | 'types' | 'format';

export interface Recognised {
  readonly kind: CheckKind;
  /** Whose words its output speaks; undefined where that is not known (a script, a target). */
  readonly family: string | undefined;
  /** It may also change files (`--fix`). */
  readonly changesFiles: boolean;
}

const named: readonly (readonly [CheckKind, RegExp])[] = [
  ['types', /^(?:type-?check|check-?types?|types?|tsc|type-?check(?:ing)?|mypy|pyright|typing)$/],
  [
    'lint',
    /^(?:lint|linters?|eslint|clippy|ruff|rubocop|stylelint|vet|style|flake8|pylint|shellcheck|static|analy[sz]e|phpstan|oxlint|biome)$/,
  ],
  ['format', /^(?:format|fmt|prettier)[-:_]?check$|^check[-:_]?(?:format|fmt)$/],
  [
    'test',
    /^(?:tests?|t|check|checks|spec|specs|e2e|unit|integration|verify|validate|ci|coverage|smoke|jest|vitest|pytest|mocha|qa|cypress|playwright|self-?test|regress(?:ion)?|precommit|pre-commit)$/,
  ],
  ['build', /^(?:build|compile|dist|bundle|package|all|assemble|release|debug)$/],
];
const never =
  /^(?:watch|dev|start|serve|clean|install|fix|write|update|u|help|publish|deploy|docker|image|list|fmt|format|prepare|setup|bench|ui|open|generate|gen|init)$/;

/** What a script or target is by its name: `test:unit`, `lint-js`, `build_all`. */
export function kindByName(name: string): CheckKind | undefined {
  const whole = named.find(([, pattern]) => pattern.test(name));
  if (whole) return whole[0];
  const parts = name.split(/[:._/-]+/).filter((part) => part !== '');
  if (parts.some((part) => never.test(part))) return undefined;
  return named.find(([, pattern]) => parts.some((part) => pattern.test(part)))?.[0];
}
