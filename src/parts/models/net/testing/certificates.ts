/** Certificates made by openssl for one test. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Certificates {
  /** An authority of our own. */
  readonly caFile: string;
  /** For `name`, signed by the authority. */
  issue(name: string, extra?: readonly string[]): { readonly certFile: string; readonly keyFile: string };
  [Symbol.dispose](): void;
}

export function hasOpenssl(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const openssl = (args: readonly string[]): void => void execFileSync('openssl', [...args], { stdio: 'ignore' });

export function makeCertificates(): Certificates {
  const dir = mkdtempSync(join(tmpdir(), 'smew-tls-'));
  const file = (name: string) => join(dir, name);
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl([
    'req',
    '-x509',
    ...key,
    '-days',
    '2',
    '-subj',
    '/CN=Test authority',
    '-keyout',
    file('ca.key'),
    '-out',
    file('ca.pem'),
  ]);
  let count = 0;
  return {
    caFile: file('ca.pem'),
    issue: (name, extra = ['-days', '2']) => {
      const base = `${++count}`;
      const [certFile, keyFile, wish, names] = ['pem', 'key', 'csr', 'ext'].map((end) => file(`${base}.${end}`)) as [
        string,
        string,
        string,
        string,
      ]; // four ends
      writeFileSync(names, `subjectAltName=DNS:${name}`);
      openssl(['req', ...key, '-subj', `/CN=${name}`, '-keyout', keyFile, '-out', wish]);
      openssl([
        'x509',
        '-req',
        '-in',
        wish,
        '-CA',
        file('ca.pem'),
        '-CAkey',
        file('ca.key'),
        '-CAcreateserial',
        '-extfile',
        names,
        ...extra,
        '-out',
        certFile,
      ]);
      return { certFile, keyFile };
    },
    [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }),
  };
}
