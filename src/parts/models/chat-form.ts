/** What chat completions and Ollama's own chat write in the same form. JSON texts, empty where there is nothing to say. */
import type { Fragment, ToolSpec } from '../../protocol/model.ts';

export const systemJson = (fragments: readonly Fragment[]): string =>
  fragments.length === 0
    ? ''
    : JSON.stringify({ role: 'system', content: fragments.map(({ text }) => text).join('\n\n') });

/** The field of the body, with the comma before it. */
export const toolsJson = (specs: readonly ToolSpec[]): string =>
  specs.length === 0
    ? ''
    : `,"tools":${JSON.stringify(
        specs.map(({ name, description, parameters }) => ({
          type: 'function',
          function: { name, description, parameters },
        })),
      )}`;
