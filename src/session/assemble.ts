/** The only place where things are put together: config, prompt, tools, model, permission and journal become a Session. */
import { fail, ok, type Result } from '../base/result.ts';
import type { Limits } from '../loop/conversation.ts';
import type { Deps } from '../loop/phase.ts';
import type { ModelRequest } from '../loop/ports.ts';
import type { Config } from '../parts/config/settings.ts';
import { type ModelCard, outputCap } from '../parts/models/catalogue/card.ts';
import type { Endpoint } from '../parts/models/endpoint.ts';
import { permit } from '../parts/permissions/permit.ts';
import { parseRules, type Rule, unknownTools } from '../parts/permissions/rules.ts';
import { lineup, unknownPolicies } from '../parts/policies/lineup.ts';
import { shellNews } from '../parts/policies/shell-news.ts';
import { specialTokens } from '../parts/policies/special-tokens.ts';
import { unfinished } from '../parts/policies/unfinished.ts';
import { lapseOf } from '../parts/replies/lapse.ts';
import { specialTokensIn } from '../parts/replies/salvage/special-tokens.ts';
import type { Shells } from '../parts/shell/shells.ts';
import { fateText, newsText } from '../parts/tools/bash-report.ts';
import { type Tool, toolBox } from '../parts/tools/tool.ts';
import type { Event, Opened } from '../protocol/event.ts';
import { type Fault, fault } from '../protocol/fault.ts';
import { compactionPolicy } from './compact.ts';
import { liveSession } from './live-session.ts';
import { httpOf } from './model-chain.ts';
import { modelDesk } from './model-desk.ts';
import { openModel } from './models.ts';
import { fitOpening, freshPrompt, openingFor, type RenderedPrompt } from './opening.ts';
import { mainModel } from './roles.ts';
import { knownSecrets, type Strike, striking, withoutKeys } from './secrets.ts';
import type { Ask, Session } from './session.ts';
import { type Settled, settle } from './settings.ts';
import { answerBytes, shortAnswers } from './short-answers.ts';
import { type SteadyModel, steadyModel } from './staying-up.ts';
import { type Opening, type OpeningOrder, openStored } from './store.ts';
import { sessionTools } from './toolset.ts';
import type { Overrides, World } from './world.ts';

export interface SessionOrder extends OpeningOrder {
  readonly overrides: Overrides;
  /** How to ask a person; absent where nobody is there. */
  readonly ask?: Ask;
  /** The first words come with images, so the model must see. */
  readonly hasImages?: boolean;
}

/** Opens or continues a session. Everything that can be wrong is found before the first event is written. */
export async function openSession(world: World, order: SessionOrder): Promise<Result<Session, Fault>> {
  const ground = await layGround(world, order);
  if (!ground.ok) return ground;
  const built = await build(ground.value, order);
  if (!built.ok) await ground.value.stored.close();
  return built;
}

/** What does not depend on the model: settings, rules, journal. */
interface Ground {
  readonly world: World;
  readonly settled: Settled;
  readonly rules: readonly Rule[];
  readonly stored: Opening;
}

async function layGround(world: World, order: SessionOrder): Promise<Result<Ground, Fault>> {
  const settled = await settle(world, order.overrides);
  if (!settled.ok) return settled;
  const rules = parseRules(settled.value.config.permissions.allow);
  if (!rules.ok) return rules;
  const stored = await openStored(world, settled.value, order);
  return stored.ok ? ok({ world, settled: settled.value, rules: rules.value, stored: stored.value }) : stored;
}

/** The model, and everything that keeps it going and within its means. */
interface Brain extends SteadyModel {
  readonly endpoint: Endpoint;
  readonly card: ModelCard;
}

async function openBrain(
  { world, settled, stored }: Ground,
  { hasImages }: SessionOrder,
): Promise<Result<Brain, Fault>> {
  const desk = modelDesk(world, settled, httpOf(world, settled.config.network));
  const spec = mainModel(settled, stored.past);
  const ready = spec.ok ? await openModel(spec.value, desk) : spec;
  if (!ready.ok) return ready;
  const { endpoint, card } = ready.value;
  if (hasImages && card.seesImages === false) return fail(blind(endpoint.model, card));
  const steady = await steadyModel(
    endpoint,
    { sessionId: stored.id, past: stored.past, seesImages: card.seesImages },
    desk,
  );
  if (!steady.ok) return steady;
  return ok({ ...steady.value, endpoint, card, notices: [...ready.value.notices, ...steady.value.notices] });
}

const blind = (model: string, { sources }: ModelCard): Fault =>
  fault(
    'usage',
    `${model} does not see images (${sources.seesImages}). Leave out --image, choose another model with -m, or set models.${model}.seesImages: true in the config where it does.`,
  );

