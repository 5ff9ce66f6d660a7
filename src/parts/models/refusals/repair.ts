/** The one repair that fits a refusal: what to remember of the server, or what to leave out this time. */
import type { ModelRequest } from '../../../loop/ports.ts';
import type { Fault } from '../../../protocol/fault.ts';
import type { Quirks } from './quirks.ts';
import { fieldWordings, type RefusalClass, refusalWordings } from './wordings.ts';

/** What is left out of a session's history because this server refused it. Never stored: the next session starts anew. */
export interface Omissions {
  /** Images from the newest on. */
  readonly images: number;
  /** What earlier replies carried for their vendor: signatures, thinking blocks. */
  readonly natives: boolean;
  /** The history is rebuilt from scratch: fresh ids, every pair complete, roles in turn. */
  readonly isStrict: boolean;
}

export const nothingOmitted: Omissions = { images: 0, natives: false, isStrict: false };

export interface Adapted {
  readonly quirks: Quirks;
  readonly omissions: Omissions;
}

export interface Repair extends Adapted {
  readonly class: RefusalClass;
  /** In the past tense, for the journal: `image_stripped`. */
  readonly name: string;
  /** True where the same work goes on with less: without native tools, for one. */
  readonly isDegraded?: boolean;
}

export interface Refused {
  readonly fault: Fault;
  readonly request: ModelRequest;
  readonly current: Adapted;
  /** Fields of the body beside those that the request itself tells of. */
  readonly fields?: readonly string[];
}

/** Undefined where nothing fits, or all that fits was tried. */
export function repairFor(refused: Refused): Repair | undefined {
  const { fault, current } = refused;
  if (!isAboutTheRequest(fault)) return undefined;
  const found = classOf(fault.message);
  const made = found && repairs[found](refused);
  if (!found || !made) return undefined;
  const { quirks = {}, omissions = {}, name, isDegraded } = made;
  return {
    class: found,
    name,
    quirks: { ...current.quirks, ...quirks },
    omissions: { ...current.omissions, ...omissions },
    ...(isDegraded ? { isDegraded } : {}),
  };
}

export const classOf = (message: string): RefusalClass | undefined =>
  refusalWordings.find(({ pattern }) => pattern.test(message))?.class;

/** Templates of local servers fail with 500, gateways that find no fitting server with 404. */
const isAboutTheRequest = ({ kind, status = 0 }: Fault): boolean =>
  kind === 'refused' || (kind === 'not found' && status === 404) || (kind === 'overloaded' && status === 500);

interface Made {
  readonly name: string;
  readonly quirks?: Quirks;
  readonly omissions?: Partial<Omissions>;
  readonly isDegraded?: boolean;
}

type Make = (refused: Refused) => Made | undefined;

const repairs: Readonly<Record<RefusalClass, Make>> = {
  ids: ({ current }) => (current.quirks.ids ? undefined : { name: 'ids_renamed', quirks: { ids: 'nine' } }),
  image: ({ fault, request, current: { quirks, omissions } }) => {
    const sent = imagesIn(request) - omissions.images;
    if (quirks.images === 'none') return undefined;
    if (/support|vision|modal|mmproj|no endpoints/i.test(fault.message) || sent <= 0)
      return { name: 'image_stripped', quirks: { images: 'none' } };
    return { name: 'image_stripped', omissions: { images: omissions.images + 1 } };
  },
  reasoning: ({ current }) =>
    current.quirks.reasoning ? undefined : { name: 'reasoning_returned', quirks: { reasoning: 'all' } },
  signature: ({ current }) =>
    current.omissions.natives ? undefined : { name: 'signatures_stripped', omissions: { natives: true } },
  tools: ({ current }) =>
    current.quirks.tools ? undefined : { name: 'tools_as_text', quirks: { tools: 'text' }, isDegraded: true },
  history: ({ current }) =>
    current.omissions.isStrict ? undefined : { name: 'history_rebuilt', omissions: { isStrict: true } },
  roles: ({ current }) =>
    current.quirks.roles ? undefined : { name: 'roles_alternated', quirks: { roles: 'alternating' } },
  system: ({ current }) => (current.quirks.system ? undefined : { name: 'system_moved', quirks: { system: 'user' } }),
  stream: ({ current }) =>
    current.quirks.streams === false ? undefined : { name: 'stream_dropped', quirks: { streams: false } },
  'cap too large': ({ fault, request: { maxOutputTokens }, current }) => {
    const figures = [...fault.message.matchAll(/\d[\d,]{2,}/g)].map(([digits]) => Number(digits.replaceAll(',', '')));
    const most = current.quirks.capTokens ?? maxOutputTokens ?? Number.POSITIVE_INFINITY;
    const smaller = figures.filter((count) => count < most).sort((left, right) => right - left)[0];
    return smaller === undefined ? undefined : { name: 'cap_lowered', quirks: { capTokens: smaller } };
  },
  schema: (refused) => parameter(refused) ?? schema(refused),
  parameter,
};

