/** A request as a server with quirks takes it. Messages that need no change stay the very same, so that bodies grow on. */
import { List } from '../../../base/list.ts';
import type { ModelRequest } from '../../../loop/ports.ts';
import type { Image, Message, UserMessage } from '../../../protocol/message.ts';
import type { Fragment, ToolSpec } from '../../../protocol/model.ts';
import type { Dialect } from '../endpoint.ts';
import { alternating, soundHistory } from '../history.ts';
import type { Quirks } from './quirks.ts';
import { type Adapted, imagesIn } from './repair.ts';
import { flatSchema, flattened, simpleSchema } from './schemas.ts';
import { asText, type TextTools } from './text-tools.ts';

/** What was made for one set of quirks; a change of quirks begins with a new one. */
export interface Applied {
  readonly messages: WeakMap<Message, Message>;
  readonly tools: WeakMap<readonly ToolSpec[], readonly ToolSpec[]>;
  readonly system: WeakMap<readonly Fragment[], readonly Fragment[]>;
  readonly spoken: WeakMap<readonly Fragment[], UserMessage>;
  /** Undefined where tools cannot be spoken of in text. */
  readonly words: TextTools | undefined;
  /** Always the same, so that what was made for them is found again. */
  readonly noTools: readonly ToolSpec[];
  readonly noFragments: readonly Fragment[];
}

export const nothingApplied = (words?: TextTools): Applied => ({
  words,
  noTools: [],
  noFragments: [],
  messages: new WeakMap(),
  tools: new WeakMap(),
  system: new WeakMap(),
  spoken: new WeakMap(),
});

export const dialectWith = (dialect: Dialect, { streams, usage, capField }: Quirks): Dialect => ({
  ...dialect,
  ...(streams === false ? { streams } : {}),
  ...(usage === false ? { asksForUsage: false } : {}),
  ...(capField === undefined || capField === 'none' ? {} : { capField }),
});

export function applied(request: ModelRequest, { quirks, omissions }: Adapted, made: Applied): ModelRequest {
  const tools = remembered(made.tools, request.tools, (all) => toolsFor(all, quirks));
  const words = quirks.tools === 'text' ? made.words : undefined;
  const said = words
    ? remembered(made.system, request.system, (system) => [...system, words.toolsAsText(tools)])
    : request.system;
  return {
    ...withSettings(request, quirks),
    tools: words ? made.noTools : tools,
    system: quirks.system === 'user' ? made.noFragments : said,
    messages: messagesFor({ ...request, system: said }, { quirks, omissions }, made),
  };
}

function withSettings(request: ModelRequest, { omits = [], capField, capTokens }: Quirks): ModelRequest {
  const { temperature, effort, maxOutputTokens, ...rest } = request;
  const cap = maxOutputTokens === undefined ? undefined : Math.min(maxOutputTokens, capTokens ?? maxOutputTokens);
  return {
    ...rest,
    ...(temperature === undefined || omits.includes('temperature') ? {} : { temperature }),
    ...(effort === undefined || omits.includes('effort') ? {} : { effort }),
    ...(cap === undefined || capField === 'none' ? {} : { maxOutputTokens: cap }),
  };
}

const toolsFor = (tools: readonly ToolSpec[], { schemas, omitsTools = [] }: Quirks): readonly ToolSpec[] => {
  if (schemas === undefined && omitsTools.length === 0) return tools;
  const form = schemas === 'flat' ? flatSchema : schemas === 'simple' ? simpleSchema : undefined;
  return tools
    .filter(({ name }) => !omitsTools.includes(name))
    .map((tool) => (form ? { ...tool, parameters: { ...form(tool.parameters) } } : tool));
};

function messagesFor(request: ModelRequest, { quirks, omissions }: Adapted, made: Applied): List<Message> {
  const { images, natives, isStrict } = omissions;
  const isPlain = quirks.images !== 'none' && images === 0 && !natives && !isStrict;
  const isWhole = quirks.tools !== 'text' && quirks.system !== 'user' && quirks.roles === undefined;
  if (isPlain && isWhole && quirks.schemas !== 'flat') return request.messages;
  const bad = quirks.images === 'none' ? Number.POSITIVE_INFINITY : images;
  const firstBad = imagesIn(request) - bad;
  const words = quirks.tools === 'text' ? made.words : undefined;
  const change: Change = { request, quirks, natives, words, names: callNames(request) };
  let seen = 0;
  const changed: Message[] = [];
  for (const message of request.messages) {
    const count = message.from === 'user' ? (message.images?.length ?? 0) : 0;
    const isBad = count > 0 && seen + count > firstBad;
    seen += count;
    changed.push(remembered(made.messages, message, () => changedMessage(message, isBad, change)));
  }
  const told = quirks.system === 'user' && request.system.length > 0;
  const spoken = told ? [remembered(made.spoken, request.system, systemAsUser), ...changed] : changed;
  const sound = isStrict ? soundHistory(spoken) : spoken;
  return List.from(quirks.roles === 'alternating' ? alternating(sound) : sound);
}

interface Change {
  readonly request: ModelRequest;
  readonly quirks: Quirks;
  readonly natives: boolean;
  readonly words: TextTools | undefined;
  readonly names: ReadonlyMap<string, string>;
}

function changedMessage(message: Message, isBad: boolean, change: Change): Message {
  const { quirks, natives, names, words } = change;
  let changed = isBad && message.from === 'user' ? withoutImages(message) : message;
  if (natives && changed.from === 'model' && changed.native !== undefined) {
    const { native: _, ...rest } = changed;
    changed = rest;
  }
  if (quirks.schemas === 'flat') changed = flatCalls(changed, change.request.tools);
  return words ? asText(changed, names, words) : changed;
}

const withoutImages = ({ images = [], ...message }: UserMessage): UserMessage => ({
  ...message,
  text: `${message.text}\n[${images.length} image${images.length === 1 ? '' : 's'} left out: this model did not take ${kindsOf(images)}]`,
});

const kindsOf = (images: readonly Image[]): string => [...new Set(images.map(({ mediaType }) => mediaType))].join(', ');

function flatCalls(message: Message, tools: readonly ToolSpec[]): Message {
  if (message.from !== 'model' || message.calls.length === 0) return message;
  const calls = message.calls.map((call) => {
    const spec = tools.find(({ name }) => name === call.name);
    return spec && call.unreadable === undefined ? { ...call, input: flattened(call.input, spec.parameters) } : call;
  });
  return { ...message, calls };
}

const systemAsUser = (system: readonly Fragment[]): UserMessage => ({
  from: 'user',
  text: system.map(({ text }) => text).join('\n\n'),
  by: 'system',
});

function callNames({ messages }: ModelRequest): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const message of messages)
    if (message.from === 'model') for (const { id, name } of message.calls) names.set(id, name);
  return names;
}

function remembered<Key extends object, Value>(cache: WeakMap<Key, Value>, key: Key, make: (key: Key) => Value): Value {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const value = make(key);
  cache.set(key, value);
  return value;
}
