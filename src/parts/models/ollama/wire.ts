/** Ollama's own chat: the wire on which the window is ours to open. Nothing that a server sent is mended here. */
import { fail } from '../../../base/result.ts';
import type { ModelRequest, Wire } from '../../../loop/ports.ts';
import type { Endpoint, WireOptions } from '../endpoint.ts';
import { openFormat } from '../exchange.ts';
import { readLines } from '../lines.ts';
import { advised, promptWasCut } from './advice.ts';
import { OllamaAssembly } from './assembly.ts';
import { promptGauge } from './cut.ts';
import { bodyBuilder } from './request.ts';

export function ollamaWire(endpoint: Endpoint, options: WireOptions): Wire {
  const gauge = promptGauge(endpoint.contextTokens);
  const bodies = bodyBuilder(endpoint);
  const sizes = new WeakMap<ModelRequest, number>();
  const wire = openFormat(endpoint, options, {
    name: 'ollama',
    noun: 'Ollama chat',
    headers: { accept: 'application/x-ndjson' },
    build: (request) => {
      const { pieces, characters } = bodies(request);
      sizes.set(request, characters);
      return pieces;
    },
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
    const missing = gauge.missing({ characters: sizes.get(request) ?? 0, tokens });
    if (missing === undefined) return answer;
    io.emit({ type: 'noted', by: 'wire.ollama', kind: 'prompt cut', data: { tokens, missing } });
    return fail(promptWasCut(endpoint, { tokens, missing }));
  };
}
