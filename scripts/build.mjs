/**
 * Builds dist/: the program, the public doors, the notices and the package as it is published.
 * Plain JavaScript, because it also runs on the oldest Node that Smew supports, which cannot read TypeScript.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { notices } from './notices.mjs';

const root = join(import.meta.dirname, '..');
const doors = { '.': 'session', './protocol': 'protocol', './tool': 'tool', './policy': 'policy' };
/** Not bundled: they find a binary of the platform beside themselves. */
const external = { dependencies: ['@vscode/ripgrep'], optionalDependencies: ['@lydell/node-pty'] };
/** Bundled as code; the module itself stays a file. */
const parserRuntime = 'web-tree-sitter/web-tree-sitter.wasm';

const startedMs = performance.now();
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const present = Object.entries(doors).filter(([, name]) => existsSync(join(root, 'src/doors', `${name}.ts`)));
const absent = Object.keys(doors).filter((door) => !present.some(([name]) => name === door));

// Built aside and then moved, so that a program which runs meanwhile never sees half of it.
const aside = join(root, `dist.${process.pid}.tmp`);
try {
  const { metafile } = await bundle(aside);
  writeFileSync(
    join(aside, 'THIRD-PARTY-NOTICES.txt'),
    notices(root, Object.keys(metafile.inputs), ['assets/grammars/bash']),
  );
  writeFileSync(join(aside, 'package.json'), `${JSON.stringify(published(), null, 2)}\n`);
  cpSync(join(root, 'bin'), join(aside, 'bin'), { recursive: true });
  cpSync(join(root, 'assets'), join(aside, 'assets'), { recursive: true });
  cpSync(join(root, 'node_modules', parserRuntime), join(aside, 'assets/grammars', basename(parserRuntime)));
  for (const paper of ['README.md', 'LICENSE', 'CHANGELOG.md']) cpSync(join(root, paper), join(aside, paper));
  replace(aside, join(root, 'dist'));
  report(metafile.outputs);
} catch (error) {
  // The bundler has already said what and where.
  if (!error.errors) throw error;
  process.exitCode = 1;
} finally {
  rmSync(aside, { recursive: true, force: true });
}

function bundle(outdir) {
  const entries = present.map(([, name]) => [name, join(root, 'src/doors', `${name}.ts`)]);
  return build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries([['main', join(root, 'src/main.ts')], ...entries]),
    outdir,
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    // Names stay readable in stack traces; white space and syntax are what costs.
    minifyWhitespace: true,
    minifySyntax: true,
    external: Object.values(external).flat(),
    define: { SMEW_VERSION: JSON.stringify(manifest.version) },
    charset: 'utf8',
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    // Bundled CommonJS asks for built-in modules only.
    banner: { js: 'const require=process.getBuiltinModule;' },
  });
}

/** What users install: nothing of the workshop in it. */
function published() {
  const { name, version, description, license, type, engines } = manifest;
  return {
    ...{ name, version, description, license, type },
    bin: { smew: 'bin/smew.js' },
    exports: Object.fromEntries(present.map(([door, file]) => [door, `./${file}.js`])),
    engines,
    ...Object.fromEntries(
      Object.entries(external).map(([kind, names]) => [
        kind,
        Object.fromEntries(names.map((name) => [name, manifest[kind][name]])),
      ]),
    ),
  };
}

function replace(from, to) {
  const old = `${from}.old`;
  if (existsSync(to)) renameSync(to, old);
  mkdirSync(join(to, '..'), { recursive: true });
  renameSync(from, to);
  rmSync(old, { recursive: true, force: true });
}

function report(outputs) {
  const sizes = Object.entries(outputs).map(([path, output]) => ({ path, ...output }));
  const main = sizes.find(({ path }) => path.endsWith('/main.js'));
  const atStart = new Set();
  const visit = (path) => {
    if (atStart.has(path) || !outputs[path]) return;
    atStart.add(path);
    for (const { path: next, kind } of outputs[path].imports) if (kind === 'import-statement') visit(next);
  };
  visit(main.path);
  const startKb = kilobytes([...atStart].map((path) => outputs[path]));
  const ms = Math.round(performance.now() - startedMs);
  console.log(`dist: ${kilobytes(sizes)} kB in ${sizes.length} files, ${startKb} kB read at start (${ms} ms)`);
  if (absent.length > 0) console.log(`dist: no source yet for the doors ${absent.join(', ')}`);
}

function kilobytes(files) {
  return Math.round(files.reduce((sum, { bytes }) => sum + bytes, 0) / 1000);
}
