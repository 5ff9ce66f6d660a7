/** Looks a model up in the catalogue, which is read when it is first asked for. */
import { countOf, textOf } from '../loose.ts';
import type { ModelFacts, Price } from './facts.ts';
import { familyNames, isFree } from './family.ts';

export interface Entry {
  /** The name that was found, which may be the family's. */
  readonly name: string;
  readonly facts: ModelFacts;
}

/** By provider, every model in the catalogue's own order. */
export type Catalogue = ReadonlyMap<string, readonly Entry[]>;

export async function readCatalogue(): Promise<Catalogue> {
  const { default: data } = await import('./facts.json', { with: { type: 'json' } });
  return new Map(Object.entries(data.models).map(([provider, rows]) => [provider, rows.map(entryOf)] as const));
}

/** A row as the file's `about.columns` names it. */
function entryOf(row: readonly unknown[]): Entry {
  const [name, contextTokens, maxOutputTokens, input, output, cached, efforts, traits] = row;
  const has = new Set(textOf(traits).split(' '));
  const levels = textOf(efforts)
    .split(' ')
    .filter((level) => level !== '');
  return {
    name: textOf(name),
    facts: {
      ...known('contextTokens', countOf(contextTokens)),
      ...known('maxOutputTokens', countOf(maxOutputTokens)),
      ...known('price', priceOf(input, output, cached)),
      ...(levels.length > 0 ? { efforts: levels } : {}),
      seesImages: has.has('sees'),
      // The lists behind the catalogue are not sure about what is missing here.
      ...(has.has('tools') ? { callsTools: true } : {}),
      ...(has.has('thinks') ? { thinks: true } : {}),
    },
  };
}

function known<Name extends string, Value>(name: Name, value: Value | undefined): { readonly [N in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [N in Name]?: Value }); // one key, of this name
}

function priceOf(input: unknown, output: unknown, cached: unknown): Price | undefined {
  const price = { input: countOf(input), output: countOf(output) };
  if (price.input === undefined || price.output === undefined) return undefined;
  return { input: price.input, output: price.output, ...known('cached', countOf(cached)) };
}

/** The model's entry, or its family's under which its point release falls; undefined where neither is known. */
export function findEntry(catalogue: Catalogue, provider: string, modelId: string): Entry | undefined {
  const entries = catalogue.get(provider) ?? [];
  for (const name of familyNames(modelId)) {
    const found = entries.find((entry) => entry.name.toLowerCase() === name);
    if (!found) continue;
    return isFree(modelId) ? { ...found, facts: { ...found.facts, price: { input: 0, output: 0 } } } : found;
  }
  return undefined;
}
