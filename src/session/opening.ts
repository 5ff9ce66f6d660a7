/** What a session is opened with: the rendered prompt and the tools, or those that its journal already holds. */

import type { Limits } from '../loop/conversation.ts';
import { untrustedNotice } from '../parts/config/trust.ts';
import { gatherEnvironment } from '../parts/prompt/environment.ts';
import { renderPrompt } from '../parts/prompt/render.ts';
import type { Opened, Recorded } from '../protocol/event.ts';
import type { Fragment, ToolSpec } from '../protocol/model.ts';
import type { Settled } from './settings.ts';
import type { World } from './world.ts';

export interface RenderedPrompt {
  readonly system: readonly Fragment[];
  readonly notices: readonly string[];
}

/** Reads the surroundings and renders the system prompt for a fresh session. */
export function freshPrompt(world: World, settled: Settled, appended: string | undefined): RenderedPrompt {
  const { cwd, project, config, dirs, isTrusted } = settled;
  const surroundings = gatherEnvironment({
    cwd,
    workspaceRoot: project.root,
    configDir: dirs.config,
    homeDir: world.home,
    isTrusted,
    maxNoteBytes: config.instructions.maxBytes,
  });
  const system = renderPrompt({
    cwd,
    workspaceRoot: project.root,
    platform: world.platform,
    date: localDate(world.clock.now()),
    branch: surroundings.branch,
    tree: surroundings.tree,
    notes: surroundings.notes,
    mode: config.permissions.mode,
    appended,
  });
  const untrusted = untrustedNotice(project.root, surroundings.ignored);
  return { system, notices: [...surroundings.notices, ...(untrusted ? [untrusted] : [])] };
}

/** `2026-01-31`, where the user lives. */
function localDate(nowMs: number): string {
  const now = new Date(nowMs);
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  return `${now.getFullYear()}-${twoDigits(now.getMonth() + 1)}-${twoDigits(now.getDate())}`;
}

export interface OpeningWish {
  readonly sessionId: string;
  readonly version: string;
  readonly cwd: string;
  readonly model: string;
  readonly tools: readonly ToolSpec[];
  readonly limits: Limits;
  /** Rendered only when it is needed. */
  readonly prompt: () => readonly Fragment[];
  /** The user added to the prompt in this run, so the recorded one will not do. */
  readonly isPromptChanged: boolean;
}

/**
 * The opening to write now, or the recorded one that still holds. While model, directory and tools are the same, the
 * recorded prompt is sent again byte for byte, which keeps the provider's cache warm.
 */
export function openingFor(past: readonly Recorded[], wish: OpeningWish): { opened: Opened; isNew: boolean } {
  const last = past.findLast(({ event }) => event.type === 'opened')?.event;
  const recorded = last?.type === 'opened' && last.cwd === wish.cwd && !wish.isPromptChanged ? last : undefined;
  if (recorded && isAsWished(recorded, wish)) return { opened: recorded, isNew: false };
  const opened: Opened = {
    type: 'opened',
    sessionId: wish.sessionId,
    version: wish.version,
    cwd: wish.cwd,
    model: wish.model,
    system: [...(recorded?.system ?? wish.prompt())],
    tools: [...wish.tools],
    limits: wish.limits,
    ...(last?.type === 'opened' && last.forkOf && last.sessionId === wish.sessionId ? { forkOf: last.forkOf } : {}),
  };
  return { opened, isNew: true };
}

const isAsWished = (recorded: Opened, { sessionId, model, tools, limits }: OpeningWish): boolean =>
  recorded.sessionId === sessionId &&
  recorded.model === model &&
  JSON.stringify([recorded.tools, recorded.limits]) === JSON.stringify([tools, limits]);
