/** The only place where things are put together: config, prompt, tools, model, permission and journal become a Session. */
import { ok, type Result } from '../base/result.ts';
import type { Deps } from '../loop/phase.ts';
import type { ModelRequest } from '../loop/ports.ts';
import type { Config } from '../parts/config/settings.ts';
import { type ModelCard, outputCap } from '../parts/models/catalogue/card.ts';
import { permit } from '../parts/permissions/permit.ts';
import { parseRules, unknownTools } from '../parts/permissions/rules.ts';
import { lineup, unknownPolicies } from '../parts/policies/lineup.ts';
import { shellNews } from '../parts/policies/shell-news.ts';
import { specialTokens } from '../parts/policies/special-tokens.ts';
import { unfinished } from '../parts/policies/unfinished.ts';
import { lapseOf } from '../parts/replies/lapse.ts';
import { specialTokensIn } from '../parts/replies/salvage/special-tokens.ts';
import { newsText } from '../parts/tools/bash-report.ts';
import { toolBox } from '../parts/tools/tool.ts';
import type { Event, Opened, Recorded } from '../protocol/event.ts';
import type { Fault } from '../protocol/fault.ts';
import { compactionPolicy } from './compact.ts';
import { liveSession } from './live-session.ts';
import { httpOf } from './model-chain.ts';
import { type ModelDesk, modelDesk } from './model-desk.ts';
import { openModel, type ReadyModel } from './models.ts';
import { fitOpening, freshPrompt, openingFor, type RenderedPrompt } from './opening.ts';
import { mainModel } from './roles.ts';
import type { Ask, Session } from './session.ts';
import { type Settled, settle } from './settings.ts';
import { answerBytes, shortAnswers } from './short-answers.ts';
import { steadyModel } from './staying-up.ts';
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
  const desk = modelDesk(world, settled.value, httpOf(world, config.network));
  const ready = await mainReady(desk, past);
  if (!ready.ok) {
    await stored.value.close();
    return ready;
  }
  const { endpoint, card } = ready.value;
  const limits = { steps: config.limits.steps, nudges: config.limits.nudges };
  const { tools, shells } = sessionTools(world, settled.value, stored.value);
  const prompt = promptOnce(world, settled.value, order.overrides.appendSystemPrompt);
  const close = async () => {
    await shells.close();
    await stored.value.close();
  };
  const wished = openingFor(past, {
    sessionId: stored.value.id,
    version: world.version,
    cwd: settled.value.cwd,
    model: endpoint.model,
    tools: tools.map(({ spec }) => spec),
    limits,
    prompt: () => prompt().system,
    isPromptChanged: order.overrides.appendSystemPrompt !== undefined,
  });
  const fitted = fitOpening(wished, past, { ...config.window, contextTokens: card.contextTokens });
  if (!fitted.ok) {
    await close();
    return fitted;
  }
  const { opened, isNew } = fitted.value;
  const offered = tools.filter(({ spec }) => opened.tools.some(({ name }) => name === spec.name));
  const steady = await steadyModel(endpoint, { sessionId: stored.value.id, past }, desk);
  if (!steady.ok) {
    await close();
    return steady;
  }
  const { model, meter } = steady.value;
  const policies = {
    compaction: compactionPolicy((model) =>
      model === endpoint.model ? knownWindow(card) : steady.value.windowOf(model),
    ),
    shellNews: shellNews({ news: () => newsText(shells.news('all')), endings: () => newsText(shells.news('ended')) }),
    unfinished: unfinished({ lapseOf }),
    specialTokens: specialTokens({ tokensIn: specialTokensIn }),
  };
  const mode = config.permissions.mode;
  const deps: Deps = {
    model,
    tools: shortAnswers(toolBox(offered), answerBytes(card.contextTokens)),
    permit: permit({ mode: () => mode, rules: rules.value, ask: order.ask }),
    policies: lineup(policies, config.policies.off),
    journal: meter.counting(stored.value.journal),
    clock: world.clock,
    request: requestOf(config, opened, outputCap(card, endpoint.wire, config.maxOutputTokens)),
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
        ...ready.value.notices,
        ...fitted.value.notices,
        ...steady.value.notices,
        ...unknownPolicies(policies, config.policies.off),
        ...(isNew ? prompt().notices : []),
        ...unknownTools(
          rules.value,
          tools.map(({ spec }) => spec.name),
        ),
      ],
      spent: meter.ledger,
      close,
    }),
  );
}

/** A window that is only assumed must not end a session; there the server's own refusal counts. */
const knownWindow = ({ contextTokens, sources }: ModelCard): number | undefined =>
  sources.contextTokens === 'assumed' ? undefined : contextTokens;

async function mainReady(desk: ModelDesk, past: readonly Recorded[]): Promise<Result<ReadyModel, Fault>> {
  const spec = mainModel(desk.settled, past);
  return spec.ok ? await openModel(spec.value, desk) : spec;
}

const requestOf = (
  config: Config,
  { model, system, tools }: Opened,
  maxOutputTokens: number | undefined,
): Omit<ModelRequest, 'messages'> => ({
  model,
  system,
  tools,
  ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
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
