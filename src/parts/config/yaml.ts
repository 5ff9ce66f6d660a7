/** A config file's text as a tree. The YAML library is loaded here, and only when there is a file. */
import { attempt, messageOf } from '../../base/attempt.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { type Fault, fault } from '../../protocol/fault.ts';
import { isTree, type Layer, type LayerName, type Path, withoutEmpty } from './layer.ts';

/** Fails with file, line and column of the first mistake. */
export async function readYaml(text: string, file: string, name: LayerName): Promise<Result<Layer, Fault>> {
  // The library is CommonJS: in a bundle its names are there under `default` only.
  const { isNode, LineCounter, parseDocument } = (await import('yaml')).default;
  const lines = new LineCounter();
  const document = parseDocument(text.replace(/^\uFEFF/, ''), { lineCounter: lines, prettyErrors: false });
  const [mistake] = document.errors;
  if (mistake) {
    const { line, col } = lines.linePos(mistake.pos[0]);
    return fail(broken(`${file}, line ${line}, column ${col}`, mistake.message));
  }
  // An alias bomb is noticed only while the aliases are expanded.
  const value = await attempt<unknown, Fault>(
    async () => document.toJS(),
    (cause) => broken(file, messageOf(cause)),
  );
  if (!value.ok) return value;
  const tree = value.value ?? {};
  if (!isTree(tree)) {
    return fail(fault('usage', `${file} holds no settings. Wanted lines like "model: provider/name"; correct it.`));
  }
  const place = (path: Path): string => {
    const line = lineOf(path);
    return line === undefined ? file : `${file}, line ${line}`;
  };
  const lineOf = (path: Path): number | undefined => {
    const node = document.getIn(path, true);
    const start = isNode(node) ? node.range?.[0] : undefined;
    return start === undefined ? undefined : lines.linePos(start).line;
  };
  return ok({ name, value: withoutEmpty(tree), place });
}

const broken = (where: string, what: string): Fault =>
  fault('usage', `${where}: this is not valid YAML: ${what.replace(/\.?\s*$/, '')}. Correct it, or remove the file.`);
