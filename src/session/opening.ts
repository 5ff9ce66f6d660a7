/** What a session is opened with: the rendered prompt and the tools, or those that its journal already holds. */

import { ok, type Result } from '../base/result.ts';
import type { Limits } from '../loop/conversation.ts';
import { untrustedNotice } from '../parts/config/trust.ts';
import { gatherEnvironment } from '../parts/prompt/environment.ts';
import { renderPrompt } from '../parts/prompt/render.ts';
import type { Opened, Recorded } from '../protocol/event.ts';
import type { Fault } from '../protocol/fault.ts';
import type { Fragment, ToolSpec } from '../protocol/model.ts';
import { type FitOrder, fitWindow } from './fit.ts';
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

export interface Opening {
  readonly opened: Opened;
  /** False where the journal holds it already. */
  readonly isNew: boolean;
}

/**
 * The opening to write now, or the recorded one that still holds. While model, directory and tools are the same, the
 * recorded prompt is sent again byte for byte, which keeps the provider's cache warm.
 */
export function openingFor(past: readonly Recorded[], wish: OpeningWish): Opening {
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

/** The opening with as much of prompt and tools as the window holds; said in one line where something is left out. */
export function fitOpening(
  { opened, isNew }: Opening,
  past: readonly Recorded[],
  window: Pick<FitOrder, 'contextTokens' | 'reserveTokens'>,
): Result<Opening & { readonly notices: readonly string[] }, Fault> {
  const fitted = fitWindow({ ...window, ...opened });
  if (!fitted.ok) return fitted;
  const { system, tools, notice } = fitted.value;
  if (notice === undefined) return ok({ opened, isNew, notices: [] });
  const fit: Opened = { ...opened, system: [...system], tools: [...tools] };
  const last = past.findLast(({ event }) => event.type === 'opened')?.event;
  return ok({ opened: fit, isNew: JSON.stringify(fit) !== JSON.stringify(last), notices: [notice] });
}

const isAsWished = (recorded: Opened, { sessionId, model, tools, limits }: OpeningWish): boolean =>
  recorded.sessionId === sessionId &&
  recorded.model === model &&
  JSON.stringify([recorded.tools, recorded.limits]) === JSON.stringify([tools, limits]);
