/** What a provider's refusal means: HTTP status and body, or an error inside a good answer, as a fault. */
import { attemptSync } from '../../base/attempt.ts';
import { type Fault, type FaultKind, fault } from '../../protocol/fault.ts';
import { shownUrl } from './baseUrl.ts';
import type { Endpoint } from './endpoint.ts';
import { hostOf } from './failure.ts';
import { isObject, listOf, loose, textOf } from './loose.ts';
import { overflowFigures } from './overflow.ts';
import { redact } from './redact.ts';
import { retryAfterMs } from './retryAfter.ts';
import { wordedKind } from './wordings.ts';

export interface Refusal {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Milliseconds since 1970, for a date in Retry-After. */
  readonly now: number;
}

const quotedLength = 300;

/** The fault behind an answer that is not 2xx. */
export function faultOfStatus(endpoint: Endpoint, { status, headers, body, now }: Refusal): Fault {
  const parsed = attemptSync(
    () => JSON.parse(body) as unknown,
    () => undefined,
  );
  const said = parsed.ok ? saidIn(parsed.value) : { text: plain(body), label: '' };
  const words = `${said.text} ${said.label}`;
  const wait = retryAfterMs(headers, `${words} ${body}`, now);
  const kind = status === 403 && isPage(body) ? 'refused' : kindOfStatus(status, words, wait);
  return describe(endpoint, { ...said, status, wait, kind, source: body });
}

/** The fault in an answer that began well: a chunk, or a whole body, that carries an error. Undefined without one. */
export function faultInBody(endpoint: Endpoint, body: unknown): Fault | undefined {
  const { error, error_message: message, object, code } = loose<'error' | 'error_message' | 'object' | 'code'>(body);
  const isError = isSaid(error) || isSaid(message) || object === 'error' || Number(code) >= 400;
  if (!isError) return undefined;
  const said = saidIn(body);
  const status = statusIn(body);
  const wait = retryAfterMs({}, said.text, 0);
  const words = `${said.text} ${said.label}`;
  const kind = status === undefined ? (wordedKind(words) ?? 'overloaded') : kindOfStatus(status, words, wait);
  return describe(endpoint, { ...said, status, wait, kind, source: kind === 'overflow' ? JSON.stringify(body) : '' });
}

const isSaid = (value: unknown): boolean => value !== undefined && value !== null && value !== false && value !== '';

interface Said {
  /** The provider's own message. */
  readonly text: string;
  /** Its code and type, for classing. */
  readonly label: string;
}

/** The message wherever vendors put it: error.message, error, message, detail. */
function saidIn(body: unknown): Said {
  const first = Array.isArray(body) ? body[0] : body;
  const { error, ...rest } = loose<'error' | 'message' | 'error_message' | 'detail' | 'code' | 'type'>(first);
  const inner = loose<'message' | 'code' | 'type' | 'status' | 'metadata'>(error);
  const { raw } = loose<'raw'>(inner.metadata);
  const text = [
    textOf(inner.message),
    textOf(error),
    textOf(rest.message),
    textOf(rest.error_message),
    detail(rest.detail),
  ];
  const label = [inner.code, inner.type, inner.status, rest.code, rest.type].filter((part) => typeof part === 'string');
  const message = text.find((part) => part !== '') ?? (isObject(first) ? JSON.stringify(first) : textOf(first));
  return { text: textOf(raw) ? `${message}: ${textOf(raw)}` : message, label: label.join(' ') };
}

const detail = (value: unknown): string =>
  textOf(value) ||
  listOf(value)
    .map((item) => {
      const { msg, loc } = loose<'msg' | 'loc'>(item);
      const place = listOf(loc)
        .filter((part) => part !== 'body')
        .join('.');
      return place && textOf(msg) ? `${place}: ${textOf(msg)}` : textOf(msg);
    })
    .filter((text) => text !== '')
    .join('; ');

function statusIn(body: unknown): number | undefined {
  const { error, ...outer } = loose<'error' | 'code' | 'status'>(body);
  const inner = loose<'code' | 'status'>(error);
  return [inner.code, inner.status, outer.code, outer.status].map(Number).find((code) => code >= 400 && code <= 599);
}

