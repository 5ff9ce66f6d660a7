/** The names under which a model may stand in the catalogue: its own, then those of its family. */

/** Models that are files of the user's own: nothing in the path says what they are. */
export const isFilePath = (modelId: string): boolean =>
  /^(?:[/~\\]|\.{1,2}[/\\]|[A-Za-z]:[/\\])/.test(modelId) || /\.(?:gguf|ggml|safetensors|bin|mlx)$/i.test(modelId);

/** Endings that name a point release or a channel of the same model. */
const endings: readonly RegExp[] = [
  /[-@]\d{4}-\d{2}-\d{2}$/,
  /[-@]\d{8}$/,
  /-\d{2}-\d{4}$/,
  /-(?:preview|exp)-\d{2}-\d{2}$/,
  /-(?:latest|preview|exp|experimental|stable)$/,
  /-(?:00\d|v\d+:\d+)$/,
  /-\d{4}$/,
];

/** In lower case, from the exact to the general; none for a file. */
export function familyNames(modelId: string): string[] {
  if (isFilePath(modelId)) return [];
  const exact = modelId.toLowerCase();
  const names = [exact];
  const plain = exact.replace(/:[\w-]+$/, '');
  for (let name: string | undefined = plain; name !== undefined; name = shorter(name)) names.push(name);
  // Catalogues name some models by their channel only.
  const last = names.at(-1) ?? plain;
  return [...new Set([...names, `${last}-latest`, `${last}-preview`, `${last}-0`])];
}

function shorter(name: string): string | undefined {
  for (const ending of endings) {
    const cut = name.replace(ending, '');
    if (cut !== name && cut !== '') return cut;
  }
  return undefined;
}

/** OpenRouter's free variants. */
export const isFree = (modelId: string): boolean => /:free$/i.test(modelId);
