/** Ollama's own chat: the wire on which the window is ours to open. Nothing that a server sent is mended here. */
import { fail } from '../../../base/result.ts';
import type { Wire } from '../../../loop/ports.ts';
import type { Endpoint, WireOptions } from '../endpoint.ts';
import { openFormat } from '../exchange.ts';
import { readLines } from '../lines.ts';
import { advised, promptWasCut } from './advice.ts';
import { OllamaAssembly } from './assembly.ts';
import { fillsWindow } from './cut.ts';
import { bodyBuilder } from './request.ts';

export function ollamaWire(endpoint: Endpoint, options: WireOptions): Wire {
  const wire = openFormat(endpoint, options, {
    name: 'ollama',
    noun: 'Ollama chat',
    headers: { accept: 'application/x-ndjson' },
    build: bodyBuilder(endpoint),
    assembly: (emit, { tools }) =>
      new OllamaAssembly(
        emit,
        tools.map(({ name }) => name),
      ),
    read: readLines,
  });
  return async (request, io) => {
    const answer = await wire(request, io);
    if (!answer.ok) return fail(advised(answer.fault, endpoint));
    const tokens = answer.value.usage?.inputTokens ?? 0;
    if (!fillsWindow(endpoint.contextTokens, tokens)) return answer;
    io.emit({
      type: 'noted',
      by: 'wire.ollama',
      kind: 'prompt cut',
      data: { model: endpoint.model, windowTokens: tokens },
    });
    return fail(promptWasCut(endpoint, tokens));
  };
}
