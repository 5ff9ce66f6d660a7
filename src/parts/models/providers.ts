/** Providers that speak chat completions, as data. A config's `provider.<name>` overrides or adds to them. */
import type { Dialect } from './endpoint.ts';

export interface ProviderDefaults {
  readonly baseUrl: string;
  /** Variables that may hold another base URL. */
  readonly baseUrlVariables?: readonly string[];
  readonly keyVariables: readonly string[];
  /** False for servers on this machine, which ask for no key. */
  readonly needsKey: boolean;
  readonly dialect?: Partial<Dialect>;
}

const hosted = (baseUrl: string, ...keyVariables: string[]): ProviderDefaults => ({
  baseUrl,
  keyVariables,
  needsKey: true,
});
const local = (baseUrl: string, ...keyVariables: string[]): ProviderDefaults => ({
  baseUrl,
  keyVariables,
  needsKey: false,
});

export const providers: Readonly<Record<string, ProviderDefaults>> = {
  openai: {
    ...hosted('https://api.openai.com/v1', 'OPENAI_API_KEY'),
    baseUrlVariables: ['OPENAI_BASE_URL'],
    dialect: { capField: 'max_completion_tokens' },
  },
  openrouter: hosted('https://openrouter.ai/api/v1', 'OPENROUTER_API_KEY'),
  deepseek: hosted('https://api.deepseek.com/v1', 'DEEPSEEK_API_KEY'),
  groq: hosted('https://api.groq.com/openai/v1', 'GROQ_API_KEY'),
  mistral: { ...hosted('https://api.mistral.ai/v1', 'MISTRAL_API_KEY'), dialect: { asksForUsage: false } },
  together: hosted('https://api.together.xyz/v1', 'TOGETHER_API_KEY'),
  ollama: local('http://localhost:11434/v1', 'OLLAMA_API_KEY'),
  lmstudio: local('http://localhost:1234/v1', 'LMSTUDIO_API_KEY'),
  llamacpp: local('http://localhost:8080/v1', 'LLAMACPP_API_KEY'),
  vllm: local('http://localhost:8000/v1', 'VLLM_API_KEY'),
};