function schema({ fault, request, current: { quirks } }: Refused): Made | undefined {
  if (quirks.schemas === undefined) return { name: 'schemas_simplified', quirks: { schemas: 'simple' } };
  if (quirks.schemas === 'simple') return { name: 'schemas_flattened', quirks: { schemas: 'flat' } };
  const gone = quirks.omitsTools ?? [];
  const name = namedTool(fault.message, request, gone);
  return name === undefined
    ? undefined
    : { name: 'tool_dropped', quirks: { omitsTools: [...gone, name] }, isDegraded: true };
}

/** The tool that a refusal names, by its name or its place in the list. */
function namedTool(message: string, { tools }: ModelRequest, gone: readonly string[]): string | undefined {
  const sent = tools.filter(({ name }) => !gone.includes(name));
  const named = sent.find(({ name }) => new RegExp(`[\\s'"\`:.]${escaped(name)}[\\s'"\`:.,]`).test(` ${message} `));
  if (named) return named.name;
  const [, place] = /(?:tools|functions?|function_declarations)(?:\[|\.)(\d+)/.exec(message) ?? [];
  return place === undefined ? undefined : sent[Number(place)]?.name;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const caps: ReadonlySet<string> = new Set(['max_tokens', 'max_completion_tokens', 'max_output_tokens']);
const efforts: ReadonlySet<string> = new Set(['reasoning_effort', 'reasoning', 'thinking', 'effort', 'think']);

/** Only what was sent can be what is refused; other names are told to the user as they came. */
function parameter({ fault, request, fields, current: { quirks } }: Refused): Made | undefined {
  // What a sentence quotes may be the model's name: the first field that was sent is the one meant.
  const named = fieldsIn(fault.message);
  const sent = sentFields(request, fields);
  const field = named.find((one) => isSent(one, sent) && !kept.has(one)) ?? named[0];
  if (field === undefined) return undefined;
  if (field === 'stream') return { name: 'stream_dropped', quirks: { streams: false } };
  if (field === 'stream_options' || field === 'include_usage')
    return quirks.usage === false ? undefined : { name: 'usage_not_asked', quirks: { usage: false } };
  const name = efforts.has(field) ? 'effort' : field;
  if (!isSent(field, sent) || kept.has(name)) return undefined;
  if (caps.has(name)) return otherCap(fault.message, field, quirks);
  const omits = quirks.omits ?? [];
  return omits.includes(name) ? undefined : { name: 'parameter_dropped', quirks: { omits: [...omits, name] } };
}

const isSent = (field: string, sent: ReadonlySet<string>): boolean =>
  sent.has(caps.has(field) ? 'cap' : efforts.has(field) ? 'effort' : field);

function sentFields({ temperature, effort, maxOutputTokens }: ModelRequest, fields: readonly string[] = []) {
  const sent = new Set(fields.map((field) => (caps.has(field) ? 'cap' : efforts.has(field) ? 'effort' : field)));
  if (temperature !== undefined) sent.add('temperature');
  if (effort !== undefined) sent.add('effort');
  if (maxOutputTokens !== undefined) sent.add('cap');
  return sent;
}

/** Without these there is no request. */
const kept: ReadonlySet<string> = new Set(['model', 'messages', 'input', 'contents', 'tools', 'functions']);

/** `tools.0.custom.x` and `messages[1].y` are about a part of the request that has its own repairs. */
const fieldsIn = (message: string): readonly string[] =>
  fieldWordings
    .flatMap((wording) => [...message.matchAll(new RegExp(wording, 'gi'))])
    .flatMap(({ groups }) => {
      const field = groups?.['field']?.replace(/\.$/, '').toLowerCase();
      const isOfARequestPart = field === undefined || /^(?:tools|messages|functions?|input)\b./.test(field);
      return isOfARequestPart ? [] : [field.split('.')[0] ?? field];
    });

function otherCap(message: string, field: string, { capField }: Quirks): Made | undefined {
  if (capField === 'none') return undefined;
  const isOther = field === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
  const isOffered =
    new RegExp(`use [\`'"]?${isOther}|instead.{0,20}${isOther}`, 'i').test(message) || field === 'max_tokens';
  if (capField === undefined && isOffered) return { name: 'parameter_renamed', quirks: { capField: isOther } };
  return { name: 'parameter_dropped', quirks: { capField: 'none' } };
}

export const imagesIn = ({ messages }: ModelRequest): number => {
  let count = 0;
  for (const message of messages) if (message.from === 'user') count += message.images?.length ?? 0;
  return count;
};
