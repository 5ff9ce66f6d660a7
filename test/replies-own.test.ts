/** Our own rows beside the corpus: other dialects, servers and wires, and many calls that are only shown. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readCase } from '../src/session/debug/case.ts';
import { explainReply } from '../src/session/debug/reply.ts';
import { caseOf, matches, type Row, variantsOf } from './fixtures/corpus/reply-rows.ts';

/** Rows name their tools; the first line holds the schemas of all. */
type OwnRow = Omit<Row, 'tools' | 'via'> & { readonly tools: readonly string[] };

const [legend = '', ...lines] = readFileSync('test/fixtures/replies-own.jsonl', 'utf8').split('\n').filter(Boolean);
const { schemas } = JSON.parse(legend) as { readonly schemas: Readonly<Record<string, object>> }; // our own file
const rows = lines.map((line): Row => {
  const own = JSON.parse(line) as OwnRow; // our own file
  return { ...own, via: 'reply', tools: own.tools.map((name) => ({ name, parameters: schemas[name] })) };
});

describe.each(rows.flatMap(variantsOf))('$id $title', (row) => {
  it('comes out as expected', async () => {
    const read = readCase(JSON.stringify(caseOf(row)));
    if (!read.ok) throw new Error(read.fault);
    const answer = await explainReply(read.value);
    if (!answer.ok) throw new Error(answer.fault);
    const wrong = matches(answer.value, row.expect);
    expect({ wrong, ...(wrong.length > 0 ? { answer: answer.value } : {}) }).toEqual({ wrong: [] });
  });
});

it('holds each row once', () => {
  const ids = rows.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThan(500);
});
