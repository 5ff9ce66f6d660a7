/** What comes in from outside the program: told once by main, so that everything below can be replayed and tested. */

import type { Clock } from '../loop/ports.ts';
import type { Mode } from '../protocol/permission.ts';

export interface World {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Home directory of the user. */
  readonly home: string;
  /** Directory in which the program was started. */
  readonly cwd: string;
  /** As Node names it: `linux`, `darwin`. */
  readonly platform: string;
  readonly version: string;
  readonly clock: Clock;
  /** From 0 up to 1. */
  readonly random: () => number;
}

/** What flags may override for one run. */
export interface Overrides {
  /** Directory to work in, relative to where the program was started. */
  readonly cd?: string;
  readonly model?: string;
  readonly tier?: string;
  readonly effort?: string;
  readonly mode?: Mode;
  readonly allowedTools?: readonly string[];
  readonly addDirs?: readonly string[];
  readonly appendSystemPrompt?: string;
  readonly maxSteps?: number;
  /** US dollars. */
  readonly maxCost?: number;
  readonly maxTokens?: number;
  readonly maxTimeMs?: number;
  /** The folder's own instructions and settings take effect in this run. */
  readonly isTrusted?: boolean;
}
