/** The licence texts of everything that ends up in the bundle. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** `inputs` are the bundler's paths, relative to `root`. Throws where a package brings no licence. */
export function notices(root, inputs) {
  const folders = new Set(inputs.map(packageFolder).filter((folder) => folder !== undefined));
  const texts = [...folders].sort().map((folder) => notice(join(root, folder)));
  return `Smew contains the following packages.\n\n${texts.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

function packageFolder(input) {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
}

function notice(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)(\.|$)/i.test(entry));
  if (!file && !license) throw new Error(`${name} ${version} is bundled but brings no licence: ${folder}`);
  const text = file ? readFileSync(join(folder, file), 'utf8').trim() : 'The package brings no licence text.';
  return `${name} ${version} (${license ?? 'see below'})\n\n${text}\n`;
}
