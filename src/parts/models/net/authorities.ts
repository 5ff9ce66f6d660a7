/** Whom TLS connections trust, and who we are to them. Loaded when something of it is configured. */
import { readFileSync } from 'node:fs';
import { attemptSync, messageOf } from '../../../base/attempt.ts';
import { ok, type Result } from '../../../base/result.ts';
import { type Fault, fault } from '../../../protocol/fault.ts';

export interface TlsFiles {
  /** Further authorities, PEM. */
  readonly caFile?: string | undefined;
  /** Our certificate and its key, PEM, for servers that ask who we are. */
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
  /** Trust also what the operating system trusts. */
  readonly usesSystemStore?: boolean | undefined;
}

/** As `tls.connect` takes them. Without `ca`, Node's own list holds. */
export interface TlsIdentity {
  readonly ca?: string[];
  readonly cert?: string;
  readonly key?: string;
}

export const hasTlsFiles = ({ caFile, certFile, keyFile, usesSystemStore }: TlsFiles): boolean =>
  caFile !== undefined || certFile !== undefined || keyFile !== undefined || usesSystemStore === true;

/** Reads the files. Fails with the setting's name on one that cannot be read or is no PEM. */
export function readIdentity(files: TlsFiles): Result<TlsIdentity, Fault> {
  const { caFile, certFile, keyFile, usesSystemStore } = files;
  if ((certFile === undefined) !== (keyFile === undefined)) return unpaired(files);
  const ca = pem('network.caFile', caFile, 'CERTIFICATE');
  if (!ca.ok) return ca;
  const cert = pem('network.certFile', certFile, 'CERTIFICATE');
  if (!cert.ok) return cert;
  const key = pem('network.keyFile', keyFile, 'PRIVATE KEY');
  if (!key.ok) return key;
  const pair = matching(files, { cert: cert.value, key: key.value });
  if (!pair.ok) return pair;
  const more = [...(usesSystemStore ? storedIn('system') : []), ...(ca.value === undefined ? [] : [ca.value])];
  return ok({
    // A list of our own replaces Node's, so Node's must be in it.
    ...(more.length === 0 ? {} : { ca: [...storedIn('default'), ...more] }),
    ...(cert.value === undefined ? {} : { cert: cert.value }),
    ...(key.value === undefined ? {} : { key: key.value }),
  });
}

/** OpenSSL takes a certificate and a key that do not belong together, or a locked key, for a mistake in the program. */
function matching(
  { certFile, keyFile }: TlsFiles,
  { cert, key }: { readonly cert: string | undefined; readonly key: string | undefined },
): Result<void, Fault> {
  if (cert === undefined || key === undefined) return ok(undefined);
  return attemptSync(
    () => void process.getBuiltinModule('node:tls').createSecureContext({ cert, key }),
    (cause) => {
      const reason = /mismatch/i.test(messageOf(cause))
        ? 'the key is not the one of this certificate'
        : messageOf(cause).replace(/^error:[\dA-F]*:/i, '');
      return fault('usage', `network.certFile ${certFile} and network.keyFile ${keyFile} cannot be used: ${reason}.`);
    },
  );
}

const unpaired = ({ certFile }: TlsFiles): Result<never, Fault> => ({
  ok: false,
  fault: fault(
    'usage',
    certFile === undefined
      ? 'network.keyFile is set without network.certFile. Set both, or neither.'
      : 'network.certFile is set without network.keyFile. Set both, or neither.',
  ),
});

function pem(setting: string, path: string | undefined, label: string): Result<string | undefined, Fault> {
  if (path === undefined) return ok(undefined);
  return attemptSync(
    () => {
      const text = readFileSync(path, 'utf8');
      if (!text.includes(`${label}-----`)) throw new Error(`it holds no PEM block of a ${label.toLowerCase()}`);
      return text;
    },
    (cause) => fault('usage', `${setting}: ${path} cannot be used: ${messageOf(cause)}.`),
  );
}

/** Node 22.15 and later can list a store; before, its own list without NODE_EXTRA_CA_CERTS is all there is. */
function storedIn(store: 'default' | 'system'): string[] {
  const tls = process.getBuiltinModule('node:tls');
  if (typeof tls.getCACertificates === 'function') return tls.getCACertificates(store);
  return store === 'default' ? [...tls.rootCertificates] : [];
}
