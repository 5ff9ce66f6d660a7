/** Every row of kind B of the fault corpus: what must run, what must be shown, and what the model is told. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ToolSpec } from '../../../protocol/model.ts';
import { classifyReply } from './classify.ts';
import { salvage } from './salvage.ts';
import { isGarbled, specialTokensIn } from './special-tokens.ts';
import { admitFor } from './testing/tools.ts';

interface NativeRow {
  readonly name: string;
  readonly arguments: string;
}

interface Trigger {
  readonly assistant_text?: string;
  readonly reasoning?: string;
  readonly finish_reason?: string | null;
  readonly tool_calls?: readonly NativeRow[];
  readonly arguments?: unknown;
  readonly sse_deltas?: readonly NativeRow[];
  readonly body?: unknown;
}

interface Expected {
  readonly calls?: readonly { readonly name: string; readonly args: unknown }[];
  readonly action?: string | readonly string[];
  readonly class?: string;
  readonly names?: readonly string[];
  readonly visible_text?: string;
  readonly visible_text_contains?: string;
  readonly reasoning?: string;
}

interface Row {
  readonly id: string;
  readonly title: string;
  readonly tools: readonly Pick<ToolSpec, 'name' | 'parameters'>[];
  readonly trigger: Trigger & { readonly variants?: readonly (Trigger & { readonly expect?: Expected })[] };
  readonly expect: Expected;
}

const fixture = join(import.meta.dirname, '../../../../test/fixtures/corpus/faults-b.jsonl');
const rows = readFileSync(fixture, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line): Row => JSON.parse(line)); // the shape of our own fixture

const cases = rows.flatMap(({ trigger: { variants = [], ...trigger }, ...row }) => [
  { ...row, trigger },
  ...variants
    .filter(({ body }) => body === undefined)
    .map(({ expect: own, ...keys }) => ({
      ...row,
      trigger: { ...trigger, ...keys },
      expect: { ...row.expect, ...own },
    })),
]);

/** Refused by the server, or wrong on the wire: parts/models and the history have these. */
const elsewhere = ['B034', 'B044', 'B045'];
const special = ['B030', 'B035', ...elsewhere];

function outcome({ tools, trigger }: Pick<Row, 'tools' | 'trigger'>) {
  const specs = tools.map((tool) => ({ description: '', ...tool }));
  const { tool_calls: nativeCalls = [], assistant_text: text = '', reasoning } = trigger;
  const isWhole = trigger.finish_reason !== 'length';
  const salvaged = salvage({ text, reasoning, tools: specs, nativeCalls, isWhole, admit: admitFor(specs) });
  const filled = new Set(salvaged.calls.map(({ fills }) => fills));
  const native = nativeCalls
    .filter((_, index) => !filled.has(index))
    .map(({ name, arguments: args }) => ({ name, args: JSON.parse(args) as unknown })); // compared as a whole
  return { salvaged, calls: [...native, ...salvaged.calls.map(({ name, input }) => ({ name, args: input }))] };
}

describe('a leaked call or thought', () => {
  it.each(cases.filter(({ id }) => !special.includes(id)))('$id: $title', (row) => {
    const { salvaged, calls } = outcome(row);
    const { calls: wanted = [], visible_text, visible_text_contains, reasoning, action } = row.expect;
    expect(calls).toEqual(wanted);
    if (visible_text !== undefined) expect(salvaged.visibleText.trim()).toBe(visible_text.trim());
    if (visible_text_contains !== undefined) expect(salvaged.visibleText).toContain(visible_text_contains);
    if (reasoning !== undefined) expect(salvaged.visibleReasoning.trim()).toBe(reasoning.trim());
    if (action === 'reject') expect(salvaged.refused).toMatchObject([{ reason: 'invalid' }]);
    if (action === 'resample' || action?.includes('nudge')) {
      const { visibleText: text, visibleReasoning } = salvaged;
      const kind = classifyReply({ text, reasoning: visibleReasoning, calls: 0, finish: 'stop', hasOpenWork: true });
      expect(kind).toMatchObject({ kind: 'empty', nudge: { name: 'reply.empty' } });
    }
  });

  it('that a server garbled is no call: B030', () => {
    const deltas = rows.find(({ id }) => id === 'B030')?.trigger.sse_deltas ?? [];
    expect(deltas.map(isGarbled)).toEqual([true]);
    expect(isGarbled({ name: 'read', arguments: '{"path":"[ARGS]"}' })).toBe(false);
    expect(isGarbled({ name: '', arguments: '{"path":"a"}' })).toBe(false);
  });

  it('with special tokens in its arguments is known, and not changed: B035', () => {
    const trigger = rows.find(({ id }) => id === 'B035')?.trigger;
    expect(specialTokensIn(trigger?.arguments)).toEqual(['<|tool_response>']);
    expect(specialTokensIn({ path: 'a', content: ['a < b | c > d', '<b>x</b>', 'a || b'] })).toEqual([]);
  });

  it('has a test in every row', () => {
    expect(rows).toHaveLength(38);
    expect(elsewhere.every((id) => rows.some((row) => row.id === id))).toBe(true);
  });
});
