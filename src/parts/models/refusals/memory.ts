/** What is known of servers while the program runs. */
import { shownUrl } from '../baseUrl.ts';
import type { Quirks } from './quirks.ts';

export interface QuirkStore {
  /** What is known of a model at an address, the same object until that changes; empty where nothing is. */
  of(url: string, model: string): Quirks;
  /** Keeps it; a disk that refuses costs one more refused request next time, no more. */
  keep(url: string, model: string, quirks: Quirks): void;
}

const nothing: Quirks = {};

/** For runs that keep nothing. */
export function memoryQuirks(): QuirkStore {
  const known = new Map<string, Quirks>();
  return {
    of: (url, model) => known.get(keyOf(url, model)) ?? nothing,
    keep: (url, model, quirks) => void known.set(keyOf(url, model), quirks),
  };
}

/** A blank stands in no URL. Keys in a query, names and passwords are no part of the address. */
export const keyOf = (url: string, model: string): string => `${shownUrl(url.split('?')[0] ?? '')} ${model}`;
