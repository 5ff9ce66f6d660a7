/** A turn on Gemini's wire: as server-sent responses, or as one. */
import { attemptSync } from '../../../base/attempt.ts';
import { isObject, listOf, loose, textOf } from '../loose.ts';
import { wireCalls } from './calls.ts';
import { type ScriptedTurn, turnAfter } from './turn.ts';
import { type Asked, countsOf, pieces, type ScriptedWire, textPiece } from './wire.ts';

type PartField = 'text' | 'thought' | 'functionCall';

export const scriptedGemini: ScriptedWire = {
  serves: (path) => /\/models\/[^:]+:(?:streamGenerateContent|generateContent)(?:\?|$)/.test(path),
  turnOf: (body) => turnAfter(repliesIn(body)),
  isStreamed: ({ path }) => path.includes(':streamGenerateContent'),
  events: (turn, asked) => responses(turn, asked).map((said) => ({ data: JSON.stringify(said) })),
  body: (turn, asked) => JSON.stringify(response(asked, { parts: partsOf(turn, asked), ...endOf(turn, asked) })),
  errorEvent: (error) => ({ data: JSON.stringify({ error }) }),
};

/** The call ids of each reply of the model. */
const repliesIn = (body: unknown): string[][] =>
  listOf(loose<'contents'>(body).contents)
    .map((content) => loose<'role' | 'parts'>(content))
    .filter(({ role }) => role === 'model')
    .map(({ parts }) =>
      listOf(parts).flatMap((part) => {
        const { functionCall } = loose<PartField>(part);
        return isObject(functionCall) ? [textOf(loose<'id'>(functionCall).id)] : [];
      }),
    );

/** What a response adds. */
interface Addition {
  readonly parts: readonly object[];
  readonly finishReason?: string;
  readonly usageMetadata?: object;
}

function responses(turn: ScriptedTurn, asked: Asked): object[] {
  const additions: Addition[] = partsOf(turn, asked)
    .flatMap(piecemeal)
    .map((part) => ({ parts: [part] }));
  return [...additions, { parts: [], ...endOf(turn, asked) }].map((addition) => response(asked, addition));
}

function response({ path }: Asked, { parts, finishReason, usageMetadata }: Addition): object {
  const candidate = { content: { role: 'model', parts }, index: 0, ...(finishReason ? { finishReason } : {}) };
  return {
    candidates: [candidate],
    ...(usageMetadata ? { usageMetadata } : {}),
    modelVersion: /\/models\/([^:]+):/.exec(path)?.[1],
  };
}

/** Thoughts, text and calls. As from a model that thinks, the first call is signed. */
function partsOf({ text, reasoning, calls = [] }: ScriptedTurn, { turn, body }: Asked): object[] {
  const made = wireCalls(calls, turn, offeredTools(body)).map(({ id, name, arguments: args }, index) => ({
    functionCall: { id, name, args: parsed(args) },
    ...(index === 0 ? { thoughtSignature: signatureOf(turn) } : {}),
  }));
  return [...(reasoning ? [{ text: reasoning, thought: true }] : []), ...(text ? [{ text }] : []), ...made];
}

const signatureOf = (turn: number): string => Buffer.from(`signed turn ${turn + 1}`).toString('base64');

/** This wire carries arguments as a value; what is no JSON stays text. */
function parsed(text: string): unknown {
  const value = attemptSync(
    () => JSON.parse(text) as unknown,
    () => undefined,
  );
  return value.ok ? value.value : text;
}

function piecemeal(part: object): object[] {
  const { text } = loose<PartField>(part);
  return textOf(text) ? pieces(textOf(text), textPiece).map((piece) => ({ ...part, text: piece })) : [part];
}

function offeredTools(body: unknown): unknown {
  return listOf(loose<'tools'>(body).tools)
    .flatMap((tool) => listOf(loose<'functionDeclarations'>(tool).functionDeclarations))
    .map((declaration) => ({ function: declaration }));
}

function endOf(turn: ScriptedTurn, asked: Asked): Omit<Addition, 'parts'> {
  const words: Readonly<Record<string, string>> = { length: 'MAX_TOKENS', stop: 'STOP', content_filter: 'SAFETY' };
  const { finish = 'STOP' } = turn;
  const tokens = countsOf(turn, asked);
  return {
    ...(finish === null ? {} : { finishReason: words[finish] ?? finish }),
    ...(tokens
      ? {
          usageMetadata: {
            promptTokenCount: tokens.inputTokens,
            candidatesTokenCount: tokens.outputTokens,
            cachedContentTokenCount: tokens.cachedTokens,
            totalTokenCount: tokens.inputTokens + tokens.outputTokens,
          },
        }
      : {}),
  };
}
