/**
 * Harm prevented: a server that ends or cuts a text at a token of its own template, so that the file holds less than the
 * model wrote. The result of such a write says which tokens there were, so that the model looks.
 */
import { openCalls } from '../../loop/conversation.ts';
import type { Policy } from '../../loop/ports.ts';

export interface SpecialTokensParts {
  /** The tokens in a call's input, each once. */
  tokensIn(input: unknown): readonly string[];
}

export const specialTokens = ({ tokensIn }: SpecialTokensParts): Policy => ({
  id: 'special-tokens',
  afterTool: (result, { conversation }) => {
    const call = openCalls(conversation).find(({ id }) => id === result.callId);
    const tokens = call && result.ok ? tokensIn(call.input) : [];
    if (tokens.length === 0) return result;
    const warning = `Note: the input held ${tokens.join(' ')}, which servers may cut or swallow. If it went into a file, read the file and compare.`;
    return { ...result, text: `${result.text}\n${warning}` };
  },
});
