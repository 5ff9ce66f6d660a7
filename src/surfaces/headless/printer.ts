/** What a headless run shows, and how. */
import type { Recorded } from '../../protocol/event.ts';
import type { LiveEvent } from '../../protocol/live.ts';
import type { Report } from './report.ts';
import type { HeadlessResult } from './result.ts';

export type OutputFormat = 'text' | 'json' | 'stream-json';
export type Verbosity = 'quiet' | 'normal' | 'verbose';

/** What is known before the first word. */
export interface Beginning {
  readonly sessionId: string;
  readonly model: string;
  readonly cwd: string;
  readonly notices: readonly string[];
}

/** One output format. Every promise resolves once the output took the text, so that a slow reader slows the run. */
export interface Printer {
  begin(beginning: Beginning): Promise<void>;
  /** `report` already holds the event. */
  show(happening: Recorded | LiveEvent, report: Report): Promise<void>;
  /** Lines for a person alone. */
  tell?(lines: readonly string[]): Promise<void>;
  end(result: HeadlessResult): Promise<void>;
}
