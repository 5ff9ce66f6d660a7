/** Servers that know fewer parameters than we send: what they refuse by name is renamed or left out, and that is remembered. */
import type { ModelRequest, Wire } from '../../loop/ports.ts';
import type { Fault } from '../../protocol/fault.ts';
import type { Dialect, Endpoint } from './endpoint.ts';

/** Changes in one request: more would be a search in the dark. */
const adaptationsAtMost = 4;

type Droppable = 'maxOutputTokens' | 'temperature' | 'effort';

/** What was learned about a server. */
interface Lessons {
  readonly dialect: Dialect;
  readonly dropped: ReadonlySet<Droppable>;
}

interface Lesson {
  readonly says: string;
  readonly lessons: Lessons;
}

/** `open` makes the wire for an endpoint; it is opened anew when the dialect changes. */
export function adapting(endpoint: Endpoint, open: (endpoint: Endpoint) => Wire): Wire {
  let lessons: Lessons = { dialect: endpoint.dialect, dropped: new Set() };
  let wire = open(endpoint);
  return async (request, io) => {
    for (let adaptations = 0; ; adaptations++) {
      const answer = await wire(without(request, lessons.dropped), io);
      if (answer.ok || adaptations >= adaptationsAtMost) return answer;
      const lesson = lessonOf(answer.fault, lessons, request);
      if (!lesson) return answer;
      const { says } = lesson;
      io.emit({ type: 'noted', by: 'models', kind: 'adapted', data: { model: endpoint.model, change: says } });
      if (lesson.lessons.dialect !== lessons.dialect) wire = open({ ...endpoint, dialect: lesson.lessons.dialect });
      ({ lessons } = lesson);
    }
  };
}

function without(request: ModelRequest, dropped: ReadonlySet<Droppable>): ModelRequest {
  if (dropped.size === 0) return request;
  const kept = { ...request };
  for (const field of dropped) delete kept[field];
  return kept;
}

const refusal =
  /unsupported|unknown|unrecogni[sz]ed|unexpected|not (?:supported|permitted|allowed|a valid|recogni[sz]ed)|does ?n[o']t support|extra (?:inputs|fields)|invalid (?:parameter|argument|field)|deprecated|only the default/i;

/** The first parameter that the refusal names and that was sent; undefined where it is about something else. */
function lessonOf(
  { kind, status, message }: Fault,
  { dialect, dropped }: Lessons,
  request: ModelRequest,
): Lesson | undefined {
  if (kind !== 'refused' || (status !== 400 && status !== 422) || !refusal.test(message)) return undefined;
  const drop = (field: Droppable): Lesson | undefined =>
    request[field] === undefined || dropped.has(field)
      ? undefined
      : { says: `${field} is left out`, lessons: { dialect, dropped: new Set([...dropped, field]) } };
  const change = (says: string, changed: Partial<Dialect>): Lesson => ({
    says,
    lessons: { dialect: { ...dialect, ...changed }, dropped },
  });
  if (/\bstream_options\b/.test(message) && dialect.asksForUsage)
    return change('stream_options is left out', { asksForUsage: false });
  if (/\bmax_(?:completion_)?tokens\b/.test(message)) {
    const other = dialect.capField === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
    // The one that the message names first is the one that it refuses.
    const isNamed = /\bmax_(?:completion_)?tokens\b/.exec(message)?.[0] === dialect.capField;
    return isNamed ? change(`the cap is sent as ${other}`, { capField: other }) : drop('maxOutputTokens');
  }
  if (/\btemperature\b/.test(message)) return drop('temperature');
  if (/\breasoning(?:_effort|\.effort)?\b|\beffort\b|\bthinking\b/.test(message)) return drop('effort');
  return undefined;
}
