/** Replays a session from disk with the tools and the reply reader of today. */
import { existsSync } from 'node:fs';
import { ok, type Result } from '../../base/result.ts';
import { replyReader } from '../../parts/replies/reader.ts';
import { toolBox } from '../../parts/tools/tool.ts';
import type { Recorded } from '../../protocol/event.ts';
import type { Fault } from '../../protocol/fault.ts';
import { settle } from '../settings.ts';
import { readStored } from '../stored.ts';
import { sessionTools, spillDirOf } from '../toolset.ts';
import type { World } from '../world.ts';
import { type ReplayReport, replay } from './replay.ts';

export interface ReplayOrder {
  readonly session: string;
  readonly cd?: string;
  /** Runs the tools in the session's directory, as the record allowed them. */
  readonly hasLiveTools: boolean;
}

export interface Replayed {
  readonly report: ReplayReport;
  readonly notices: readonly string[];
}

/** Where the session's folder is gone, the one from which the replay was asked for stands in. */
export async function replayStored(world: World, order: ReplayOrder): Promise<Result<Replayed, Fault>> {
  const stored = await readStored(world, order.session, order.cd);
  if (!stored.ok) return stored;
  const { info, past, notices } = stored.value;
  const cd = info.cwd !== undefined && existsSync(info.cwd) ? info.cwd : order.cd;
  const settled = await settle(world, cd === undefined ? {} : { cd });
  if (!settled.ok) return settled;
  const { tools, shells } = sessionTools(world, settled.value, {
    spillDir: spillDirOf(settled.value.dirs.cache, `replay-${info.id}`),
    past: [],
  });
  const disabled = new Set(settled.value.config.replies.disabled);
  const report = await replay({
    recorded: past,
    tools: toolBox(tools),
    reader: (wire) => replyReader(wire, { clock: world.clock, wireName: wireIn(past), disabled }),
    isLive: order.hasLiveTools,
  });
  await shells.close();
  return ok({ report, notices });
}

/** The wire that the replies were read from, where it left something of its own in them. */
const wireIn = (past: readonly Recorded[]): string =>
  past
    .map(({ event }) => (event.type === 'replied' ? event.reply.native?.wire : undefined))
    .find((wire) => wire !== undefined) ?? 'chat';
