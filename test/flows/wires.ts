/** The wires over which whole tasks run: how the program is told to speak one, and where results stand in its requests. */
import type { WireName } from '../../src/parts/models/endpoint.ts';
import { listOf, loose, textOf } from '../../src/parts/models/loose.ts';

export interface FlowWire {
  readonly name: WireName;
  /** What a user would set; the scripted server's base URL ends in `/v1`. */
  env(url: string): NodeJS.ProcessEnv;
  /** The user's config, where it takes one. */
  readonly config?: string;
  /** What of a request must stand again, to the byte, at the start of the next. */
  lasting(body: string): string;
  /** The texts of all tool results in a request, in order. */
  results(body: unknown): string[];
}

type Field =
  | 'content'
  | 'contents'
  | 'error'
  | 'functionResponse'
  | 'input'
  | 'messages'
  | 'output'
  | 'parts'
  | 'response'
  | 'role'
  | 'type';

/** The list of messages is the last of the body and stays open. */
const openList = (body: string): string => body.slice(0, body.lastIndexOf(']}'));

const openai = (url: string): NodeJS.ProcessEnv => ({
  OPENAI_BASE_URL: url,
  OPENAI_API_KEY: 'sk-test-0123456789',
  SMEW_MODEL: 'openai/scripted',
});

export const wires: readonly FlowWire[] = [
  {
    name: 'chat',
    env: openai,
    lasting: openList,
    results: (body) =>
      listOf(loose<Field>(body).messages)
        .map((message) => loose<Field>(message))
        .flatMap(({ role, content }) => (role === 'tool' ? [textOf(content)] : [])),
  },
  {
    name: 'responses',
    env: openai,
    lasting: openList,
    config: 'provider: {openai: {wire: responses}}\n',
    results: (body) =>
      listOf(loose<Field>(body).input)
        .map((item) => loose<Field>(item))
        .flatMap(({ type, output }) => (type === 'function_call_output' ? [textOf(output)] : [])),
  },
  {
    name: 'anthropic',
    env: (url) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'sk-ant-test-0123456789',
      SMEW_MODEL: 'anthropic/scripted',
    }),
    // The last message stays open too; cache marks move, and are no part of what the server compares.
    lasting: (body) => openList(openList(body.replaceAll(',"cache_control":{"type":"ephemeral"}', ''))),
    results: (body) =>
      listOf(loose<Field>(body).messages)
        .flatMap((message) => listOf(loose<Field>(message).content))
        .map((block) => loose<Field>(block))
        .flatMap(({ type, content }) => (type === 'tool_result' ? [textOf(content)] : [])),
  },
  {
    name: 'gemini',
    env: (url) => ({
      GEMINI_BASE_URL: url,
      GEMINI_API_KEY: 'test-0123456789',
      SMEW_MODEL: 'gemini/gemini-3-scripted',
    }),
    lasting: openList,
    results: (body) =>
      listOf(loose<Field>(body).contents)
        .flatMap((content) => listOf(loose<Field>(content).parts))
        .map((part) => loose<Field>(loose<Field>(loose<Field>(part).functionResponse).response))
        .flatMap(({ output, error }) => [output, error].filter((text) => typeof text === 'string')),
  },
  {
    name: 'ollama',
    env: (url) => ({ OLLAMA_HOST: new URL(url).host, SMEW_MODEL: 'ollama/scripted' }),
    lasting: openList,
    results: (body) =>
      listOf(loose<Field>(body).messages)
        .map((message) => loose<Field>(message))
        .flatMap(({ role, content }) => (role === 'tool' ? [textOf(content)] : [])),
  },
];
