/** The published JSON Schemas, by file name under docs/schemas. Written by scripts/schemas.ts, compared by a test. */
import * as z from 'zod/mini';
import { HeadlessResult } from './result.ts';
import { StreamLine } from './stream-line.ts';

const published = (schema: z.ZodMiniType, title: string): unknown => ({
  title,
  // As input: a reader must not refuse a field that a later version adds.
  ...z.toJSONSchema(schema, { io: 'input', reused: 'ref' }),
});

export const schemas = (): Readonly<Record<string, unknown>> => ({
  'result.json': published(HeadlessResult, 'smew --output-format json'),
  'stream-line.json': published(StreamLine, 'one line of smew --output-format stream-json'),
});