async function build(ground: Ground, order: SessionOrder): Promise<Result<Session, Fault>> {
  const { world, settled, stored, rules } = ground;
  const { off } = settled.config.policies;
  const brain = await openBrain(ground, order);
  if (!brain.ok) return brain;
  const { tools, shells } = sessionTools(world, settled, stored);
  const strike = striking(knownSecrets(world, settled.config.provider, brain.value.secrets));
  const begun = begin(ground, { brain: brain.value, tools, order, strike });
  if (!begun.ok) return begun;
  const { opened, firstEvents, limits } = begun.value;
  const offered = tools.filter(({ spec }) => opened.tools.some(({ name }) => name === spec.name));
  const policies = policiesOf(brain.value, shells, strike);
  const names = tools.map(({ spec }) => spec.name);
  return ok(
    liveSession({
      id: stored.id,
      cwd: settled.cwd,
      deps: {
        ...depsOf(ground, brain.value, opened),
        tools: shortAnswers(withoutKeys(toolBox(offered), strike), answerBytes(brain.value.card.contextTokens)),
        permit: permit({ mode: () => settled.config.permissions.mode, rules, ask: order.ask }),
        policies: lineup(policies, off),
      },
      limits,
      past: stored.past,
      firstEvents,
      notices: [
        ...settled.notices,
        ...stored.notices,
        ...brain.value.notices,
        ...begun.value.notices,
        ...unknownPolicies(policies, off),
        ...unknownTools(rules, names),
      ],
      spent: brain.value.meter.ledger,
      shellEnds: (which) => shells.fates(which).map((fate) => strike(fateText(fate))),
      close: async () => {
        await shells.close();
        await stored.close();
      },
    }),
  );
}

interface Beginning {
  readonly opened: Opened;
  /** Written before the first word. */
  readonly firstEvents: readonly Event[];
  readonly limits: Limits;
  readonly notices: readonly string[];
}

interface Choice {
  readonly brain: Brain;
  readonly tools: readonly Tool[];
  readonly order: SessionOrder;
  readonly strike: Strike;
}

/** The opening of the session, the recorded one where it still holds, made to fit the model's window. */
function begin({ world, settled, stored }: Ground, { brain, tools, order, strike }: Choice): Result<Beginning, Fault> {
  const { config, cwd } = settled;
  const { appendSystemPrompt } = order.overrides;
  const limits = { steps: config.limits.steps, nudges: config.limits.nudges };
  const prompt = promptOnce(() => withoutKnown(freshPrompt(world, settled, appendSystemPrompt), strike));
  const wished = openingFor(stored.past, {
    sessionId: stored.id,
    version: world.version,
    cwd,
    model: brain.endpoint.model,
    tools: tools.map(({ spec }) => spec),
    limits,
    prompt: () => prompt().system,
    isPromptChanged: appendSystemPrompt !== undefined,
  });
  const fitted = fitOpening(wished, stored.past, { ...config.window, contextTokens: brain.card.contextTokens });
  if (!fitted.ok) return fitted;
  const { opened, isNew, notices } = fitted.value;
  return ok({
    opened,
    firstEvents: [...(isNew ? [opened] : []), ...named(order.name)],
    limits,
    notices: [...notices, ...(isNew ? prompt().notices : [])],
  });
}

const policiesOf = (
  { endpoint, card, windowOf }: Brain,
  shells: Shells,
  strike: Strike,
): Parameters<typeof lineup>[0] => ({
  compaction: compactionPolicy((model) => (model === endpoint.model ? knownWindow(card) : windowOf(model))),
  shellNews: shellNews({
    news: () => strike(newsText(shells.news('all'))),
    endings: () => strike(newsText(shells.news('ended'))),
  }),
  unfinished: unfinished({ lapseOf }),
  specialTokens: specialTokens({ tokensIn: specialTokensIn }),
});

function depsOf(
  { world, settled: { config }, stored }: Ground,
  { model, meter, endpoint, card }: Brain,
  opened: Opened,
): Pick<Deps, 'model' | 'journal' | 'clock' | 'request' | 'limits'> {
  return {
    model,
    journal: meter.counting(stored.journal),
    clock: world.clock,
    request: requestOf(config, opened, outputCap(card, endpoint.wire, config.maxOutputTokens)),
    limits: {
      turnMs: config.limits.turnSeconds * 1000,
      toolMs: config.limits.toolSeconds * 1000,
      graceMs: config.limits.graceSeconds * 1000,
    },
  };
}

/** A window that is only assumed must not end a session; there the server's own refusal counts. */
const knownWindow = ({ contextTokens, sources }: ModelCard): number | undefined =>
  sources.contextTokens === 'assumed' ? undefined : contextTokens;

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
function promptOnce(render: () => RenderedPrompt): () => RenderedPrompt {
  let rendered: RenderedPrompt | undefined;
  return () => {
    rendered ??= render();
    return rendered;
  };
}

/** Notes of a project may hold a key; what the user adds stays as typed. */
const withoutKnown = ({ system, notices }: RenderedPrompt, strike: Strike): RenderedPrompt => ({
  system: system.map((part) => (part.name === 'appended' ? part : { ...part, text: strike(part.text) })),
  notices,
});
