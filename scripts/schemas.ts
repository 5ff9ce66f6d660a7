/** Writes docs/schemas from the zod schemas: `node scripts/schemas.ts && npx biome check --write docs/schemas`. */
import { writeFileSync } from 'node:fs';
import { schemas } from '../src/surfaces/headless/schemas.ts';

for (const [file, schema] of Object.entries(schemas())) {
  writeFileSync(new URL(`../docs/schemas/${file}`, import.meta.url), `${JSON.stringify(schema, undefined, 2)}\n`);
}
