/** A tool: one schema, from which its type, its validation and its JSON Schema all come. */
import * as z from 'zod/mini';
import { fail, ok, type Result } from '../../base/result.ts';
import type { PreparedCall, ToolAnswer, ToolBox, ToolIo } from '../../loop/ports.ts';
import type { ToolCall } from '../../protocol/message.ts';
import type { ToolSpec } from '../../protocol/model.ts';
import type { Effect } from '../../protocol/permission.ts';
import { explainInput } from './explain.ts';
import { distance } from './nearest.ts';
import { trimSchema } from './schema.ts';

export interface ToolDefinition<Input extends z.ZodMiniType> {
  readonly name: string;
  /** An instruction: what it does, when to use it, which neighbour to use instead. */
  readonly description: string;
  readonly effect: Effect;
  /** Strict, so that a parameter which does not exist is told and never dropped in silence. */
  readonly input: Input;
  /** What a person is asked about: a command line, a path. */
  subject(input: z.output<Input>): string;
  /** The call's own time limit in milliseconds, where it has one. */
  timeoutMs?(input: z.output<Input>): number | undefined;
  run(input: z.output<Input>, io: ToolIo): Promise<ToolAnswer>;
}

export interface Tool {
  readonly spec: ToolSpec;
  readonly effect: Effect;
  prepare(input: unknown): Result<PreparedCall, ToolAnswer>;
}

export function defineTool<Input extends z.ZodMiniType>(definition: ToolDefinition<Input>): Tool {
  const { name, description, effect, input: schema } = definition;
  const spec = { name, description, parameters: trimSchema(z.toJSONSchema(schema, { io: 'input' })) };
  return {
    spec,
    effect,
    prepare: (raw) => {
      const parsed = schema.safeParse(raw);
      if (!parsed.success)
        return fail(refuse(`${name} was not run. ${explainInput(parsed.error, raw, spec.parameters)}`));
      const input = parsed.data;
      const timeoutMs = definition.timeoutMs?.(input);
      return ok({
        effect,
        subject: definition.subject(input),
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        run: (io) => definition.run(input, io),
      });
    },
  };
}

/** All tools of a session, found by name. */
export function toolBox(tools: readonly Tool[]): ToolBox {
  const byName = new Map(tools.map((tool) => [tool.spec.name, tool]));
  return {
    specs: tools.map(({ spec }) => spec),
    prepare: (call: ToolCall) => {
      // Whoever read the reply has said it whole: what came, what is wanted, an example.
      if (call.unreadable) return fail(refuse(call.unreadable));
      const tool = byName.get(call.name);
      if (!tool) return fail(refuse(noSuchTool(call.name, [...byName.keys()])));
      return tool.prepare(call.input);
    },
  };
}

const refuse = (text: string): ToolAnswer => ({ ok: false, text, data: { refused: 'input' } });

function noSuchTool(name: string, names: readonly string[]): string {
  const near = names
    .map((other) => ({ other, far: distance(name.toLowerCase(), other, 2) }))
    .filter(({ far }) => far <= 2)
    .sort((left, right) => left.far - right.far)[0];
  const hint = near ? ` Did you mean ${near.other}?` : '';
  return `There is no tool "${name}".${hint} The tools are: ${names.join(', ')}.`;
}
