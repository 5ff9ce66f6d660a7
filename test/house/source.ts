/** What the house rules need to know about a source file, read from its syntax tree. */
import { dirname, join } from 'node:path';
import { type Node, parseSync, type Statement, Visitor } from 'oxc-parser';

export interface Import {
  /** A path in the repository, or the package or built-in module as it stands. */
  readonly target: string;
  /** Erased before the program runs. */
  readonly isTypeOnly: boolean;
  /** Loaded when first used. */
  readonly isLazy: boolean;
}

export interface Source {
  /** From the root of the repository, with slashes. */
  readonly path: string;
  readonly lines: number;
  readonly imports: readonly Import[];
  readonly hasCatch: boolean;
  /** Nothing but `export ... from`. */
  readonly isBarrel: boolean;
  /** Names of bindings of the module itself that can change. */
  readonly state: readonly string[];
  /** Global functions that it calls, by name. */
  readonly calls: ReadonlySet<string>;
}

/** Throws where the text is not TypeScript. */
export function readSource(path: string, text: string): Source {
  const { program, module, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const imports: Import[] = [];
  const add = (specifier: string, isTypeOnly: boolean, isLazy = false) =>
    imports.push({ target: resolve(path, specifier), isTypeOnly, isLazy });
  for (const { moduleRequest, entries } of module.staticImports)
    add(moduleRequest.value, entries.length > 0 && entries.every(({ isType }) => isType));
  for (const { entries } of module.staticExports)
    for (const { moduleRequest, isType } of entries) if (moduleRequest) add(moduleRequest.value, isType);
  let hasCatch = false;
  const calls = new Set<string>();
  new Visitor({
    ImportExpression: ({ source }) => {
      if (source.type === 'Literal' && typeof source.value === 'string') add(source.value, false, true);
    },
    TSImportType: ({ source }) => add(source.value, true),
    CatchClause: () => {
      hasCatch = true;
    },
    CallExpression: ({ callee }) => {
      if (callee.type === 'Identifier') calls.add(callee.name);
    },
  }).visit(program);
  return {
    path,
    lines: text.split('\n').length - 1,
    imports,
    hasCatch,
    isBarrel: program.body.length > 0 && program.body.every(isExportFrom),
    state: program.body.flatMap(stateOf),
    calls,
  };
}

function resolve(from: string, specifier: string): string {
  return specifier.startsWith('.') ? join(dirname(from), specifier) : specifier;
}

function isExportFrom(statement: Statement): boolean {
  if (statement.type === 'ExportAllDeclaration') return true;
  return statement.type === 'ExportNamedDeclaration' && statement.source !== null;
}

function stateOf(statement: Statement): string[] {
  const inner: Node | null = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
  if (inner?.type !== 'VariableDeclaration') return [];
  return inner.declarations
    .filter(({ init }) => inner.kind !== 'const' || isEmptyCollection(init))
    .map(({ id }) => (id.type === 'Identifier' ? id.name : id.type));
}

/** A collection that starts empty is there to be filled. */
function isEmptyCollection(init: Node | null): boolean {
  if (init?.type === 'ArrayExpression') return init.elements.length === 0;
  if (init?.type !== 'NewExpression' || init.callee.type !== 'Identifier') return false;
  return /^(Weak)?(Map|Set)$/.test(init.callee.name) && init.arguments.length === 0;
}
