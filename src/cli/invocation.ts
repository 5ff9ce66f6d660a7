/** What the user asked the program to do, after parsing: one shape per command. */
import type { Mode } from '../protocol/permission.ts';
import type { OutputFormat, Verbosity } from '../surfaces/headless/printer.ts';
import type { CommandName } from './commands.ts';

/** What overrides the config. Paths are as typed; those of `addDirs` and of images are relative to where smew was started. */
export interface Setting {
  /** Directory to work in, as typed. */
  readonly cd?: string;
  readonly model?: string;
  readonly tier?: string;
  readonly effort?: string;
  readonly mode?: Mode;
  readonly allowedTools: readonly string[];
  readonly addDirs: readonly string[];
  readonly appendSystemPrompt?: string;
  readonly maxSteps?: number;
  readonly maxCost?: number;
  readonly maxTokens?: number;
  readonly maxTimeMs?: number;
  readonly isTrusted: boolean;
}

/** Which session the run belongs to. */
export type Start =
  | { readonly from: 'new' }
  | { readonly from: 'latest'; readonly isFork: boolean }
  | { readonly from: 'session'; readonly session: string; readonly isFork: boolean };

export interface RunInvocation {
  readonly command: 'run';
  /** Absent where the whole task comes from the pipe. */
  readonly task?: string;
  /** Whether something may be piped in: `task` is the task itself, `extra` belongs to the task that was given. */
  readonly input: 'none' | 'task' | 'extra';
  readonly setting: Setting;
  readonly start: Start;
  /** False: nothing is kept on disk. */
  readonly isStored: boolean;
  readonly name?: string;
  /** Files, as typed. */
  readonly images: readonly string[];
  readonly format: OutputFormat;
  readonly verbosity: Verbosity;
}

/** Where a command looks, and how it shows what it found. */
interface Place {
  readonly cd?: string;
}
interface Shown extends Place {
  readonly isJson: boolean;
}

export type Invocation =
  | RunInvocation
  | {
      readonly command: 'demo';
      readonly setting: Setting;
      readonly format: OutputFormat;
      readonly verbosity: Verbosity;
    }
  | (Shown & { readonly command: 'sessions list'; readonly isEverywhere: boolean })
  | (Shown & { readonly command: 'sessions show'; readonly session: string; readonly hasRepairs?: true })
  | { readonly command: 'debug reply' }
  | (Place & {
      readonly command: 'sessions export';
      readonly session: string;
      readonly format: 'markdown' | 'json';
      readonly output?: string;
    })
  | (Place & { readonly command: 'sessions delete'; readonly sessions: readonly string[] })
  | (Place & { readonly command: 'sessions fork'; readonly session: string; readonly name?: string })
  | (Place & { readonly command: 'sessions compact'; readonly session: string })
  | (Shown & { readonly command: 'cost' })
  | (Place & { readonly command: 'sessions name'; readonly session: string; readonly name: string })
  | (Shown & { readonly command: 'replay'; readonly session: string; readonly hasLiveTools: boolean })
  | { readonly command: 'context'; readonly setting: Setting; readonly isJson: boolean }
  | (Shown & { readonly command: 'models list' })
  | (Shown & { readonly command: 'models info'; readonly model?: string })
  | (Shown & { readonly command: 'models test-connection'; readonly model?: string })
  | (Place & { readonly command: 'auth'; readonly provider: string })
  | (Shown & { readonly command: 'tools list' })
  | (Shown & { readonly command: 'tools info'; readonly tool: string })
  | (Shown & { readonly command: 'config show' })
  | (Place & { readonly command: 'config set'; readonly path: string; readonly value: string })
  | (Place & { readonly command: 'config path' })
  | (Place & { readonly command: 'trust'; readonly dir?: string; readonly act: 'give' | 'remove' | 'list' })
  /** Without `about`, the help of the whole program. */
  | { readonly command: 'help'; readonly about?: CommandName }
  | { readonly command: 'version' };
