import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { exitCodes } from './exit-code.ts';
import { HeadlessResult, Status } from './result.ts';
import { schemas } from './schemas.ts';

const docs = (file: string) => readFileSync(new URL(`../../../docs/${file}`, import.meta.url), 'utf8');

test.each(Object.entries(schemas()))(
  'docs/schemas/%s is what the code says (node scripts/schemas.ts writes it)',
  (file, schema) => {
    expect(JSON.parse(docs(`schemas/${file}`))).toEqual(JSON.parse(JSON.stringify(schema)));
  },
);

test('docs/json-output.md names every field of the result and every status', () => {
  const page = docs('json-output.md');
  for (const name of [...Object.keys(HeadlessResult.shape), ...Status.options]) expect(page).toContain(`\`${name}\``);
});

test('docs/headless.md tells every exit code', () => {
  const page = docs('headless.md');
  for (const [status, code] of Object.entries(exitCodes)) expect(page).toContain(`| ${code} | \`${status}\` |`);
});
