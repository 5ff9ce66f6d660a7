/** Faults seen in public trackers, through the same code as a run: what is read, what runs, what is asked again. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readCase } from '../src/session/debug/case.ts';
import { type Explained, explainReply } from '../src/session/debug/reply.ts';
import { caseOf, matches, type Row, variantsOf } from './fixtures/corpus/reply-rows.ts';

const rows = readFileSync('test/fixtures/corpus/faults-replies.jsonl', 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line) as Row); // our own file

async function explained(row: Row): Promise<Explained> {
  const read = readCase(JSON.stringify(caseOf(row)));
  if (!read.ok) throw new Error(read.fault);
  const answer = await explainReply(read.value);
  if (!answer.ok) throw new Error(answer.fault);
  return answer.value;
}

/** Rows of a server that hold its answer; the others need a server and stand beside what they test. */
const hasAnswer = ({ via, trigger }: Row): boolean =>
  via === 'reply' ||
  (via === 'config' && 'assistant_text' in trigger) ||
  (via === 'server' &&
    ['sse', 'packets_hex', 'body', 'http_status'].some((key) => key in trigger) &&
    !('tools' in trigger));

describe.each(rows.filter(hasAnswer))('$id $title', (row) => {
  it.each(variantsOf(row).map((one, index) => [index, one] as const))('form %i', async (_, one) => {
    const answer = await explained(one);
    const wrong = matches(answer, one.expect);
    expect({ wrong, ...(wrong.length > 0 ? { answer } : {}) }).toEqual({ wrong: [] });
  });
});

it('holds every row of its kinds, once', () => {
  const ids = rows.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => /^[ABE]/.test(id)).length).toBe(121);
});
