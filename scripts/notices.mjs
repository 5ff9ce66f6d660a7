/** The licence texts of everything that ends up in the bundle. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * `inputs` are the bundler's paths, relative to `root`; beside each of `files` lies its licence, `FILE.LICENSE`.
 * Throws where a package brings no licence.
 */
export function notices(root, inputs, files) {
  const folders = new Set(inputs.map(packageFolder).filter((folder) => folder !== undefined));
  const texts = [...folders].sort().map((folder) => notice(join(root, folder)));
  for (const file of files) texts.push(`${file}\n\n${readFileSync(join(root, `${file}.LICENSE`), 'utf8').trim()}\n`);
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
