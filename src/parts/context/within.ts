/** A wire to a model that takes over in mid-session: what does not fit its window is not sent, so that it is shortened first. */
import { fail } from '../../base/result.ts';
import type { ModelRequest, Wire } from '../../loop/ports.ts';
import { fault } from '../../protocol/fault.ts';
import type { Measure } from './measure.ts';

interface Known {
  /** `provider/model`. */
  readonly model: string;
  /** Tokens. */
  readonly window: number;
  readonly measure: Measure;
  /** True where the history was kept within the window of another model. */
  readonly isNew: () => boolean;
}

/** Our estimate may be so much too low. */
const margin = 1.15;

export const withinWindow =
  (wire: Wire, { model, window, measure, isNew }: Known): Wire =>
  async (request, io) => {
    const tokens = isNew() ? Math.ceil(weightOf(request, measure) * margin) : 0;
    if (tokens <= window) return await wire(request, io);
    return fail(
      fault(
        'overflow',
        `The conversation (about ${tokens} tokens) does not fit into the window of ${model} (${window} tokens). ` +
          'Start a new session, or choose a model with a larger window with -m.',
        { windowTokens: window, promptTokens: tokens },
      ),
    );
  };

const weightOf = (request: ModelRequest, measure: Measure): number =>
  request.messages.slice().reduce((sum, message) => sum + measure.message(message), measure.fixed(request));
