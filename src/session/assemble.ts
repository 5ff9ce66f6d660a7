/** The only place where things are put together: config, prompt, tools, model, permission and journal become a Session. */
import { ok, type Result } from '../base/result.ts';
import type { Deps } from '../loop/phase.ts';
import type { Model, ModelRequest } from '../loop/ports.ts';
import { originOf } from '../parts/config/load.ts';
import type { Config } from '../parts/config/settings.ts';
import type { Endpoint } from '../parts/models/endpoint.ts';
import { createHttp } from '../parts/models/http.ts';
import { openWire } from '../parts/models/open.ts';
import { resolveModel } from '../parts/models/provider.ts';
import { permit } from '../parts/permissions/permit.ts';
import { parseRules, unknownTools } from '../parts/permissions/rules.ts';
import { shellNews } from '../parts/policies/shell-news.ts';
import { replyReader } from '../parts/replies/reader.ts';
import { newsText } from '../parts/tools/bash-report.ts';
import { toolBox } from '../parts/tools/tool.ts';
import type { Event, Opened, Recorded } from '../protocol/event.ts';
import type { Fault } from '../protocol/fault.ts';
import { liveSession } from './live-session.ts';
import { freshPrompt, openingFor, type RenderedPrompt } from './opening.ts';
import type { Ask, Session } from './session.ts';
import { type Settled, settle } from './settings.ts';
import { type OpeningOrder, openStored } from './store.ts';
import { sessionTools } from './toolset.ts';
import type { Overrides, World } from './world.ts';

export interface SessionOrder extends OpeningOrder {
  readonly overrides: Overrides;
  /** How to ask a person; absent where nobody is there. */
  readonly ask?: Ask;
  /** Gives the session a name. */
  readonly name?: string;
}

/** Opens or continues a session. Everything that can be wrong is found before the first event is written. */
export async function openSession(world: World, order: SessionOrder): Promise<Result<Session, Fault>> {
  const settled = await settle(world, order.overrides);
  if (!settled.ok) return settled;
  const { config } = settled.value;
  const rules = parseRules(config.permissions.allow);
  if (!rules.ok) return rules;
  const stored = await openStored(world, settled.value, order);
  if (!stored.ok) return stored;
  const { past } = stored.value;
  const endpoint = resolveModel(modelFor(settled.value, past), { env: world.env, config: config.provider });
  if (!endpoint.ok) {
    await stored.value.close();
    return endpoint;
  }
  const limits = { steps: config.limits.steps, nudges: config.limits.nudges };
  const { tools, shells } = sessionTools(world, settled.value, stored.value);
  const prompt = promptOnce(world, settled.value, order.overrides.appendSystemPrompt);
  const { opened, isNew } = openingFor(past, {
    sessionId: stored.value.id,
    version: world.version,
    cwd: settled.value.cwd,
    model: endpoint.value.model,
    tools: tools.map(({ spec }) => spec),
    limits,
    prompt: () => prompt().system,
    isPromptChanged: order.overrides.appendSystemPrompt !== undefined,
  });
  const mode = config.permissions.mode;
  const deps: Deps = {
    model: modelOf(world, endpoint.value, config),
    tools: toolBox(tools),
    permit: permit({ mode: () => mode, rules: rules.value, ask: order.ask }),
    policies: [shellNews({ news: () => newsText(shells.news('all')), endings: () => newsText(shells.news('ended')) })],
    journal: stored.value.journal,
    clock: world.clock,
    request: requestOf(config, opened),
    limits: {
      turnMs: config.limits.turnSeconds * 1000,
      toolMs: config.limits.toolSeconds * 1000,
      graceMs: config.limits.graceSeconds * 1000,
    },
  };
  return ok(
    liveSession({
      id: stored.value.id,
      cwd: settled.value.cwd,
      deps,
      limits,
      past,
      firstEvents: [...(isNew ? [opened] : []), ...named(order.name)],
      notices: [
        ...settled.value.notices,
        ...stored.value.notices,
        ...(isNew ? prompt().notices : []),
        ...unknownTools(
          rules.value,
          tools.map(({ spec }) => spec.name),
        ),
      ],
      close: async () => {
        await shells.close();
        await stored.value.close();
      },
    }),
  );
}

/** A continued session keeps its model, whatever the config says by now; a flag changes it. */
function modelFor(settled: Settled, past: readonly Recorded[]): string | undefined {
  if (originOf(settled, 'model').layer === 'flag') return settled.config.model;
  const last = past.findLast(({ event }) => event.type === 'opened')?.event;
  return last?.type === 'opened' ? last.model : settled.config.model;
}

function modelOf(world: World, endpoint: Endpoint, { network }: Config): Model {
  const http = createHttp({
    connectMs: network.connectSeconds * 1000,
    firstOutputMs: network.firstByteSeconds * 1000,
    betweenMs: network.stallSeconds * 1000,
  });
  const { clock, random } = world;
  const wire = openWire(endpoint, { http, clock, random, attempts: network.retries + 1 });
  return replyReader(wire, { clock, wireName: endpoint.wire });
}

const requestOf = (config: Config, { model, system, tools }: Opened): Omit<ModelRequest, 'messages'> => ({
  model,
  system,
  tools,
  ...(config.maxOutputTokens === undefined ? {} : { maxOutputTokens: config.maxOutputTokens }),
  ...(config.temperature === undefined ? {} : { temperature: config.temperature }),
  ...(config.effort === undefined ? {} : { effort: config.effort }),
});

const named = (name: string | undefined): Event[] =>
  name === undefined ? [] : [{ type: 'noted', by: 'session', kind: 'named', data: { name } }];

/** The surroundings are read at most once, and not at all where the recorded prompt will do. */
function promptOnce(world: World, settled: Settled, appended: string | undefined): () => RenderedPrompt {
  let rendered: RenderedPrompt | undefined;
  return () => {
    rendered ??= freshPrompt(world, settled, appended);
    return rendered;
  };
}
