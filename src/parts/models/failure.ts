/** What Node says about a broken connection, as a fault that tells what to do. */
import { codeOf, messageOf } from '../../base/attempt.ts';
import { type Fault, fault } from '../../protocol/fault.ts';

/** `host:port`, the port always named. */
export const hostOf = (url: URL): string => `${url.hostname}:${url.port || (url.protocol === 'https:' ? 443 : 80)}`;

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ETIMEDOUT: 'the connection timed out',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'the network is down',
};

/** `when` is `cut` once the head of the answer had come. */
export function explainFailure(cause: unknown, url: URL, when: 'unreachable' | 'cut' = 'unreachable'): Fault {
  const code = codeOf(cause) ?? '';
  const host = hostOf(url);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return fault('unreachable', `The host name in ${host} is not known (${code}). Check the base URL and the network.`);
  }
  if (code === 'EPROTO') {
    return fault(
      'unreachable',
      `${host} does not speak TLS. If it speaks plain HTTP, its base URL begins with http://.`,
    );
  }
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_/.test(code)) {
    return fault(
      'unreachable',
      `The TLS connection to ${host} failed (${code}). If it has a private authority, name its file in NODE_EXTRA_CA_CERTS.`,
    );
  }
  if (code.startsWith('HPE_')) {
    return fault('garbled', `What answers at ${host} does not speak HTTP (${code}). Check the base URL.`);
  }
  if (code.startsWith('Z_') || code.startsWith('ERR__ERROR_') || code.startsWith('ERR_PADDING')) {
    return fault('garbled', `The compressed answer of ${host} cannot be unpacked (${code}).`);
  }
  if (when === 'cut') return fault('cut', `${host} closed the connection in the middle of its answer.`);
  if (code === 'ECONNRESET' || code === 'EPIPE') {
    return fault('unreachable', `${host} closed the connection before it answered. Check that the server still runs.`);
  }
  const reason = reasons[code] ?? (code || messageOf(cause));
  return fault(
    'unreachable',
    `Nobody answers at ${host} (${reason}). Start the server there, or correct the base URL of this provider.`,
  );
}
