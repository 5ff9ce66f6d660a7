/** Anthropic Messages. Nothing that a server sent is mended here. */
import type { Wire } from '../../../loop/ports.ts';
import type { Endpoint, WireOptions } from '../endpoint.ts';
import { openFormat } from '../exchange.ts';
import { MessageAssembly } from './assembly.ts';
import { bodyBuilder } from './request.ts';
import { capIn, claudeVersion, type OutputCap, usualCap } from './thinking.ts';

export function anthropicWire(endpoint: Endpoint, options: WireOptions): Wire {
  const cap: OutputCap = { tokens: undefined };
  const wire = openFormat(endpoint, options, {
    name: 'anthropic',
    noun: 'message of the Messages API',
    headers: { 'anthropic-version': '2023-06-01' },
    build: bodyBuilder(endpoint, cap),
    assembly: (emit) => new MessageAssembly(emit),
  });
  return async (request, io) => {
    const answer = await wire(request, io);
    if (answer.ok || answer.fault.kind !== 'refused' || cap.tokens !== undefined) return answer;
    // An output cap is demanded, so it is guessed from the model's name where nobody sets one.
    const sent = request.maxOutputTokens ?? usualCap(claudeVersion(endpoint.modelId));
    cap.tokens = capIn(answer.fault.message, sent);
    if (cap.tokens === undefined) return answer;
    const data = { tokens: cap.tokens, reason: answer.fault.message };
    io.emit({ type: 'noted', by: 'wire.anthropic', kind: 'output cap learned', data });
    return wire(request, io);
  };
}
