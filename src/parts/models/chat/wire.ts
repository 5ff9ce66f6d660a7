/** OpenAI chat completions: the dialect that everybody speaks. Nothing that a server sent is mended here. */
import type { Wire } from '../../../loop/ports.ts';
import type { Endpoint, WireOptions } from '../endpoint.ts';
import { openFormat } from '../exchange.ts';
import { ReplyAssembly } from './assembly.ts';
import { bodyBuilder } from './request.ts';

export const chatWire = (endpoint: Endpoint, options: WireOptions): Wire =>
  openFormat(endpoint, options, {
    name: 'chat',
    noun: 'chat completion',
    build: bodyBuilder(endpoint),
    assembly: (emit, { tools }) =>
      new ReplyAssembly(
        emit,
        tools.map(({ name }) => name),
      ),
  });
