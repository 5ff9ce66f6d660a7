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

export interface FailurePlace {
  /** `cut` once the head of the answer had come. */
  readonly when: 'unreachable' | 'cut';
  readonly proxy?: URL;
}

export function explainFailure(cause: unknown, url: URL, { when, proxy }: FailurePlace): Fault {
  const code = codeOf(cause) ?? '';
  const host = hostOf(url);
  const byProxy = proxy && proxyFault(cause, host, proxy);
  if (byProxy) return byProxy;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return fault('unreachable', `The host name in ${host} is not known (${code}). Check the base URL and the network.`);
  }
  const insecure = tlsFault(code, host, cause);
  if (insecure) return insecure;
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

/** What went wrong at the proxy and not behind it; undefined where it did its part. */
function proxyFault(cause: unknown, host: string, proxy: URL): Fault | undefined {
  const code = codeOf(cause) ?? '';
  const detail = messageOf(cause);
  const where = hostOf(proxy);
  if (code === 'PROXY_UNREACHABLE' || code === 'ECONNREFUSED' || code === 'ENOTFOUND') {
    const reason = code === 'PROXY_UNREACHABLE' ? (reasons[detail] ?? detail) : (reasons[code] ?? code);
    return fault(
      'unreachable',
      `The proxy ${where} does not answer (${reason}). Correct HTTPS_PROXY, HTTP_PROXY or ALL_PROXY, or add ${host} to NO_PROXY.`,
    );
  }
  if (code !== 'PROXY_REFUSED') return undefined;
  const advice =
    detail === '407' ? 'It wants a name and password: http://name:password@host:port.' : 'Check what it lets through.';
  return fault('unreachable', `The proxy ${where} refused the way to ${host} with status ${detail}. ${advice}`, {
    isLasting: detail.startsWith('4'),
  });
}

/** TLS failures, by what a person can do about them. */
const tlsReasons: readonly { readonly code: RegExp; readonly says: string; readonly advice: string }[] = [
  {
    code: /SELF_SIGNED/,
    says: 'its certificate is signed by itself or by an authority that is not trusted',
    advice: 'Name the file of that authority in network.caFile, or in NODE_EXTRA_CA_CERTS.',
  },
  {
    code: /UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|CERT_UNTRUSTED/,
    says: 'the authority behind its certificate is not known here',
    advice:
      'Name the file of that authority in network.caFile, or trust what the system trusts: network.usesSystemStore: true.',
  },
  {
    code: /CERT_HAS_EXPIRED/,
    says: 'its certificate has expired',
    advice: 'Whoever runs the server must renew it; check also the clock of this machine.',
  },
  {
    code: /CERT_NOT_YET_VALID/,
    says: 'its certificate is not valid yet',
    advice: 'Check the clock of this machine.',
  },
  {
    code: /ALTNAME_INVALID|HOSTNAME_MISMATCH/,
    says: 'its certificate is for another host',
    advice: 'Use the host name that stands in the certificate as the base URL.',
  },
  {
    code: /CERTIFICATE_REQUIRED|BAD_CERTIFICATE|HANDSHAKE_FAILURE|UNKNOWN_CA/,
    says: 'it did not accept who we are',
    advice: 'It asks for a client certificate: set network.certFile and network.keyFile.',
  },
];

function tlsFault(code: string, host: string, cause: unknown): Fault | undefined {
  if (!/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_|EPROTO/.test(code)) return undefined;
  const known = tlsReasons.find((reason) => reason.code.test(code));
  if (known) {
    const { says, advice } = known;
    return fault('unreachable', `The TLS connection to ${host} failed: ${says} (${code}). ${advice}`, {
      isLasting: true,
    });
  }
  if (code === 'EPROTO' || code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG') {
    return fault(
      'unreachable',
      `${host} does not speak TLS. If it speaks plain HTTP, its base URL begins with http://.`,
      { isLasting: true },
    );
  }
  return fault('unreachable', `The TLS connection to ${host} failed (${code}: ${messageOf(cause)}).`);
}
