/** Small questions to a server of one's own: JSON in, JSON out, little patience. */
import { attemptSync } from '../../../base/attempt.ts';
import type { Http } from '../http.ts';

/** Asks for `path` below the server's root; with a body it is a POST. Undefined for every kind of failure. */
export type Ask = (path: string, body?: unknown) => Promise<unknown>;

export interface Asking {
  readonly http: Http;
  /** Without a slash at its end. */
  readonly root: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds for all questions together. */
  readonly limitMs: number;
}

/** More than any list of models; a chat template of 100 KB is in `/props`. */
const answerBytes = 4 << 20;

/** The clock starts now. */
export function asker({ http, root, headers = {}, limitMs }: Asking): Ask {
  const signal = AbortSignal.timeout(limitMs);
  return async (path, body) => {
    const url = `${root}${path}`;
    if (!URL.canParse(url)) return undefined;
    const sent = await http.send(
      {
        method: body === undefined ? 'GET' : 'POST',
        url,
        headers: { accept: 'application/json', ...headers, ...(body === undefined ? {} : json) },
        ...(body === undefined ? {} : { body: [Buffer.from(JSON.stringify(body))] }),
      },
      signal,
    );
    if (!sent.ok) return undefined;
    const pieces: Uint8Array[] = [];
    let length = 0;
    const broken = await sent.value.read((bytes) => {
      pieces.push(bytes);
      length += bytes.length;
      return length > answerBytes ? 'done' : 'on';
    });
    if (broken || sent.value.status !== 200) return undefined;
    const parsed = attemptSync(
      () => JSON.parse(Buffer.concat(pieces).toString('utf8')) as unknown,
      () => undefined,
    );
    return parsed.ok ? parsed.value : undefined;
  };
}

const json = { 'content-type': 'application/json' };
