/** Ids of calls in the form that a vendor takes, each call under one id for as long as the session's wire lives. */
import type { Endpoint } from './endpoint.ts';
import { plainName } from './sent.ts';

/** The id on the wire of a call; its result asks with the same id and no name. */
export type CallIds = (id: string, name?: string) => string;

/** How long an id may be for OpenAI. */
const lengthAtMost = 40;

export function callIdsFor({ provider, modelId, quirks }: Pick<Endpoint, 'provider' | 'modelId' | 'quirks'>): CallIds {
  const vendor = `${provider} ${modelId}`.toLowerCase();
  if (/moonshot|kimi/.test(vendor)) return counted((name, count) => `functions.${plainName(name, 64)}:${count}`);
  // Mistral's own address takes nine letters and digits; elsewhere its models are served under the usual rules.
  if (provider === 'mistral' || quirks?.ids === 'nine')
    return counted((_, count) => `call${String(count + 1).padStart(5, '0')}`);
  return (id) => plainName(id, lengthAtMost);
}

/** Numbered through the whole history, in the order in which the calls were first sent. */
function counted(form: (name: string, count: number) => string): CallIds {
  const known = new Map<string, string>();
  return (id, name = 'call') => {
    const before = known.get(id);
    if (before !== undefined) return before;
    const made = form(name, known.size);
    known.set(id, made);
    return made;
  };
}
