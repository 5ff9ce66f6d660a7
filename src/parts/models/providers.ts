/** Providers as data: where they are, what they speak, how they are asked. A config's `provider.<name>` overrides or adds to them. */
import type { Dialect } from './endpoint.ts';

/** Servers of one's own that can say which models they hold and how large their windows really are. */
export type ServerName = 'ollama' | 'lmstudio' | 'llamacpp' | 'vllm';

export interface ProviderDefaults {
  readonly baseUrl: string;
  /** Variables that may hold another base URL, the usual one first. */
  readonly baseUrlVariables?: readonly string[];
  /** Every name in use for the key; the first that is set counts. */
  readonly keyVariables: readonly string[];
  /** False for servers on this machine, which ask for no key. */
  readonly needsKey: boolean;
  /** Wires in the order in which they are preferred; `chat` where none is named. */
  readonly wires?: readonly string[];
  /** The wire behind another address, where most often another server answers. */
  readonly wireElsewhere?: string;
  /** Base URLs of the wires that have one of their own. */
  readonly bases?: Readonly<Record<string, string>>;
  readonly dialect?: Partial<Dialect>;
  readonly server?: ServerName;
}

const newCap = { capField: 'max_completion_tokens' } as const;

export const providers: Readonly<Record<string, ProviderDefaults>> = {
  openai: {
    baseUrl: 'https://api.openai.com/v1',
    baseUrlVariables: ['OPENAI_BASE_URL', 'OPENAI_API_BASE'],
    keyVariables: ['OPENAI_API_KEY'],
    needsKey: true,
    wires: ['responses', 'chat'],
    wireElsewhere: 'chat',
    dialect: newCap,
  },
  anthropic: {
    baseUrl: 'https://api.anthropic.com',
    baseUrlVariables: ['ANTHROPIC_BASE_URL', 'ANTHROPIC_API_BASE'],
    keyVariables: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'],
    needsKey: true,
    wires: ['anthropic'],
  },
  gemini: {
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    baseUrlVariables: ['GEMINI_BASE_URL', 'GOOGLE_GEMINI_BASE_URL', 'GEMINI_API_BASE'],
    keyVariables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
    needsKey: true,
    wires: ['gemini', 'chat'],
    bases: { chat: 'https://generativelanguage.googleapis.com/v1beta/openai' },
  },
  deepseek: {
    baseUrl: 'https://api.deepseek.com/v1',
    baseUrlVariables: ['DEEPSEEK_BASE_URL', 'DEEPSEEK_API_BASE'],
    keyVariables: ['DEEPSEEK_API_KEY'],
    needsKey: true,
    bases: { anthropic: 'https://api.deepseek.com/anthropic' },
  },
  openrouter: {
    baseUrl: 'https://openrouter.ai/api/v1',
    baseUrlVariables: ['OPENROUTER_BASE_URL', 'OPENROUTER_API_BASE'],
    keyVariables: ['OPENROUTER_API_KEY', 'OR_API_KEY'],
    needsKey: true,
  },
  groq: {
    baseUrl: 'https://api.groq.com/openai/v1',
    baseUrlVariables: ['GROQ_BASE_URL', 'GROQ_API_BASE'],
    keyVariables: ['GROQ_API_KEY'],
    needsKey: true,
    dialect: newCap,
  },
  mistral: {
    baseUrl: 'https://api.mistral.ai/v1',
    baseUrlVariables: ['MISTRAL_BASE_URL', 'MISTRAL_API_BASE'],
    keyVariables: ['MISTRAL_API_KEY'],
    needsKey: true,
    dialect: { asksForUsage: false },
  },
  qwen: {
    baseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
    baseUrlVariables: ['DASHSCOPE_BASE_URL', 'DASHSCOPE_API_BASE'],
    keyVariables: ['DASHSCOPE_API_KEY', 'QWEN_API_KEY'],
    needsKey: true,
    bases: { anthropic: 'https://dashscope-intl.aliyuncs.com/apps/anthropic' },
  },
  zai: {
    baseUrl: 'https://api.z.ai/api/paas/v4',
    baseUrlVariables: ['ZAI_BASE_URL', 'ZAI_API_BASE'],
    keyVariables: ['ZAI_API_KEY', 'Z_AI_API_KEY', 'ZHIPU_API_KEY', 'ZHIPUAI_API_KEY', 'GLM_API_KEY'],
    needsKey: true,
    bases: { anthropic: 'https://api.z.ai/api/anthropic' },
  },
  moonshot: {
    baseUrl: 'https://api.moonshot.ai/v1',
    baseUrlVariables: ['MOONSHOT_BASE_URL', 'MOONSHOT_API_BASE'],
    keyVariables: ['MOONSHOT_API_KEY', 'KIMI_API_KEY'],
    needsKey: true,
    bases: { anthropic: 'https://api.moonshot.ai/anthropic' },
  },
  minimax: {
    baseUrl: 'https://api.minimax.io/v1',
    baseUrlVariables: ['MINIMAX_BASE_URL', 'MINIMAX_API_BASE'],
    keyVariables: ['MINIMAX_API_KEY'],
    needsKey: true,
    bases: { anthropic: 'https://api.minimax.io/anthropic' },
  },
  xai: {
    baseUrl: 'https://api.x.ai/v1',
    baseUrlVariables: ['XAI_BASE_URL', 'XAI_API_BASE'],
    keyVariables: ['XAI_API_KEY', 'GROK_API_KEY'],
    needsKey: true,
    dialect: newCap,
  },
  cerebras: {
    baseUrl: 'https://api.cerebras.ai/v1',
    baseUrlVariables: ['CEREBRAS_BASE_URL', 'CEREBRAS_API_BASE'],
    keyVariables: ['CEREBRAS_API_KEY'],
    needsKey: true,
    dialect: { ...newCap, asksForUsage: false },
  },
  together: {
    baseUrl: 'https://api.together.xyz/v1',
    baseUrlVariables: ['TOGETHER_BASE_URL', 'TOGETHER_AI_API_BASE'],
    keyVariables: ['TOGETHER_API_KEY', 'TOGETHERAI_API_KEY', 'TOGETHER_AI_API_KEY', 'TOGETHER_AI_TOKEN'],
    needsKey: true,
  },
  fireworks: {
    baseUrl: 'https://api.fireworks.ai/inference/v1',
    baseUrlVariables: ['FIREWORKS_BASE_URL', 'FIREWORKS_API_BASE'],
    keyVariables: ['FIREWORKS_API_KEY', 'FIREWORKS_AI_API_KEY', 'FIREWORKSAI_API_KEY', 'FIREWORKS_AI_TOKEN'],
    needsKey: true,
  },
  ollama: {
    baseUrl: 'http://localhost:11434/v1',
    baseUrlVariables: ['OLLAMA_BASE_URL', 'OLLAMA_API_BASE', 'OLLAMA_HOST'],
    keyVariables: ['OLLAMA_API_KEY'],
    needsKey: false,
    wires: ['ollama', 'chat'],
    server: 'ollama',
  },
  lmstudio: {
    baseUrl: 'http://localhost:1234/v1',
    baseUrlVariables: ['LMSTUDIO_BASE_URL', 'LM_STUDIO_BASE_URL', 'LM_STUDIO_API_BASE'],
    keyVariables: ['LMSTUDIO_API_KEY', 'LM_STUDIO_API_KEY', 'LM_API_TOKEN'],
    needsKey: false,
    server: 'lmstudio',
  },
  llamacpp: {
    baseUrl: 'http://localhost:8080/v1',
    baseUrlVariables: ['LLAMACPP_BASE_URL', 'LLAMA_CPP_BASE_URL'],
    keyVariables: ['LLAMACPP_API_KEY', 'LLAMA_API_KEY'],
    needsKey: false,
    server: 'llamacpp',
  },
  vllm: {
    baseUrl: 'http://localhost:8000/v1',
    baseUrlVariables: ['VLLM_BASE_URL', 'VLLM_API_BASE', 'HOSTED_VLLM_API_BASE'],
    keyVariables: ['VLLM_API_KEY', 'HOSTED_VLLM_API_KEY'],
    needsKey: false,
    server: 'vllm',
  },
};

/** Other names under which people look for a provider; a config's own provider of that name comes first. */
export const aliases: Readonly<Record<string, string>> = {
  google: 'gemini',
  claude: 'anthropic',
  alibaba: 'qwen',
  dashscope: 'qwen',
  glm: 'zai',
  'z-ai': 'zai',
  zhipu: 'zai',
  kimi: 'moonshot',
  moonshotai: 'moonshot',
  grok: 'xai',
  'x-ai': 'xai',
  togetherai: 'together',
  'fireworks-ai': 'fireworks',
  'lm-studio': 'lmstudio',
  'llama.cpp': 'llamacpp',
  'llama-cpp': 'llamacpp',
};
