/** What a provider throws, as a fault. */
import { messageOf } from '../../../base/attempt.ts';
import { type Fault, fault } from '../../../protocol/fault.ts';
import type { Endpoint } from '../endpoint.ts';
import { faultOfStatus } from '../fault.ts';
import { isObject, loose, textOf } from '../loose.ts';
import { redact } from '../redact.ts';

type CauseField = 'statusCode' | 'responseBody' | 'responseHeaders' | 'isRetryable' | 'message';

/** `now` in milliseconds since 1970. The SDK's errors of calls carry status, headers and body. */
export function sdkFault(endpoint: Endpoint, cause: unknown, now: number): Fault {
  const { statusCode: status, responseBody, responseHeaders, isRetryable, message } = loose<CauseField>(cause);
  if (typeof status === 'number' && status >= 400) {
    const headers = Object.entries(isObject(responseHeaders) ? responseHeaders : {});
    return faultOfStatus(endpoint, {
      status,
      headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), String(value)])),
      body: textOf(responseBody) || textOf(message),
      now,
    });
  }
  const words = redact(isObject(cause) ? messageOf(cause) : String(cause), endpoint.secrets);
  return isRetryable === true
    ? fault('unreachable', `${endpoint.provider} is out of reach: ${words}. Check its address and the network.`)
    : fault('garbled', `The SDK of ${endpoint.provider} failed: ${words}. Check provider.${endpoint.provider}.sdk.`);
}
