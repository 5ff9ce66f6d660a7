import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CallOptions, readCall } from './call.ts';

interface Expected {
  readonly action?: string | readonly string[];
  readonly calls?: readonly { readonly name: string; readonly args: unknown }[];
  readonly class?: string;
  readonly lists_tools?: boolean;
  readonly or?: Expected;
}

interface Trigger {
  readonly tool: string;
  readonly raw_arguments?: string;
  readonly arguments?: unknown;
  readonly finish_reason?: string;
  readonly usage?: { readonly completion_tokens: number };
  readonly request?: { readonly max_tokens: number };
  readonly variants?: readonly (Partial<Trigger> & { readonly expect?: Expected })[];
}

interface Row {
  readonly id: string;
  readonly title: string;
  readonly tools: readonly { readonly name: string; readonly parameters: Record<string, unknown> }[];
  readonly trigger: Trigger;
  readonly expect: Expected;
}

const fixture = join(import.meta.dirname, '../../../../test/fixtures/corpus/faults-a.jsonl');
const rows = readFileSync(fixture, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line): Row => JSON.parse(line)); // the shape of our own fixture

/** Each row, and each of its variants as a row of its own. */
const cases = rows.flatMap(({ trigger, ...row }) => {
  const { variants = [], ...plain } = trigger;
  const others = variants.map(({ expect: own, ...keys }, index) => {
    const { raw_arguments: _raw, arguments: _value, ...rest } = plain;
    const base = 'raw_arguments' in keys || 'arguments' in keys ? rest : plain;
    return { ...row, id: `${row.id}.${index + 1}`, trigger: { ...base, ...keys }, expect: own ?? row.expect };
  });
  return [{ ...row, trigger: plain }, ...others];
});

const isCut = ({ finish_reason, usage, request }: Trigger): boolean =>
  ['length', 'max_tokens', 'max_output_tokens', 'MAX_TOKENS'].includes(finish_reason ?? '') ||
  (usage !== undefined && request !== undefined && usage.completion_tokens >= request.max_tokens);

const textOf = (trigger: Trigger): string => trigger.raw_arguments ?? JSON.stringify(trigger.arguments);

const outcome = ({ tools, trigger }: Pick<Row, 'tools' | 'trigger'>, options: CallOptions = {}) =>
  readCall(
    { name: trigger.tool, arguments: textOf(trigger) },
    tools.map((tool) => ({ ...tool, description: '' })),
    { isCut: isCut(trigger), ...options },
  );

describe('the corpus of badly formed calls', () => {
  it('has every row', () => {
    expect(cases.length).toBeGreaterThan(30);
  });

  it.each(cases)('$id $title', ({ expect: wanted, ...row }) => {
    const read = outcome(row);
    const calls = read.ok ? read.value.inputs.map((args) => ({ name: read.value.name, args })) : [];
    expect(calls).toEqual(wanted.calls);
    if (wanted.action === 'accept') expect(read.ok && read.value.repairs).toEqual([]);
    else if (calls.length > 0) expect(read.ok && read.value.repairs.length).toBeGreaterThan(0);
    if (read.ok) return;
    if (wanted.action === 'resample' || wanted.class === 'truncated') expect(read.fault.class).toBe('cut');
    if (wanted.lists_tools) for (const { name } of row.tools) expect(read.fault.message).toContain(name);
  });
});
