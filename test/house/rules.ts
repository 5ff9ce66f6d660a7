/** The house rules. Each takes what was read and returns its violations as sentences. */
import { isWithin, roomOf } from './rooms.ts';
import type { Source } from './source.ts';

export type Rule = (sources: readonly Source[]) => string[];

/** Tests, and what exists for tests alone: these may reach across the house. */
export const isForTests = ({ path }: Pick<Source, 'path'>): boolean =>
  /\.test\.ts$|\/testing\/|(^|\/)(samples|fixtures?)\.ts$/.test(path) || !path.startsWith('src/');

/** Only these may catch: the wrapper around Node and libraries, and the three doors (tool runner, session, main). */
const catchers = ['src/base/attempt.ts', 'src/loop/work.ts', 'src/loop/act.ts', 'src/main.ts'];

/** Their ESM form costs 50 ms and 12 MB where it is loaded: `process.getBuiltinModule` inside the function does not. */
const slowModules = ['http', 'https', 'http2', 'tls', 'zlib', 'crypto'].map((name) => `node:${name}`);

/** The agent itself: whoever wants to know what it does reads these in one sitting. */
const core = ['conversation', 'run', 'work', 'think', 'act', 'close'].map((name) => `src/loop/${name}.ts`);

const product = (sources: readonly Source[]) => sources.filter((source) => !isForTests(source));

export const layers: Rule = (sources) =>
  product(sources).flatMap((source) =>
    source.imports
      .filter(({ target }) => !mayImport(source.path, target))
      .map(({ target }) => `${source.path} uses ${target}`),
  );

function mayImport(from: string, target: string): boolean {
  const own = roomOf(from);
  if (!own) return false;
  const isInside = target.startsWith('src/');
  if (isInside && isForTests({ path: target })) return false;
  if (!isInside) return own.room.packages === undefined || own.room.packages.includes(target);
  return [own.folder, ...own.room.mayUse].some((folder) => isWithin(target, folder));
}

/** Type-only imports count: a circle of types is a circle for the reader. */
export const circles: Rule = (sources) => {
  const uses = new Map(sources.map(({ path, imports }) => [path, imports.map(({ target }) => target)]));
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) found.push([...trail.slice(start), path].join(' -> '));
    if (start >= 0 || done.has(path)) return;
    for (const target of uses.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const path of uses.keys()) visit(path, []);
  return found;
};

export const sizes: Rule = (sources) =>
  sources.filter(({ lines }) => lines > 400).map(({ path, lines }) => `${path} has ${lines} lines, 400 are allowed`);

export const coreSize: Rule = (sources) => {
  const lines = sources.filter(({ path }) => core.includes(path)).reduce((sum, source) => sum + source.lines, 0);
  return lines > 720 ? [`The core of the loop has ${lines} lines, 720 are allowed`] : [];
};

export const names: Rule = (sources) =>
  sources
    .filter(({ path }) => /\b(utils?|helpers?|common|managers?|services?|handlers?)\b/i.test(spaced(path)))
    .map(({ path }) => `${path} does not say what it holds`);

const spaced = (path: string) => path.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[-_.]/g, ' ');

export const catches: Rule = (sources) =>
  product(sources)
    .filter(({ path, hasCatch }) => hasCatch && !catchers.includes(path))
    .map(({ path }) => `${path} catches; use attempt()`);

export const state: Rule = (sources) =>
  product(sources).flatMap(({ path, state }) => state.map((name) => `${path} keeps state in its module: ${name}`));

export const barrels: Rule = (sources) =>
  sources
    .filter(({ path, isBarrel }) => isBarrel && !isWithin(path, 'src/doors'))
    .map(({ path }) => `${path} only passes on what others export`);

/** What is imported at the top of a file is paid for at every start. */
export const slowImports: Rule = (sources) =>
  product(sources).flatMap(({ path, imports, calls }) => {
    const slow = imports.filter(
      ({ target, isTypeOnly, isLazy }) => slowModules.includes(target) && !isTypeOnly && !isLazy,
    );
    const found = slow.map(({ target }) => `${path} imports ${target}; use process.getBuiltinModule`);
    return calls.has('fetch') ? [...found, `${path} calls fetch; it loads a second HTTP client`] : found;
  });

export const schemas: Rule = (sources) =>
  sources
    .filter(({ imports }) => imports.some(({ target, isTypeOnly }) => target === 'zod' && !isTypeOnly))
    .map(({ path }) => `${path} uses zod; use zod/mini`);

/** Papers are read by strangers: nothing in them may speak of the machine that they were written on. */
export function foreignWords(path: string, text: string): string[] {
  const words = [/(?<![\w./~-])\/(?:work|root)\//, /registry\.npm(?:js|mirror)\b/];
  return text
    .split('\n')
    .flatMap((line, index) =>
      words.some((word) => word.test(line)) ? [`${path}:${index + 1}: ${line.trim().slice(0, 100)}`] : [],
    );
}
