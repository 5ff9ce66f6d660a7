/** What a replay is made of. */
import type { Model, ToolBox, Wire } from '../../loop/ports.ts';
import type { Recorded } from '../../protocol/event.ts';

export interface ReplayParts {
  readonly recorded: readonly Recorded[];
  readonly tools: ToolBox;
  /** Reads raw replies as a session does; given the recorded wire. */
  readonly reader: (wire: Wire) => Model;
  /** Runs the tools instead of answering from the record. */
  readonly isLive: boolean;
}
