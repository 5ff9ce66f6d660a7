/** What to do about Ollama's refusals, where that is known. */
import { type Fault, fault } from '../../../protocol/fault.ts';
import type { Endpoint } from '../endpoint.ts';

export function advised(refusal: Fault, { modelId }: Endpoint): Fault {
  const advice = adviceFor(refusal, modelId);
  return advice === undefined ? refusal : { ...refusal, message: `${refusal.message} ${advice}` };
}

function adviceFor({ kind, message }: Fault, modelId: string): string | undefined {
  if (kind === 'not found' && /model \S+ not found/i.test(message)) return `Fetch it with: ollama pull ${modelId}`;
  if (/does not support tools/i.test(message)) return 'Choose a model that can call tools with -m.';
  if (/does not support thinking/i.test(message)) return 'Leave out the effort for this model.';
  return undefined;
}

/** The reply answers a prompt whose beginning is gone; it must not be acted upon. */
export const promptWasCut = ({ provider }: Endpoint, windowTokens: number): Fault =>
  fault(
    'overflow',
    `${provider}: the server cut the prompt to the window of ${windowTokens} tokens that it was asked for. ` +
      'Compact the session, or let the server open a larger window (contextTokens of the model, OLLAMA_CONTEXT_LENGTH).',
    { windowTokens },
  );