/** 408, 409 and 425 mean "again, please"; they count as overloaded. */
function kindOfStatus(status: number, words: string, wait: number | undefined): FaultKind {
  const worded = wordedKind(words);
  switch (status) {
    case 401:
      return 'unauthorised';
    case 402:
      return 'quota';
    case 403:
      return worded === 'quota' || worded === 'rate' ? worded : 'unauthorised';
    case 404:
      return 'not found';
    case 408:
    case 409:
    case 425:
      return 'overloaded';
    case 413:
      return worded === 'rate' && !isTooLarge(words) ? 'rate' : 'overflow';
    case 429:
      return kindOfTooMany(words, worded === 'quota' && wait === undefined);
    case 501:
      return 'refused';
    default:
      if (status >= 500) return worded === 'overflow' || worded === 'quota' ? worded : 'overloaded';
      return worded === undefined || worded === 'overloaded' ? 'refused' : worded;
  }
}

/** A quota that refills in seconds is a rate. */
const kindOfTooMany = (words: string, isQuota: boolean): FaultKind =>
  isTooLarge(words) ? 'overflow' : isQuota ? 'quota' : 'rate';

/** A request over the limit of a whole minute fits in no minute. */
function isTooLarge(words: string): boolean {
  const { windowTokens = 0, promptTokens = 0 } = /limit \d+, requested/i.test(words) ? overflowFigures(words) : {};
  return promptTokens > windowTokens;
}

interface Description extends Said {
  /** The whole answer: figures may stand beside the sentence. */
  readonly source: string;
  readonly kind: FaultKind;
  readonly status: number | undefined;
  readonly wait: number | undefined;
}

function describe(endpoint: Endpoint, { kind, status, wait, text, source }: Description): Fault {
  const host = hostOf(new URL(endpoint.url));
  const words = redact(text, endpoint.secrets).replace(/\s+/g, ' ').trim();
  const quoted = words.length > quotedLength ? `${words.slice(0, quotedLength)}...` : words;
  const code = status === undefined ? '' : ` with status ${status}`;
  const said = quoted ? `: "${quoted}"` : '.';
  return fault(
    kind,
    `${endpoint.provider} (${host}) ${verbs[kind] ?? 'refused the request'}${code}${said} ${advice(kind, endpoint, wait)}`,
    {
      ...(status === undefined ? {} : { status }),
      ...(wait === undefined ? {} : { retryAfterMs: wait }),
      ...(kind === 'overflow' ? overflowFigures(`${text} ${source}`) : {}),
    },
  );
}

const verbs: Partial<Record<FaultKind, string>> = {
  overloaded: 'failed',
  rate: 'asked us to slow down',
  'not found': 'does not know the model or the address',
  unauthorised: 'refused the key',
};

function advice(kind: FaultKind, { keyVariables, model, provider, url }: Endpoint, wait = 0): string {
  switch (kind) {
    case 'unauthorised':
      return keyVariables.length > 0
        ? `Check ${keyVariables.join(' or ')} and what the key may use.`
        : `Set a key for it: provider.${provider}.apiKeyEnv in the config.`;
    case 'quota':
      return 'Check the credit and plan of the account, or choose another model with -m.';
    case 'rate':
      return `Wait${wait > 0 ? ` ${waitWords(wait)}` : ''} and try again, or choose another model with -m.`;
    case 'overloaded':
      return `Try again ${wait > 0 ? `in ${waitWords(wait)}` : 'later'}, or choose another model with -m.`;
    case 'not found':
      return `Check the model "${model}" and the address ${shownUrl(url)}.`;
    case 'overflow':
      return "The request does not fit the model's window: compact the session, start a new one, or choose a larger model.";
    default:
      return `Check the settings of provider.${provider} and of the model "${model}".`;
  }
}

/** `45 s`, `60 min`, `26 h`: never less than was asked for, from milliseconds. */
function waitWords(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  return seconds <= 7200 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3600)} h`;
}

/** A page for people comes from a gateway before the provider, and says nothing about the key. */
const isPage = (body: string): boolean => /^\s*<(?:!doctype|html|head|body|\?xml|h\d|center)/i.test(body);

/** Pages of proxies say little in many tags. */
const plain = (body: string): string =>
  isPage(body)
    ? (/<title[^>]*>([^<]*\S[^<]*)<\/title>/i.exec(body)?.[1] ?? body)
        .replace(/<(style|script)[\s\S]*?<\/\1>/gi, ' ')
        .replace(/<[^>]*>/g, ' ')
        .trim()
    : body;
