/** Prompt and tools made to fit the model's window: cut notes, then a shorter prompt, then fewer tools; or a refusal that helps. */
import { fail, ok, type Result } from '../base/result.ts';
import { estimateTokens } from '../parts/context/estimate.ts';
import { cutNotes, leanPrompt } from '../parts/prompt/lean.ts';
import { type Fault, fault } from '../protocol/fault.ts';
import type { Fragment, ToolSpec } from '../protocol/model.ts';

export interface Load {
  readonly system: readonly Fragment[];
  readonly tools: readonly ToolSpec[];
}

export interface FitOrder extends Load {
  /** `provider/model`, for messages. */
  readonly model: string;
  readonly contextTokens: number;
  /** Room beside the prompt; at most half of the window is kept. */
  readonly reserveTokens: number;
}

export interface Fitted extends Load {
  /** Undefined where all is as it was; else what was left out, in one line. */
  readonly notice: string | undefined;
}

/** With these alone any task can be done. */
const coreTools: ReadonlySet<string> = new Set(['read', 'edit', 'write', 'bash']);

export function fitWindow({ system, tools, model, contextTokens, reserveTokens }: FitOrder): Result<Fitted, Fault> {
  const room = contextTokens - Math.min(reserveTokens, Math.floor(contextTokens / 2));
  const lean = leanPrompt(system);
  const few = tools.filter(({ name }) => coreTools.has(name));
  const ways: readonly (Load & { readonly says: string })[] = [
    { system, tools, says: '' },
    { system: withNotesIn(room, { system, tools }), tools, says: '' },
    { system: withNotesIn(room, { system: lean, tools }), tools, says: 'a shorter prompt is used' },
    {
      system: withNotesIn(room, { system: lean, tools: few }),
      tools: few,
      says: `a shorter prompt and only the tools ${[...coreTools].join(', ')} are used`,
    },
  ];
  const way = ways.find((one) => weightOf(one) <= room);
  if (!way) return fail(tooSmall(model, contextTokens, Math.min(...ways.map(weightOf))));
  const says = [way.says, cutOf(system, way.system)].filter((one) => one !== '');
  const notice =
    says.length === 0 ? undefined : `${model} has a window of ${grouped(contextTokens)} tokens: ${says.join(', ')}.`;
  return ok({ system: way.system, tools: way.tools, notice });
}

/** About three and a half bytes of prose are a token; what is cut must fit, so less is taken. */
const bytesPerToken = 3;

function withNotesIn(room: number, { system, tools }: Load): Fragment[] {
  const others = weightOf({ system: system.filter(({ name }) => name !== 'notes'), tools });
  return cutNotes(system, Math.max(0, room - others) * bytesPerToken);
}

/** What became of the notes; empty where they are whole. */
function cutOf(system: readonly Fragment[], fitted: readonly Fragment[]): string {
  const [before, after] = [system, fitted].map((all) => bytesOf(all.find(({ name }) => name === 'notes')?.text ?? ''));
  if (before === undefined || after === undefined || before === after) return '';
  return after === 0
    ? 'the project notes are left out'
    : `the project notes are cut to ${grouped(after)} of ${grouped(before)} bytes`;
}

const bytesOf = (text: string): number => Buffer.byteLength(text);

/** Estimated tokens. */
const weightOf = ({ system, tools }: Load): number =>
  system.reduce((sum, { text }) => sum + estimateTokens(text), 0) + estimateTokens(JSON.stringify(tools));

const tooSmall = (model: string, contextTokens: number, leastTokens: number): Fault =>
  fault(
    'usage',
    `The window of ${model} has ${grouped(contextTokens)} tokens and the shortest prompt takes about ${grouped(leastTokens)}, so no room is left to work in. ` +
      'Let the server open at least 8,192 (llama.cpp: -c 8192, Ollama: OLLAMA_CONTEXT_LENGTH=8192, LM Studio: context length when loading), ' +
      `correct models.${model}.contextTokens in the config, or choose another model with -m.`,
  );

/** 12,345 in every locale. */
export const grouped = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, ',');
